import { compare, money, sum } from '@/shared';
import type { Numeric } from '@/shared';

/** A row of costs per day and currency. */
export interface DayRow {
  spend_date: string | null;
  currency_type: string | null;
  billed_cost: Numeric | null;
  effective_cost: Numeric | null;
}

/** Totals per currency; currencies are never added to each other. */
export function totals<Row extends { currency_type: string | null }>(
  rows: readonly Row[],
  amount: (row: Row) => Numeric | null,
): Map<string, Numeric> {
  const found = new Map<string, Numeric>();
  for (const row of rows) {
    const currency = row.currency_type ?? '';
    found.set(currency, sum([found.get(currency), amount(row)]));
  }
  return found;
}

/** Billed cost per day in one currency; a day without charges is a gap. */
export function perDay(rows: readonly DayRow[], days: readonly string[], currency: string): (Numeric | null)[] {
  const found = new Map<string, Numeric | null>();
  for (const row of rows) {
    if ((row.currency_type ?? '') === currency && row.spend_date) {
      found.set(row.spend_date.slice(0, 10), row.billed_cost);
    }
  }
  return days.map((day) => found.get(day) ?? null);
}

/** The total up to each day. It stays where it is over days without charges, and ends after the last day, `until`. */
export function running(values: readonly (Numeric | null)[], until: number): (Numeric | null)[] {
  let total: Numeric = 0;
  return values.map((value, i) => {
    total = sum([total, value]);
    return i < until ? total : null;
  });
}

/** Key figures have no cents; amounts below 1,000 keep them, because a small bill would round to zero. */
export function figure(amount: Numeric, currency: string, several: boolean): string {
  const large = compare(amount, 1000) >= 0 || compare(amount, -1000) <= 0;
  return money(amount, currency || null, { whole: large, several });
}
