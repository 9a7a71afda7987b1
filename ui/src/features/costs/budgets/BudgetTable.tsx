import { DataTable, Empty, Status, money, range, ratio, share, useToday } from '@/shared';
import type { Column } from '@/shared';
import { Target } from 'lucide-react';
import type { ReactNode } from 'react';
import { BudgetBar } from './BudgetBar';
import type { Budget } from './queries';
import { forHowLong, forecastOf, hasEnded, scopeWords, standOf } from './stand';
import { words } from './words';

/** The columns of budgets; next to an open panel, the amount is shown below the billed cost. */
export function columnsFor({
  names,
  several,
  isBeside,
  now,
}: {
  names: ReadonlyMap<string, string>;
  several: boolean;
  isBeside: boolean;
  now: Date;
}): Column<Budget>[] {
  const amount = (budget: Budget, value: Budget['spent']) => money(value, budget.currency, { several });
  const whole: Column<Budget> = {
    id: 'amount',
    header: words.columns.amount,
    kind: 'number',
    width: 108,
    value: (row) => row.amount,
    cell: (row) => amount(row, row.amount),
  };
  return [
    {
      id: 'name',
      header: words.columns.name,
      value: ({ name }) => name,
      cell: (budget) => (
        <span className="two-lines">
          <span className="cut strong">{budget.name}</span>
          <span className="cut small muted">
            {scopeWords(budget, names)}, {forHowLong(budget, now)}
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
        <span className="two-lines right" title={range(row.from, row.until, now)}>
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
      value: forecastOf,
      cell: (row) => {
        const forecast = forecastOf(row);
        const fraction = forecast === null ? null : ratio(forecast, row.amount);
        return (
          <span className="two-lines right">
            <span>{money(forecast, row.currency, { several, whole: true })}</span>
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
}

/** The columns of an export: values combined in one cell of the table have their own columns. */
export function exportedColumns(names: ReadonlyMap<string, string>, several: boolean, now: Date): Column<Budget>[] {
  const text = (id: string, value: Column<Budget>['value']): Column<Budget> => ({
    id,
    header: words.exported[id as keyof typeof words.exported],
    value,
  });
  return [
    ...columnsFor({ names, several, isBeside: false, now }),
    text('scope', (row) => scopeWords(row, names)),
    text('period', (row) => (row.period === null ? `${row.from} to ${row.until}` : words.periods[row.period])),
    text('currency', (row) => row.currency),
  ];
}

/** All budgets with billed cost and forecast. */
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
  const now = useToday();
  const columns = columnsFor({ names, several, isBeside: openId !== null, now });
  // Of periods that are over nothing is expected.
  const areOver = budgets.length > 0 && budgets.every(hasEnded);
  return (
    <DataTable
      label={words.table}
      columns={areOver ? columns.filter(({ id }) => id !== 'forecast') : columns}
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
