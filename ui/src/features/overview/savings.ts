import { listingRows, standing, useGraphQL } from '@/api';
import type { ResultOf, Standing } from '@/api';
import { compare, isZero, subtract, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { Savings } from './queries';

/** Monthly savings of a set of recommendations per currency, and their number. */
export interface Saving {
  count: number;
  amounts: Map<string, Numeric>;
}

/** Recommendations of one kind. */
export interface SavingRow {
  count: number;
  standing: Standing;
  category: string | null;
  severity: string | null;
  amount: Numeric | null;
  currency: string;
}

export function saving(rows: readonly SavingRow[]): Saving {
  const amounts = new Map<string, Numeric>();
  for (const { amount, currency } of rows) {
    // Zero without a currency represents findings without a saving.
    if (amount !== null && !(currency === '' && isZero(amount)))
      amounts.set(currency, sum([amounts.get(currency), amount]));
  }
  return { count: countOf(rows), amounts };
}

/** "$12.00 below list prices", or above them where commitments cost more than they saved. */
export function againstList(list: Numeric, paid: Numeric, written: (amount: Numeric) => string): string {
  return compare(paid, list) > 0
    ? `${written(subtract(paid, list))} above list prices`
    : `${written(subtract(list, paid))} below list prices`;
}

/** The number of recommendations behind the rows. */
export function countOf(rows: readonly SavingRow[]): number {
  return rows.reduce((all, row) => all + row.count, 0);
}

/** Savings per category; the largest first, by the currency most of them are in. */
export function perCategory(rows: readonly SavingRow[]): { category: string | null; saving: Saving }[] {
  const main = mainCurrency(rows);
  const categories = [...new Set(rows.map((row) => row.category))];
  const amount = (s: Saving) => s.amounts.get(main) ?? 0;
  return categories
    .map((category) => ({ category, saving: saving(rows.filter((row) => row.category === category)) }))
    .sort((a, b) => compare(amount(b.saving), amount(a.saving)));
}

/** Whether amounts of several currencies are shown; a recommendation without a saving has no currency. */
export function hasSeveral(rows: readonly SavingRow[]): boolean {
  return new Set(stating(rows).map(({ currency }) => currency)).size > 1;
}

function stating(rows: readonly SavingRow[]): readonly SavingRow[] {
  return rows.filter(({ amount }) => amount !== null && !isZero(amount));
}

/** The currency most savings are stated in. */
export function mainCurrency(rows: readonly SavingRow[]): string {
  const counts = new Map<string, number>();
  for (const { currency, count } of stating(rows)) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** Recommendations by kind, as far as savings go. */
export function useSavings() {
  const query = useGraphQL(Savings, {});
  const data = query.data && rowsOf(query.data);
  return { data, error: query.error, refetch: query.refetch };
}

function rowsOf(data: ResultOf<typeof Savings>): SavingRow[] {
  return listingRows(data.recommendation_groupings_v2).map((row) => ({
    count: row.count ?? 0,
    standing: standing({ status: row.status, is_dismissed: row.is_dismissed ?? false }),
    category: row.category,
    severity: row.severity,
    amount: row.sum_all_savings,
    currency: row.currency ?? '',
  }));
}
