import { Circle, CircleCheck, CircleSlash, CircleUser, LoaderCircle, SearchX } from 'lucide-react';
import { Button, DataTable, Empty, Keys, Severity, age, count, estimate, isZero, money, useNow } from '@/shared';
import type { Column, Sort } from '@/shared';
import { savingsOf, statusName } from './row';
import type { Row } from './row';
import type { RecommendationsSearch } from './search';
import { sortValue } from './sorted';
import { useNarrow } from './useNarrow';

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
  onClear: () => void;
}

/** The list: what can be saved, how much, where it stands. */
export function List({ rows, narrowed, show, openId, onOpen, sort, onSort, selected, onSelect, onClear }: ListProps) {
  const narrow = useNarrow();
  const savings = savingsOf(rows);
  const several = savings.length > 1;
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
          columns={useColumns(narrow ? 'narrow' : openId ? 'beside' : 'wide', several)}
          rows={rows}
          rowId={(row) => row.id}
          rowHeight={46}
          primary
          fill
          openId={openId}
          onOpen={onOpen}
          sort={sort}
          onSort={onSort}
          {...(narrow ? {} : { selected, onSelect })}
          bulk={(chosen) => <Sum rows={chosen} />}
          empty={
            narrowed ? (
              <Empty
                icon={SearchX}
                title="No recommendation matches"
                action={<Button onClick={onClear}>Clear filters</Button>}
              >
                The filters leave none of the {show ?? 'open'} recommendations.
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

/** What the selected rows would save together. */
function Sum({ rows }: { rows: readonly Row[] }) {
  const savings = savingsOf(rows);
  if (savings.length === 0) return null;
  return (
    <span className="num">
      {savings
        .map(([currency, amount]) => estimate(amount, currency || null, { several: savings.length > 1 }))
        .join(', ')}{' '}
      per month
    </span>
  );
}

function useColumns(room: 'wide' | 'beside' | 'narrow', several: boolean): Column<Row>[] {
  const now = useNow();
  const of = (id: string) => (row: Row) => sortValue[id]?.(row) ?? null;
  const severity: Column<Row> = {
    id: 'severity',
    header: '',
    kind: 'number',
    width: 44,
    sortable: false,
    value: of('severity'),
    cell: (row) => row.severity && <Severity value={row.severity} iconOnly />,
  };
  const title: Column<Row> = {
    id: 'title',
    header: 'Recommendation',
    value: of('title'),
    cell: (row) => (
      <>
        <div className="cut t" title={row.title}>
          {row.title}
        </div>
        <div className="cut small muted">
          {row.resource}
          <span className="faint">, {row.account}</span>
        </div>
      </>
    ),
  };
  const savings: Column<Row> = {
    id: 'savings',
    header: 'Monthly',
    kind: 'number',
    width: 104,
    value: of('savings'),
    cell: (row) =>
      row.savings === null || isZero(row.savings) ? (
        <span className="faint">{row.savings === null ? '–' : money(0, row.currency || null, { several })}</span>
      ) : (
        <b>{money(row.savings, row.currency || null, { several })}</b>
      ),
  };
  const status: Column<Row> = {
    id: 'status',
    header: 'State',
    width: 124,
    value: of('status'),
    cell: (row) => <State row={row} />,
  };
  if (room === 'narrow') return [severity, title, savings];
  if (room === 'beside') return [severity, title, savings, status];
  return [
    severity,
    title,
    { id: 'reason', header: 'Reason', width: 232, value: of('reason') },
    {
      id: 'category',
      header: 'Category',
      width: 148,
      value: of('category'),
      cell: (row) => <span className="badge">{row.category}</span>,
    },
    savings,
    {
      id: 'found',
      header: 'Found',
      width: 116,
      value: of('found'),
      cell: (row) => <span title={row.stored.created_at}>{age(row.stored.created_at, now)}</span>,
    },
    status,
  ];
}

const marks = {
  Assigned: { tone: 'info', Icon: CircleUser },
  InProgress: { tone: 'info', Icon: LoaderCircle },
  Closed: { tone: 'ok', Icon: CircleCheck },
  Dismissed: { tone: 'off', Icon: CircleSlash },
} as const;

/** Where it stands, as icon and word. */
export function State({ row }: { row: Row }) {
  const { tone, Icon } = marks[row.status as keyof typeof marks] ?? { tone: 'off', Icon: Circle };
  return (
    <span className={`st ${tone}`}>
      <Icon className="i" />
      {statusName(row.status)}
    </span>
  );
}
