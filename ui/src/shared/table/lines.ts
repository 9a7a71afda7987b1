import { sortRows } from './column';
import type { Column, Sort } from './column';

/** A row as a table draws it. The same object for as long as the rows stay: a line that is not changed is not drawn anew. */
export interface TableLine<Row> {
  id: string;
  row: Row;
  /** 0 for a row of the list, 1 for a child of one. */
  depth: number;
}

/** Lines of rows at the same depth. */
export function linesOf<Row>(rows: readonly Row[], rowId: (row: Row) => string, depth = 0): TableLine<Row>[] {
  return rows.map((row) => ({ id: rowId(row), row, depth }));
}

/** The sorted lines. Missing values are last, and the sort is stable. */
export function sortLines<Row>(
  columns: readonly Column<Row>[],
  lines: readonly TableLine<Row>[],
  sort: Sort,
): TableLine<Row>[] {
  if (sort.length === 0) return [...lines];
  const of = columns.map((column) => ({ ...column, value: (line: TableLine<Row>) => column.value(line.row) }));
  return sortRows(of as Column<TableLine<Row>>[], lines, sort);
}

/** Each line with the lines of its children below it, where it is expanded. */
export function withChildren<Row>(
  lines: readonly TableLine<Row>[],
  expanded: ReadonlySet<string> | undefined,
  childrenOf: (line: TableLine<Row>) => readonly TableLine<Row>[],
): TableLine<Row>[] {
  if (!expanded?.size) return [...lines];
  return lines.flatMap((line) =>
    expanded.has(line.id) ? [line, ...withChildren(childrenOf(line), expanded, childrenOf)] : [line],
  );
}

/**
 * The sorting after a press on the head of a column: numbers begin descending, a second press turns it round. `adds` keeps the other keys, and puts
 * this one behind them.
 */
export function sortAfterPress<Row>(column: Column<Row>, sort: Sort, adds: boolean): Sort {
  const { id } = column;
  const now = sort.find((key) => key.id === id);
  const next = { id, desc: now ? !now.desc : column.kind === 'number' };
  if (adds && !now) return [...sort, next];
  // The last key is reversed in place.
  if (now && (adds || sort.at(-1) === now)) return sort.map((key) => (key === now ? next : key));
  return [next];
}

/** The lines from one to another, both included, in either order; only the last one if the first is missing. */
export function rangeTo<Row>(
  lines: readonly TableLine<Row>[],
  from: string | null,
  to: string | undefined,
): readonly TableLine<Row>[] {
  const last = lines.findIndex(({ id }) => id === to);
  if (last < 0) return [];
  const first = lines.findIndex(({ id }) => id === from);
  return first < 0 ? lines.slice(last, last + 1) : lines.slice(Math.min(first, last), Math.max(first, last) + 1);
}
