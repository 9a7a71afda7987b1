import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Column, Sort } from './column';

/** The head of one column: a button that sorts, with `aria-sort` and an arrow. */
export function Head<Row>({
  column,
  sort,
  onPress,
  stacked = false,
}: {
  column: Column<Row>;
  sort: Sort;
  /** Called with whether the other sort keys are kept. */
  onPress: (adds: boolean) => void;
  /** Browsers do not treat a stacked table as a table, so it sets the roles itself. */
  stacked?: boolean;
}) {
  const { header: title, kind, sortable = true, hideHeader = false } = column;
  const key = sort.find(({ id }) => id === column.id);
  return (
    <th
      scope="col"
      {...(stacked ? { role: 'columnheader' } : {})}
      className={kind === 'number' ? 'n' : ''}
      data-title={title}
      aria-sort={key && (key.desc ? 'descending' : 'ascending')}
    >
      {sortable ? (
        <button
          type="button"
          className="sort"
          onClick={(event) => {
            onPress(event.shiftKey);
          }}
        >
          {title} {key?.desc === false && <ArrowUp className="i" />}
          {key?.desc && <ArrowDown className="i" />}
        </button>
      ) : (
        <span className={hideHeader ? 'sr' : ''}>{title}</span>
      )}
    </th>
  );
}
