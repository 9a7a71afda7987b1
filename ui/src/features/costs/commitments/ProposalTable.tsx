import { BadgePercent } from 'lucide-react';
import { DataTable, Empty, compare, date, money, share, useNow } from '@/shared';
import type { Column, Numeric } from '@/shared';
import type { ProposalRow } from './queries';
import { linesOf } from './request';
import type { Line } from './request';
import { words } from './words';

const propose = words.propose;

const fraction = (value: Numeric | null) => (value === null ? '–' : share(Number(value)));

/** Each service, or family of a service, with a known discount: the last 30 and 60 days with and without a commitment. */
export function ProposalTable({ rows }: { rows: readonly ProposalRow[] }) {
  const now = useNow();
  const several = new Set(rows.map(({ currency }) => currency)).size > 1;
  const hasFamilies = rows.some(({ family }) => family !== null);
  const columns: Column<Line>[] = [
    {
      id: 'name',
      header: propose.columns.name,
      value: ({ row }) => row.family ?? row.service_name,
      cell: ({ row }) => (
        <span className="two-lines">
          <span className="cut strong">{row.family ?? (hasFamilies ? propose.whole : row.service_name)}</span>
          <span className="cut small muted">{propose.discountOf(fraction(row.discount), row.discount_from)}</span>
        </span>
      ),
    },
    {
      id: 'days',
      header: propose.columns.days,
      width: 76,
      value: ({ row }) => row.days,
      cell: ({ row }) => (
        <span title={`${date(row.from, now)} – ${date(row.until, now)}`}>{propose.days(Number(row.days))}</span>
      ),
    },
    {
      id: 'eligible',
      header: propose.columns.eligible,
      kind: 'number',
      width: 130,
      value: ({ row }) => row.eligible_cost,
      cell: ({ row }) => money(row.eligible_cost, row.currency, { several }),
    },
    {
      id: 'hourly',
      header: propose.columns.hourly,
      kind: 'number',
      width: 140,
      value: ({ proposal }) => proposal?.hourly,
      cell: ({ row, proposal, isOwn }) => {
        if (!proposal) return <span className="faint">{propose.noAmount}</span>;
        return (
          <span className="two-lines">
            <span className="strong">{money(proposal.hourly, row.currency, { several, rate: true })}</span>
            <span className="small muted">{isOwn ? propose.own : propose.best}</span>
          </span>
        );
      },
    },
    {
      id: 'saving',
      header: propose.columns.saving,
      kind: 'number',
      width: 130,
      value: ({ proposal }) => proposal?.saving,
      cell: (line) => <Saving line={line} several={several} />,
    },
    {
      id: 'used',
      header: propose.columns.used,
      kind: 'number',
      width: 76,
      value: ({ proposal }) => proposal?.utilization,
      cell: ({ proposal }) => <span title={words.utilizationHelp}>{fraction(proposal?.utilization ?? null)}</span>,
    },
    {
      id: 'needed',
      header: propose.columns.needed,
      kind: 'number',
      width: 76,
      value: ({ row }) => row.break_even_utilization,
      cell: ({ row }) => <span title={propose.neededHelp}>{fraction(row.break_even_utilization)}</span>,
    },
    {
      id: 'back',
      header: propose.columns.back,
      width: 150,
      least: 132,
      value: ({ proposal }) => proposal?.pays_back_on,
      cell: ({ row, proposal }) => {
        if (!proposal) return <span className="faint">–</span>;
        const amount = (value: Numeric) => money(value, row.currency, { several });
        const earned = proposal.earns_term_on === null ? propose.notEarned : date(proposal.earns_term_on, now);
        return (
          <span title={propose.backHelp(amount(proposal.term_cost), amount(proposal.upfront_cost), earned)}>
            {proposal.pays_back_on === null ? propose.never : date(proposal.pays_back_on, now)}
          </span>
        );
      },
    },
  ];
  return (
    <DataTable
      label={propose.title}
      columns={columns}
      rows={linesOf(rows)}
      rowId={(line) => line.id}
      rowHeight={46}
      empty={
        <Empty icon={BadgePercent} title={propose.none}>
          {propose.noneHelp}
        </Empty>
      }
    />
  );
}

/** The possible saving, marked as a maximum if the bill has no hours. */
function Saving({ line: { row, proposal }, several }: { line: Line; several: boolean }) {
  if (!proposal) return <>–</>;
  const hourly = Number(row.hourly_share ?? 0);
  const text = money(proposal.saving, row.currency, { several });
  const isLoss = compare(proposal.saving, 0) < 0;
  return (
    <span className={isLoss ? 'up' : undefined} title={hourly < 1 ? propose.spread(share(hourly)) : undefined}>
      {hourly < 1 && !isLoss ? `≤ ${text}` : text}
    </span>
  );
}
