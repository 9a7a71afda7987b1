import type { Numeric } from '@/shared';

/** Daily values of a listing in one currency; null for days without a charge. */
export function perDay(
  rows: readonly { spend_date: string | null; currency_type: string | null; spend_amount: Numeric | null }[],
  days: readonly string[],
  currency: string,
): (Numeric | null)[] {
  const own = rows.filter((row) => (row.currency_type ?? '') === currency);
  const byDay = new Map(own.map((row) => [row.spend_date?.slice(0, 10), row.spend_amount]));
  return days.map((day) => byDay.get(day) ?? null);
}
