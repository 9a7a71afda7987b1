import { compare, subtract, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { absentName, namesOf } from './dimension';
import type { Dimension } from './dimension';
import type { SpendRow } from './load';
import type { Name } from './names';

/** One value of a dimension and its cost. */
export interface Group {
  /** The value; '' for charges without one. */
  key: string;
  label: string;
  exact: string | null;
  /** Null if no charge in the range has the amount. */
  value: Numeric | null;
  before: Numeric | null;
  /** Charges in the range. */
  count: number;
}

/** Maximum number of groups per level; the others are combined in one row. The server has no limit of its own. */
export const groupLimit = 1000;

/** Groups of a listing, largest first; a missing value and an empty one are the same group. */
export function grouped(rows: readonly SpendRow[], by: Dimension, column: keyof SpendRow): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = row[namesOf(by).listed] ?? '';
    const value = row[column] as Numeric | null;
    const count = Number(row.spend_count ?? 0);
    const known = groups.get(key);
    if (known) {
      known.value = value === null ? known.value : sum([known.value, value]);
      known.count += count;
    } else {
      groups.set(key, { key, label: key, exact: null, value, before: null, count });
    }
  }
  return [...groups.values()].sort((a, b) => largestFirst(a.value, b.value));
}

function largestFirst(a: Numeric | null, b: Numeric | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compare(b, a);
}

/** Both periods side by side; groups that only have earlier costs are last. */
export function joined(now: readonly Group[], before: readonly Group[] | null): Group[] {
  if (!before) return [...now];
  const earlier = new Map(before.map((group) => [group.key, group]));
  const both = now.map((group) => ({ ...group, before: earlier.get(group.key)?.value ?? null }));
  const present = new Set(now.map((group) => group.key));
  const ended = before.filter((group) => !present.has(group.key));
  return [...both, ...ended.map((group) => ({ ...group, value: null, before: group.value, count: 0 }))];
}

export function named(groups: readonly Group[], by: Dimension, names: ReadonlyMap<string, Name>): Group[] {
  return groups.map((group) => {
    if (group.key === '') return { ...group, label: absentName(by) };
    const name = names.get(group.key);
    return { ...group, label: name?.label || group.key, exact: name?.exact ?? null };
  });
}

/** The sum of the groups beyond the limit, so that rows add up to their total; null if all are loaded. */
export function restOf(groups: readonly Group[], total: Numeric | null, before: Numeric | null): Group | null {
  if (groups.length < groupLimit) return null;
  const left = (whole: Numeric | null, parts: (Numeric | null)[]) =>
    whole === null ? null : subtract(whole, sum(parts));
  return {
    key: '',
    label: 'All others',
    exact: null,
    value: left(
      total,
      groups.map((group) => group.value),
    ),
    before: left(
      before,
      groups.map((group) => group.before),
    ),
    count: 0,
  };
}
