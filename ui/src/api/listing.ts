/** The rows of a listing; the interface lets both the list and its rows be missing. */
export function listingRows<Row>(listing: { rows: readonly (Row | null)[] | null } | null | undefined): Row[] {
  return (listing?.rows ?? []).filter((row) => row !== null);
}
