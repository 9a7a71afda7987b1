import type { Amount, AmountChange, ImportReport, ImportSums } from '@/api';
import { addDays, month, range, sum } from '@/shared';
import type { Day } from '@/shared';

/** "May 2026" of a month, "16 May 2026" of a day. */
export function periodName(period: string): string {
  return period.length === 7 ? month(`${period}-01`) : range(period.slice(0, 10), period.slice(0, 10));
}

/** The days of a month or of a day, for links to the pages of costs. */
export function periodDays(period: string): { from: Day; to: Day } {
  if (period.length > 7) return { from: period.slice(0, 10), to: period.slice(0, 10) };
  const from = `${period}-01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) };
}

/** The sums of a report where it has any: a file of recommendations, and one that was not read, move no costs. */
export function sumsOf(report: ImportReport): ImportSums | null {
  const { sums } = report;
  if (!sums || report.error) return null;
  const isEmpty = sums.file.length + sums.added.length + sums.replaced.length + sums.stored.length === 0;
  return isEmpty ? null : sums;
}

/** Whether the amounts have several currencies, so that each needs its code. */
export function isMixed(sums: ImportSums): boolean {
  const all = [...sums.file, ...sums.added, ...sums.replaced, ...sums.stored];
  return new Set(all.map(({ currency }) => currency)).size > 1;
}

/**
 * What several files did together: sums of the files and of what they added; each replaced amount from before the first to after the last;
 * what is stored after the last. The reports come in the order of their imports. None where no report has sums.
 */
export function together(reports: readonly ImportReport[]): ImportSums | null {
  const known = reports.flatMap((report) => sumsOf(report) ?? []);
  if (known.length === 0) return null;
  const replaced = new Map<string, AmountChange>();
  const stored = new Map<string, Amount>();
  for (const sums of known) {
    for (const change of sums.replaced) {
      const key = [change.period, change.currency, change.account].join('\u0000');
      replaced.set(key, { ...change, before: replaced.get(key)?.before ?? change.before });
    }
    for (const amount of sums.stored) stored.set(keyOf(amount), amount);
  }
  return {
    file: added(known.flatMap((sums) => sums.file)),
    added: added(known.flatMap((sums) => sums.added)),
    replaced: [...replaced.values()],
    stored: [...stored.values()].sort(byPeriod),
  };
}

/** One amount for each period and currency. */
function added(amounts: readonly Amount[]): Amount[] {
  const groups = new Map<string, Amount[]>();
  for (const amount of amounts) {
    const key = keyOf(amount);
    groups.set(key, [...(groups.get(key) ?? []), amount]);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [{ ...first, billed_cost: String(sum(group.map((one) => one.billed_cost))) }] : [];
    })
    .sort(byPeriod);
}

/** The amount added to one period, and the amount stored. */
export interface PeriodSums {
  period: string;
  currency: string;
  added: Amount | undefined;
  stored: Amount | undefined;
}

/** The periods that were added to or are stored, in the order of time. */
export function periodsOf({ added, stored }: Pick<ImportSums, 'added' | 'stored'>): PeriodSums[] {
  const found = new Map<string, PeriodSums>();
  for (const amount of [...added, ...stored].sort(byPeriod)) {
    const key = keyOf(amount);
    const of = (amounts: readonly Amount[]) => amounts.find((one) => keyOf(one) === key);
    found.set(key, {
      period: amount.period ?? '',
      currency: amount.currency,
      added: of(added),
      stored: of(stored),
    });
  }
  return [...found.values()];
}

function keyOf(amount: Amount): string {
  return `${amount.period ?? ''} ${amount.currency}`;
}

function byPeriod(a: Amount, b: Amount): number {
  const [x, y] = [keyOf(a), keyOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The replaced amount of one period and currency: its total and its accounts, in their order. */
export interface ReplacedPeriod {
  period: string;
  currency: string;
  before: string;
  after: string;
  accounts: AmountChange[];
}

/** The changes by period and currency, in the order of time. */
export function byPeriods(changes: readonly AmountChange[]): ReplacedPeriod[] {
  const groups = new Map<string, AmountChange[]>();
  for (const change of changes) {
    const key = `${change.period} ${change.currency}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, accounts]) => {
      const [first] = accounts;
      if (!first) return [];
      const before = String(sum(accounts.map((one) => one.before)));
      const after = String(sum(accounts.map((one) => one.after)));
      return [{ period: first.period, currency: first.currency, before, after, accounts }];
    });
}

/** Whether files changed stored costs. While an import waits for a decision, the stored amounts are unknown. */
export function isSettled({ added, replaced, stored }: ImportSums): boolean {
  return added.length + replaced.length + stored.length > 0;
}
