import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { Button, DataTable, Empty, count, money, range, sortFromText, sortToText, useNarrow, useNow } from '@/shared';
import type { DayRange } from '@/shared';
import { columnsFor, costId } from './columns';
import { added } from './row';
import type { Billed, Row } from './row';

interface ListProps {
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  /** How many there are, those beyond the limit included. */
  found: number;
  error: Error | null;
  retry: () => unknown;
  /** The days costs are told of; null where there are no costs. */
  days: DayRange | null;
  billed: Billed | undefined;
  costsError: Error | null;
  /** Whether a filter or a search leaves rows out. */
  narrowed: boolean;
  openId: string | null;
  onOpen: (row: Row) => void;
  /** As it stands in the address. */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  onClear: () => void;
}

/** The list: what there is, where it is, what was billed for it. */
export function List(props: ListProps) {
  const { rows, found, days, billed, costsError, narrowed, openId } = props;
  const narrow = useNarrow();
  const now = useNow();
  const totals = useMemo(() => added((rows ?? []).map((row) => row.costs)), [rows]);
  const currencies = useMemo(() => billed?.currencies ?? [], [billed]);
  const columns = useMemo(
    () => columnsFor(narrow ? 'narrow' : openId !== null ? 'beside' : 'wide', currencies, totals, now),
    [narrow, openId, currencies, totals, now],
  );
  const usual = currencies[0] === undefined ? 'name' : `-${costId(currencies[0])}`;
  const sort = sortFromText(props.sort ?? usual).filter(({ id }) => columns.some((column) => column.id === id));
  const several = currencies.length > 1;
  const without = billed?.of.get('');
  return (
    <>
      <p className="sums num" role="status">
        <span>
          <b>{count(found)}</b> {found === 1 ? 'resource' : 'resources'}
        </span>
        {days && billed && (
          <span className="hide-n">
            {[...totals].map(([currency, amount]) => (
              <b key={currency}>{money(amount, currency || null, { several })} </b>
            ))}
            billed {range(days.from, days.to)}
          </span>
        )}
        {!narrowed && without && (
          <span className="hide-n muted">
            {[...without].map(([currency, amount]) => money(amount, currency || null, { several })).join(', ')} more
            names no resource
          </span>
        )}
        {rows && found > rows.length && (
          <span>The {count(rows.length)} seen last are listed and added up; filter to see others</span>
        )}
        {billed && !billed.isWhole && (
          <span className="bad">
            There are more amounts than are read at once: some resources stand without theirs, and sums lack them
          </span>
        )}
        {costsError && <span className="bad">Costs could not be read: {costsError.message}</span>}
      </p>
      <div className="list">
        <DataTable
          label="Resources"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          error={props.error}
          retry={props.retry}
          rowHeight={46}
          primary
          fill
          openId={openId}
          onOpen={props.onOpen}
          sort={sort}
          onSort={(next) => {
            props.onSort(sortToText(next) === usual ? undefined : sortToText(next));
          }}
          empty={
            narrowed && (
              <Empty
                icon={SearchX}
                title="No resource matches"
                action={<Button onClick={props.onClear}>Clear filters</Button>}
              >
                The search and the filters leave none.
              </Empty>
            )
          }
        />
      </div>
    </>
  );
}
