import type { ReactNode } from 'react';
import type { Numeric } from '../decimal';

/** One column of a table. `value` is what is sorted and exported; `cell` is what is shown when that differs. */
export interface Column<Row> {
  id: string;
  header: string;
  value: (row: Row) => Numeric | null | undefined;
  cell?: (row: Row) => ReactNode;
  /** Numbers stand right, are compared as exact decimals and start descending. */
  kind?: 'text' | 'number';
  /** In px; one column without a width takes what is left. */
  width?: number;
  /** What stands in the totals row. */
  total?: ReactNode;
  sortable?: boolean;
  /** The exported cell; null keeps the column out of exports. */
  csv?: ((row: Row) => Numeric | null | undefined) | null;
}

/** Sorting as it is kept in the address: the first key counts most. */
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
