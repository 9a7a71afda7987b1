import { DataTable, Empty, Status, money, range, ratio, share } from '@/shared';
import type { Column } from '@/shared';
import { Target } from 'lucide-react';
import type { ReactNode } from 'react';
import { BudgetBar } from './BudgetBar';
import type { Budget } from './queries';
import { scopeWords, standOf } from './stand';
import { words } from './words';

/** Every budget with what was billed and what is expected of it. */
export function BudgetTable({
  budgets,
  names,
  several,
  openId,
  onOpen,
  empty,
}: {
  budgets: readonly Budget[];
  /** Names of accounts by their ids. */
  names: ReadonlyMap<string, string>;
  several: boolean;
  openId: string | null;
  onOpen: (budget: Budget) => void;
  empty: ReactNode;
}) {
  const amount = (budget: Budget, value: Budget['spent']) => money(value, budget.currency, { several });
  // Beside an open budget the amount stands under what was billed of it.
  const isBeside = openId !== null;
  const whole: Column<Budget> = {
    id: 'amount',
    header: words.columns.amount,
    kind: 'number',
    width: 108,
    value: (row) => row.amount,
    cell: (row) => amount(row, row.amount),
  };
  const columns: Column<Budget>[] = [
    {
      id: 'name',
      header: words.columns.name,
      value: ({ name }) => name,
      cell: (budget) => (
        <span className="two-lines">
          <span className="cut strong">{budget.name}</span>
          <span className="cut small muted">
            {scopeWords(budget, names)}, {words.per[budget.period]}
          </span>
        </span>
      ),
    },
    ...(isBeside ? [] : [whole]),
    {
      id: 'spent',
      header: words.columns.actual,
      kind: 'number',
      width: 108,
      value: (row) => row.spent,
      cell: (row) => (
        <span className="two-lines right" title={range(row.from, row.until)}>
          <span>{amount(row, row.spent)}</span>
          {isBeside && <span className="small faint">of {amount(row, row.amount)}</span>}
        </span>
      ),
    },
    {
      id: 'bar',
      header: words.columns.bar,
      width: 200,
      least: 112,
      sortable: false,
      value: () => null,
      csv: null,
      cell: (row) => <BudgetBar budget={row} />,
    },
    {
      id: 'forecast',
      header: words.columns.forecast,
      kind: 'number',
      width: 96,
      value: (row) => row.forecast,
      cell: (row) => {
        const fraction = row.forecast === null ? null : ratio(row.forecast, row.amount);
        return (
          <span className="two-lines right">
            <span>{money(row.forecast, row.currency, { several, whole: true })}</span>
            {fraction !== null && <span className={fraction > 1 ? 'small up' : 'small faint'}>{share(fraction)}</span>}
          </span>
        );
      },
    },
    {
      id: 'state',
      header: words.columns.state,
      width: 184,
      value: (row) => standOf(row, several).text,
      cell: (row) => {
        const { tone, text } = standOf(row, several);
        return (
          <span title={row.message ?? undefined}>
            <Status tone={tone}>{text}</Status>
          </span>
        );
      },
    },
  ];
  return (
    <DataTable
      label={words.table}
      columns={columns}
      rows={budgets}
      rowId={(row) => row.budget_id}
      rowHeight={46}
      openId={openId}
      onOpen={onOpen}
      empty={empty}
      primary
    />
  );
}

export function NoBudgets({ action }: { action: ReactNode }) {
  return (
    <Empty icon={Target} title={words.none} action={action}>
      {words.noneHelp}
    </Empty>
  );
}
