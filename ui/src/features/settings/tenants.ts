/** Whether rows are of more than one tenant: only then it is worth a column. */
export function severalTenants(rows: readonly { tenant?: string }[] | undefined): boolean {
  return new Set(rows?.map(({ tenant }) => tenant)).size > 1;
}
