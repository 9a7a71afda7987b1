import type { Column } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';

/** The head of one column: a button that sorts, with `aria-sort` and an arrow. */
export function Head<Row>({
  column,
  title,
  number,
  hidden = false,
  stacked = false,
}: {
  column: Column<Row>;
  title: string;
  number: boolean;
  /** For screen readers only. */
  hidden?: boolean;
  /** Its table is no table to the browser there, and says itself what its parts are. */
  stacked?: boolean;
}) {
  const sorted = column.getIsSorted();
  return (
    <th
      scope="col"
      {...(stacked ? { role: 'columnheader' } : {})}
      className={number ? 'n' : ''}
      data-title={title}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
    >
      {column.getCanSort() ? (
        <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
          {title} {sorted === 'asc' && <ArrowUp className="i" />}
          {sorted === 'desc' && <ArrowDown className="i" />}
        </button>
      ) : (
        <span className={hidden ? 'sr' : ''}>{title}</span>
      )}
    </th>
  );
}
