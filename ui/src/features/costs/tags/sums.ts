import { compare, sum } from '@/shared';
import type { Numeric } from '@/shared';
import type { PreviewRow } from './queries';

/** The sum of one value, over all rules. */
export interface ValueSum {
  value: string | null;
  currency: string | null;
  amount: Numeric;
  charges: number;
  /** Of all charges in the currency. */
  share: number | null;
}

/** The rows of a preview by value: the largest first, charges without a value last. */
export function valuesOf(rows: readonly PreviewRow[]): ValueSum[] {
  const found = new Map<string, ValueSum>();
  for (const { value, currency, amount, charges, share } of rows) {
    const key = JSON.stringify([currency, value]);
    const known = found.get(key);
    const part = share === null ? null : Number(share);
    if (known) {
      known.amount = sum([known.amount, amount]);
      known.charges += charges;
      known.share = known.share === null || part === null ? null : known.share + part;
    } else {
      found.set(key, { value, currency, amount, charges, share: part });
    }
  }
  const last = (line: ValueSum) => (line.value === null ? 1 : 0);
  return [...found.values()].sort((one, other) => last(one) - last(other) || compare(other.amount, one.amount));
}

/** The rows of one rule. */
export function ofRule(rows: readonly PreviewRow[], place: number): { charges: number; amounts: PreviewRow[] } {
  const own = rows.filter((row) => row.rule === place);
  const byCurrency = new Map<string, PreviewRow>();
  for (const row of own) {
    const known = byCurrency.get(row.currency ?? '');
    byCurrency.set(row.currency ?? '', known ? { ...known, amount: sum([known.amount, row.amount]) } : row);
  }
  return { charges: own.reduce((all, row) => all + row.charges, 0), amounts: [...byCurrency.values()] };
}
