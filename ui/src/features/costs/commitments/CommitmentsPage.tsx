import { Link, getRouteApi } from '@tanstack/react-router';
import { BadgePercent, Info } from 'lucide-react';
import { useExtent, useGraphQL } from '@/api';
import {
  Content,
  DataTable,
  DateRangePicker,
  Empty,
  Page,
  Panel,
  Status,
  addDays,
  date,
  money,
  plural,
  range,
  share,
  useNow,
  toDay,
  useToday,
  Tile,
} from '@/shared';
import type { Column, DayRange, Numeric } from '@/shared';
import { NoCosts } from '../NoCosts';
import { endOf } from './end';
import { Propose } from './Propose';
import { Commitments } from './queries';
import type { Commitment, Totals } from './queries';
import { commitmentsSearch } from './search';
import { words } from './words';
import './commitments.css';

const route = getRouteApi('/costs/commitments');

/** Utilisation and savings of reservations and savings plans. */
export function CommitmentsPage() {
  const extent = useExtent();
  if (extent.data?.days) return <Days extent={extent.data.days} />;
  return (
    <Page title={words.title} crumb={words.crumb}>
      <Panel label={words.table}>
        <Content of={extent} what={words.failed}>
          {() => <NoCosts />}
        </Content>
      </Panel>
    </Page>
  );
}

function Days({ extent }: { extent: DayRange }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const last30 = { from: addDays(extent.to, -29), to: extent.to };
  const shown = search.from && search.to ? { from: search.from, to: search.to } : last30;
  const found = useGraphQL(Commitments, shown);
  const put = (to: Record<string, string | undefined>) => {
    void navigate({ search: (before) => commitmentsSearch({ ...before, ...to }), replace: true });
  };
  return (
    <Page
      title={words.title}
      crumb={words.crumb}
      filters={
        <DateRangePicker
          value={shown}
          today={toDay(today)}
          extent={extent}
          onChange={(to) => {
            put({ from: to.from, to: to.to });
          }}
        />
      }
    >
      <Content of={found} what={words.failed} lines={6}>
        {({ spend_commitments: answer }) => {
          const rows = answer?.rows ?? [];
          const totals = answer?.totals_by_currency ?? [];
          return (
            <div className="stack commitments">
              {totals.slice(0, 3).map((one) => (
                <Tiles key={one.currency ?? ''} totals={one} days={shown} several={totals.length > 1} />
              ))}
              <Panel title={words.table} meta={range(shown.from, shown.to, today)}>
                <List rows={rows} day={extent.to} several={totals.length > 1} />
              </Panel>
              <Propose search={search} asOf={extent.to} onChange={put} />
            </div>
          );
        }}
      </Content>
    </Page>
  );
}

const fraction = (value: Numeric | null) => (value === null ? '–' : share(Number(value)));

/** The figures of one currency. */
function Tiles({ totals, days, several }: { totals: Totals; days: DayRange; several: boolean }) {
  const today = useToday();
  const { currency } = totals;
  const amount = (value: Numeric) => money(value, currency, { whole: true, several });
  const left = Number(totals.left_out_charges);
  return (
    <>
      <section className="kpis commitments-kpis" aria-label={`${words.title}, ${currency ?? ''}`}>
        <Tile
          label={words.tiles.rate}
          title={`${words.tiles.rateHelp} ${words.tiles.rateFrom(amount(totals.negotiated_savings), amount(totals.commitment_savings))}`}
          value={fraction(totals.effective_savings_rate)}
        >
          {totals.effective_savings_rate === null
            ? words.tiles.noRate
            : words.tiles.rateOf(amount(totals.list_cost), amount(totals.effective_cost))}
        </Tile>
        <Tile label={words.tiles.utilization} title={words.utilizationHelp} value={fraction(totals.utilization)}>
          {totals.utilization === null ? words.tiles.noUse : words.tiles.ofDays(range(days.from, days.to, today))}
        </Tile>
        <Tile label={words.tiles.unused} title={words.tiles.unusedHelp} value={amount(totals.unused_cost)}>
          {words.tiles.ofDays(range(days.from, days.to, today))}
        </Tile>
        <Tile label={words.tiles.coverage} title={words.tiles.coverageHelp} value={fraction(totals.coverage)}>
          {words.tiles.ofDays(range(days.from, days.to, today))}
        </Tile>
      </section>
      {left > 0 && (
        <div className="note" role="status">
          <Info className="i" />
          <div className="grow muted">
            {words.leftOut(plural(left, 'charge'), money(totals.left_out_effective_cost, currency, { several }))}
          </div>
        </div>
      )}
    </>
  );
}

function List({ rows, day, several }: { rows: readonly Commitment[]; day: string; several: boolean }) {
  const amount = (row: Commitment, value: Numeric) => money(value, row.currency, { several });
  const columns: Column<Commitment>[] = [
    {
      id: 'name',
      header: words.columns.name,
      value: (row) => row.name ?? row.commitment_id,
      cell: (row) => (
        <span className="two-lines" title={row.commitment_id}>
          <span className="cut strong">{row.name ?? row.commitment_id}</span>
          {row.name !== null && <span className="cut small muted mono">{row.commitment_id}</span>}
        </span>
      ),
    },
    { id: 'type', header: words.columns.type, width: 160, value: (row) => row.type },
    {
      id: 'utilization',
      header: words.columns.utilization,
      kind: 'number',
      width: 96,
      value: (row) => row.utilization,
      cell: (row) => <span title={words.utilizationHelp}>{fraction(row.utilization)}</span>,
    },
    {
      id: 'coverage',
      header: words.columns.coverage,
      kind: 'number',
      width: 96,
      value: (row) => row.coverage,
      cell: (row) => <span title={words.coverageHelp}>{fraction(row.coverage)}</span>,
    },
    {
      id: 'used',
      header: words.columns.used,
      kind: 'number',
      width: 130,
      value: (row) => row.used_cost,
      cell: (row) => amount(row, row.used_cost),
    },
    {
      id: 'unused',
      header: words.columns.unused,
      kind: 'number',
      width: 130,
      value: (row) => row.unused_cost,
      cell: (row) => amount(row, row.unused_cost),
    },
    {
      id: 'expires',
      header: words.columns.expires,
      width: 200,
      least: 144,
      value: (row) => row.expires_on,
      cell: (row) => <Ends end={row.expires_on} day={day} />,
    },
  ];
  return (
    <DataTable
      label={words.table}
      columns={columns}
      rows={rows}
      rowId={(row) => `${row.currency ?? ''} ${row.commitment_id}`}
      rowHeight={46}
      defaultSort={[{ id: 'unused', desc: true }]}
      empty={
        <Empty
          icon={BadgePercent}
          title={words.none}
          action={
            <Link to="/imports" className="btn">
              Import cost files
            </Link>
          }
        >
          {words.noneHelp}
        </Empty>
      }
      primary
    />
  );
}

/** The end of a term, relative to the last day with costs. */
function Ends({ end, day }: { end: string | null; day: string }) {
  const now = useNow();
  if (end === null) return <span className="faint">{words.ends.unknown}</span>;
  const { days, tone } = endOf(end, day);
  const text = days > 0 ? `${date(end, now)}, ${words.ends.in(plural(days, 'day'))}` : words.ends.over;
  return tone ? <Status tone={tone}>{text}</Status> : <span>{text}</span>;
}
