import { CircleCheck, SearchX } from 'lucide-react';
import { Button, DataTable, Empty, Keys, count, estimate, isZero, useNarrow, useNow } from '@/shared';
import type { Sort } from '@/shared';
import type { Kind } from './act';
import { Bulk } from './Bulk';
import { columnsFor } from './columns';
import { savingsOf } from './row';
import type { Row } from './row';
import type { RecommendationsSearch } from './search';
import type { Acts } from './useActs';

interface ListProps {
  /** Filtered and sorted. */
  rows: readonly Row[];
  /** Whether a filter or a search leaves rows out. */
  narrowed: boolean;
  show: RecommendationsSearch['show'];
  openId: string | null;
  onOpen: (row: Row) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onClear: () => void;
}

/** The list of recommendations with saving and state. */
export function List({ rows, narrowed, show, openId, onOpen, sort, onSort, onClear, ...props }: ListProps) {
  const { selected, onSelect } = props;
  const narrow = useNarrow();
  const now = useNow();
  const savings = savingsOf(rows);
  const several = savings.length > 1;
  const room = narrow ? 'narrow' : openId ? 'beside' : 'wide';
  const columns = columnsFor(room, several, now);
  const without = rows.filter((row) => row.savings === null || isZero(row.savings)).length;
  return (
    <>
      <p className="sums num" role="status">
        {savings.map(([currency, amount]) => (
          <span key={currency}>
            <b>{estimate(amount, currency || null, { several })}</b> per month
          </span>
        ))}
        <span>
          <b>{count(rows.length)}</b> {show ?? 'open'}
        </span>
        {without > 0 && (
          <span className="hide-n">
            <b>{count(without)}</b> without a saving
          </span>
        )}
        <span className="end small row hide-n">
          <Keys keys="j" />
          <Keys keys="k" /> next, previous
        </span>
      </p>
      <div className="list">
        <DataTable
          label="Recommendations"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          rowHeight={46}
          primary
          fill
          openId={openId}
          onOpen={onOpen}
          sort={sort.filter(({ id }) => columns.some((column) => column.id === id && column.sortable !== false))}
          onSort={onSort}
          {...(narrow ? {} : { selected, onSelect })}
          bulk={(chosen) => (
            <Bulk
              rows={chosen}
              acts={props.acts}
              onAct={props.onAct}
              onClear={() => {
                onSelect(new Set());
              }}
            />
          )}
          empty={
            narrowed ? (
              <Empty
                icon={SearchX}
                title="No recommendation matches"
                action={<Button onClick={onClear}>Clear filters</Button>}
              >
                The filters hide all {show ?? 'open'} recommendations.
              </Empty>
            ) : (
              <Empty icon={CircleCheck} title={`No ${show ?? 'open'} recommendations`} />
            )
          }
        />
      </div>
    </>
  );
}
