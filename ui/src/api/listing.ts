/** The rows of a listing; in the schema both the list and its rows are nullable. */
export function listingRows<Row>(listing: { rows: readonly (Row | null)[] | null } | null | undefined): Row[] {
  return (listing?.rows ?? []).filter((row) => row !== null);
}
