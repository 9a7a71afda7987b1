import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { addDays } from '@/shared';
import { budgetForTest } from './budget.fixture';
import { ForecastDerivation } from './ForecastDerivation';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** So many days at 100 each, the last of them expected. */
const days = (from: string, count: number, ahead: number) =>
  Array.from({ length: count }, (_, at) => ({
    date: addDays(from, at),
    running: String(100 * (at + 1)),
    is_forecast: at >= count - ahead,
    amount: null,
  }));

test('a forecast is what was billed and what is expected, and each day ahead names the days it is the mean of', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    asked.push((JSON.parse(String(init?.body)) as { variables: unknown }).variables);
    return Promise.resolve(
      Response.json({ data: { p1: { rows: [{ days: days('2026-10-01', 31, 0) }] }, p2: { rows: [] } } }),
    );
  });
  const accuracy = { method: 'weekday_mean_4_weeks', mape: '0.02', skill: null };
  const budget = budgetForTest({ days: days('2026-11-01', 12, 2), spent: '1000', forecast: '1200', accuracy });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ForecastDerivation budget={budget} several={false} />
    </QueryClientProvider>,
  );
  const sums = [...document.querySelectorAll('dd')].map((line) => line.textContent);
  expect(sums).toEqual(['$1,000.00', '+ $200.00', '= $1,200.00']);
  expect(asked).toEqual([]);

  const details = screen.getByRole('group');
  (details as HTMLDetailsElement).open = true;
  fireEvent(details, new Event('toggle'));
  const [first] = await screen.findAllByRole('row');
  expect(first?.textContent).toBe(
    '11 NovMean of 14 Oct $100.00, 21 Oct $100.00, 28 Oct $100.00, 4 Nov $100.00: $100.00$100.00',
  );
  expect(asked[0]).toMatchObject({ p1: { as_of: '2026-10-31', budget_ids: ['b1'] }, p2: { as_of: '2026-09-30' } });
});
