/** Whether a row is of another tenant than the one in front: only then the tenant is worth a column. */
export function isElsewhere(rows: readonly { tenant?: string }[] | undefined, front: string | undefined): boolean {
  return rows?.some(({ tenant }) => tenant !== undefined && tenant !== front) ?? false;
}
