/** Why a typed limit is invalid; the service checks the maximum. */
export function problemOfLimit(typed: string | null, isCount: boolean): string | undefined {
  if (typed === null) return undefined;
  if (isCount) return /^\d{1,9}$/.test(typed) ? undefined : `“${typed}” is not a whole number. Enter one such as 50`;
  return problemOfAmount(typed);
}

/** Why a typed amount or price is invalid. */
export function problemOfAmount(typed: string): string | undefined {
  if (/^-/.test(typed)) return `“${typed}” is below 0`;
  return /^\d+(\.\d+)?$/.test(typed) ? undefined : `“${typed}” is not an amount. Enter one such as 400 or 12.50`;
}
