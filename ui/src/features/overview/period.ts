import { endOfMonth, previous } from '@/shared';
import type { DayRange, Numeric } from '@/shared';

/** A month and the one before it, as far as both can be compared. */
export interface Period {
  /** From the first of the month to its last day, or to the last day that has costs when the month is still running. */
  now: DayRange;
  /** The same days of the month before. */
  before: DayRange;
  /** All days of the month, for the axis. */
  month: DayRange;
  /** All days of the previous month, for the comparison line. */
  monthBefore: DayRange;
}

/** `month` is "2026-11"; `last` the last day any bill covers. */
export function period(month: string, last: string): Period {
  const from = `${month}-01`;
  const end = endOfMonth(from);
  const now = { from, to: last.startsWith(month) ? last : end };
  const whole = { from, to: end };
  return { now, before: previous(now), month: whole, monthBefore: previous(whole) };
}

/** A month that has costs, and in which currencies, the one with most charges first. */
export interface BilledMonth {
  month: string;
  currencies: string[];
}

/** The month shown: the selected one, else the newest one covered by bills; charges may be dated ahead of it. */
export function shownMonth(
  months: readonly BilledMonth[],
  chosen: string | undefined,
  last: string | undefined,
): BilledMonth | undefined {
  return (
    months.find(({ month }) => month === chosen) ??
    months.find(({ month }) => last !== undefined && month <= last) ??
    months[0]
  );
}

/** Rows per month and currency to months, newest first. */
export function billedMonths(
  rows: readonly { spend_date: string | null; currency_type: string | null; spend_count: Numeric | null }[],
): BilledMonth[] {
  const months = new Map<string, { currency: string; charges: number }[]>();
  for (const row of rows) {
    const month = row.spend_date?.slice(0, 7);
    if (!month) continue;
    const currencies = months.get(month) ?? [];
    currencies.push({ currency: row.currency_type ?? '', charges: Number(row.spend_count ?? 0) });
    months.set(month, currencies);
  }
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, found]) => ({
      month,
      currencies: found.sort((a, b) => b.charges - a.charges).map(({ currency }) => currency),
    }));
}
