import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BudgetTable } from './BudgetTable';
import { BudgetTiles } from './BudgetTiles';
import { budgetForTest } from './budget.fixture';
import { forecastOf, hasEnded, standOf } from './stand';

const told = (date: string, isForecast: boolean) => ({ date, running: '100', is_forecast: isForecast });
const running = budgetForTest({ days: [told('2026-11-19', false), told('2026-11-30', true)] });
const ended = budgetForTest({ days: [told('2026-11-29', false), told('2026-11-30', false)], forecast: '4955.09' });

test('a period that has ended has no forecast: its tile says how it ended against the budget', () => {
  const { rerender } = render(<BudgetTiles budget={running} several={false} />);
  expect(screen.getByText('Forecast to 30 Nov')).toBeTruthy();

  rerender(<BudgetTiles budget={ended} several={false} />);
  expect(screen.queryByText(/forecast/i)).toBeNull();
  expect(screen.getByText('Over budget').closest('.kpi')?.textContent).toMatch(/\$455since 18 Nov/);

  rerender(<BudgetTiles budget={{ ...ended, spent: '4000.00', state: 'near', crossed_on: null }} several={false} />);
  expect(screen.getByText('Left of budget').closest('.kpi')?.textContent).toMatch(/\$500ended on 30 Nov/);
});

test('nor has it one in the table, and its state is no promise', () => {
  const table = (budgets: (typeof running)[]) => (
    <BudgetTable
      budgets={budgets}
      names={new Map()}
      several={false}
      openId={null}
      onOpen={() => undefined}
      empty={null}
    />
  );
  const { rerender } = render(table([running, { ...ended, budget_id: 'b2' }]));
  expect(screen.getByRole('columnheader', { name: /Forecast/ })).toBeTruthy();
  rerender(table([ended]));
  expect(screen.queryByRole('columnheader', { name: /Forecast/ })).toBeNull();

  expect([hasEnded(running), hasEnded(ended)]).toEqual([false, true]);
  expect([forecastOf(running), forecastOf(ended)]).toEqual(['7764', null]);
  expect(standOf({ ...ended, state: 'ok', spent: '4000' }, false).text).toBe('Within budget');
  expect(standOf({ ...ended, state: 'forecast_crossed', spent: '4000', forecast: '4000' }, false).text).toBe(
    'Within budget',
  );
});
