import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import {
  Button,
  DataTable,
  Empty,
  count,
  money,
  range,
  sortFromText,
  sortToText,
  useNarrow,
  useNow,
  usePrinting,
} from '@/shared';
import type { DayRange } from '@/shared';
import { columnsFor } from './columns';
import type { Costs, Row } from './row';
import type { usePages } from './usePages';

interface ListProps {
  pages: ReturnType<typeof usePages>;
  /** Identifies the list; another list starts at its top. */
  of: string;
  /** How many resources there are, on all pages; undefined while loading. */
  found: number | undefined;
  /** False while results of the previous search are shown. */
  isCurrent: boolean;
  error: Error | null;
  retry: () => unknown;
  /** The days of the costs; null without costs. */
  days: DayRange | null;
  /** Billed cost of all found resources. */
  totals: Costs | undefined;
  /** The currencies there are, the one with most charges first. */
  currencies: readonly string[];
  /** Billed cost without a resource. */
  unassigned: Costs;
  costsError: Error | null;
  /** Whether a filter or a search leaves rows out. */
  narrowed: boolean;
  openId: string | null;
  onOpen: (row: Row) => void;
  /** The sorting in the address, and the default one. */
  sort: string | undefined;
  usualSort: string;
  onSort: (sort: string | undefined) => void;
  onClear: () => void;
}

const none: Costs = new Map();
const noRows: readonly Row[] = [];

/** The list of resources with account and billed cost. */
export function List(props: ListProps) {
  const { pages, found, days, totals, currencies, costsError, narrowed, openId, usualSort } = props;
  const narrow = useNarrow();
  const now = useNow();
  const isPrinting = usePrinting();
  const room = isPrinting ? 'paper' : narrow ? 'narrow' : openId !== null ? 'beside' : 'wide';
  const columns = useMemo(() => columnsFor(room, currencies, totals ?? none, now), [room, currencies, totals, now]);
  const sort = sortFromText(props.sort ?? usualSort).slice(0, 1);
  const several = currencies.length > 1;
  const amounts = (costs: Costs) =>
    [...costs].map(([currency, amount]) => money(amount, currency || null, { several }));
  // While a distant part loads, the list keeps its length and scroll position.
  const isMissing = found === undefined || !props.isCurrent || (pages.rows === undefined && pages.error !== null);
  const rows = isMissing ? undefined : (pages.rows ?? noRows);
  return (
    <>
      <p className="sums num" role="status">
        {found !== undefined && (
          <span>
            <b>{count(found)}</b> {found === 1 ? 'resource' : 'resources'}
          </span>
        )}
        {days && totals && (
          <span className="hide-n">
            {amounts(totals).map((amount) => (
              <b key={amount}>{amount} </b>
            ))}
            billed {range(days.from, days.to, now)}
          </span>
        )}
        {!narrowed && props.unassigned.size > 0 && (
          <span className="hide-n muted">{amounts(props.unassigned).join(', ')} more without a resource</span>
        )}
        {costsError && <span className="bad">Costs could not be read: {costsError.message}</span>}
        {rows && pages.error && (
          <span className="bad">
            Some rows could not be read: {pages.error.message}{' '}
            <Button size="small" onClick={pages.retry}>
              Try again
            </Button>
          </span>
        )}
      </p>
      <div className="list">
        <DataTable
          label="Resources"
          columns={columns}
          rows={rows}
          paged={{ of: props.of, total: found ?? 0, first: pages.first, onView: pages.onView }}
          rowId={(row) => row.id}
          error={props.error ?? pages.error}
          retry={() => {
            props.retry();
            pages.retry();
          }}
          rowHeight={46}
          primary
          fill
          openId={openId}
          onOpen={props.onOpen}
          sort={sort}
          onSort={(next) => {
            const text = sortToText(next);
            props.onSort(text === usualSort ? undefined : text);
          }}
          empty={
            narrowed && (
              <Empty
                icon={SearchX}
                title="No resource matches"
                action={<Button onClick={props.onClear}>Clear filters</Button>}
              >
                Try another search or other filters.
              </Empty>
            )
          }
        />
      </div>
    </>
  );
}
