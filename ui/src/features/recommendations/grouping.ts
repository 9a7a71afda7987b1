import type { Numeric } from '@/shared';
import { fields, savingsOf } from './row';
import type { Row } from './row';

/** Recommendations that one change settles, or that one person is on. */
export interface Group {
  value: string;
  name: string;
  count: number;
  /** Per month, by currency. */
  savings: [string, Numeric][];
}

/** One group per value of a field, in order of appearance. */
export function groupsOf(rows: readonly Row[], by: 'change' | 'owner'): Group[] {
  const { value, name } = fields[by];
  const found = new Map<string, { name: string; rows: Row[] }>();
  for (const row of rows) {
    const entry = found.get(value(row)) ?? { name: name(row), rows: [] };
    entry.rows.push(row);
    found.set(value(row), entry);
  }
  return [...found].map(([of, entry]) => ({
    value: of,
    name: entry.name,
    count: entry.rows.length,
    savings: savingsOf(entry.rows),
  }));
}
