import { standing, useGraphQL } from '@/api';
import type { Standing } from '@/api';
import { compare, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { Savings } from './queries';

/** What a set of recommendations saves in a month, per currency, and how many they are. */
export interface Saving {
  count: number;
  amounts: Map<string, Numeric>;
}

export interface SavingRow {
  standing: Standing;
  category: string | null;
  severity: string | null;
  amount: Numeric | null;
  currency: string;
}

export function saving(rows: readonly SavingRow[]): Saving {
  const amounts = new Map<string, Numeric>();
  for (const { amount, currency } of rows) {
    if (amount !== null) amounts.set(currency, sum([amounts.get(currency), amount]));
  }
  return { count: rows.length, amounts };
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

export function mainCurrency(rows: readonly SavingRow[]): string {
  const counts = new Map<string, number>();
  for (const { currency } of rows) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** All recommendations, as far as savings go. */
export function useSavings() {
  const query = useGraphQL(Savings, {});
  const data = query.data?.recommendation.map((row): SavingRow => ({
    standing: standing(row),
    category: row.category,
    severity: row.severity,
    amount: row.estimated_savings,
    currency: typeof row.currency === 'string' ? row.currency : '',
  }));
  return { data, error: query.error, refetch: query.refetch };
}
