import type { ReactNode } from 'react';
import { compare } from '../decimal';
import type { Numeric } from '../decimal';
import { dateOf } from '../format/date';
import { compareNames } from '../format/names';

/** Room for "30 Nov 2026", and for "30 Nov 2026, 21:31", with the space around it, px: what is of another year is told with the year. */
export const dayWidth = 106;
export const timeWidth = 154;

type Times = readonly (string | null | undefined)[] | undefined;

const isOfAnotherYear = (times: Times, now: Date) =>
  times?.some((time) => time && dateOf(time, now).length > '30 Nov'.length);

/** The room of a column of days in a crowded table: that of the year only where one of them is of another. */
export function dayRoom(times: Times, now: Date): { width: number; least?: number } {
  return isOfAnotherYear(times, now) ? { width: dayWidth } : { width: 90, least: 78 };
}

/** The same of days with their times. */
export function timeRoom(times: Times, now: Date): { width: number; least?: number } {
  return isOfAnotherYear(times, now) ? { width: timeWidth } : { width: 124, least: 108 };
}

/** One column of a table. `value` is sorted and exported; `cell` is shown if it differs. */
export interface Column<Row> {
  id: string;
  header: string;
  value: (row: Row) => Numeric | null | undefined;
  cell?: (row: Row) => ReactNode;
  /** Numbers are right-aligned, compared as exact decimals and sorted descending first. */
  kind?: 'text' | 'number';
  /** In px; one column without a width takes the remaining space. */
  width?: number;
  /** Down to so many px, where the table would not fit otherwise. */
  least?: number;
  /** The content of the totals row. */
  total?: ReactNode;
  sortable?: boolean;
  /** The header is for screen readers only: a column of icons. */
  hideHeader?: boolean;
  /** The exported cell; null excludes the column from exports. */
  csv?: ((row: Row) => Numeric | null | undefined) | null;
}

/** Sorting as stored in the address; the first key has priority. */
export type Sort = { id: string; desc: boolean }[];

/** "-cost,name" of a sorting, for search parameters. */
export function sortToText(sort: Sort): string {
  return sort.map(({ id, desc }) => (desc ? `-${id}` : id)).join(',');
}

export function sortFromText(text: string | undefined): Sort {
  return (text ?? '')
    .split(',')
    .filter(Boolean)
    .map((part) => (part.startsWith('-') ? { id: part.slice(1), desc: true } : { id: part, desc: false }));
}

/** Two values of a column in ascending order; numbers by their exact value, times as they follow, texts as people sort them. */
export function compareCells(kind: 'text' | 'number', a: Numeric, b: Numeric): number {
  if (kind === 'number') return compare(a, b);
  const [x, y] = [String(a), String(b)];
  // People sort "9" before "10"; of the parts of a second, ".9" is after ".10".
  if (isTime.test(x) && isTime.test(y)) return x < y ? -1 : Number(x > y);
  return compareNames(x, y);
}

/** A time as the service writes it: parts of a second without zeros at the end. */
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The rows sorted as in the table, for exports. Missing values are last. */
export function sortRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], sort: Sort): Row[] {
  const keys = sort.flatMap(({ id, desc }) => {
    const column = columns.find((candidate) => candidate.id === id);
    return column ? [{ desc, kind: column.kind ?? 'text', value: column.value }] : [];
  });
  if (keys.length === 0) return [...rows];
  // Each value is read once: sorting a long list compares every row many times.
  const valued = rows.map((row) => ({ row, values: keys.map(({ value }) => value(row) ?? null) }));
  valued.sort((a, b) => {
    for (const [at, { desc, kind }] of keys.entries()) {
      const [x, y] = [a.values[at] ?? null, b.values[at] ?? null];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
        continue;
      }
      const order = compareCells(kind, x, y);
      if (order !== 0) return desc ? -order : order;
    }
    return 0;
  });
  return valued.map(({ row }) => row);
}
