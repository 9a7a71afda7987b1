import { useMemo } from 'react';
import { sortToText } from './column';
import type { Column, Sort } from './column';
import { linesOf, sortLines, withChildren } from './lines';
import type { TableLine } from './lines';

/**
 * The lines of a table in the order in which they stand. They are sorted when the rows or the sorting change, not with every drawing: a page makes its
 * columns anew each time.
 */
export function useLines<Row>(
  {
    columns,
    rows,
    rowId,
    isSorted,
    childrenOf,
    expanded,
  }: {
    columns: readonly Column<Row>[];
    rows: readonly Row[] | undefined;
    rowId: (row: Row) => string;
    /** Whether the service has sorted the rows. */
    isSorted: boolean;
    childrenOf: ((row: Row) => readonly Row[] | undefined) | undefined;
    expanded: ReadonlySet<string> | undefined;
  },
  sort: Sort,
): readonly TableLine<Row>[] {
  const key = isSorted ? '' : sortToText(sort);
  /* eslint-disable react-hooks/exhaustive-deps -- Functions and columns are made anew with every drawing, and say the same of the same rows. */
  const lines = useMemo(() => linesOf(rows ?? [], rowId), [rows]);
  const sorted = useMemo(() => (key === '' ? lines : sortLines(columns, lines, sort)), [lines, key]);
  const below = useMemo(
    () =>
      remembered((line: TableLine<Row>) =>
        sortLines(columns, linesOf(childrenOf?.(line.row) ?? [], rowId, line.depth + 1), sort),
      ),
    [sorted, childrenOf],
  );
  /* eslint-enable react-hooks/exhaustive-deps */
  return useMemo(() => withChildren(sorted, expanded, below), [sorted, expanded, below]);
}

/** Answers the same for the same line: the children of one that stays are not drawn anew when another one is expanded. */
function remembered<Line extends object, Answer>(find: (line: Line) => Answer): (line: Line) => Answer {
  const known = new Map<Line, Answer>();
  return (line) => {
    const found = known.get(line) ?? find(line);
    known.set(line, found);
    return found;
  };
}
