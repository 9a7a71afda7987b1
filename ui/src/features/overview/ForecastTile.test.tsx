import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ForecastTile } from './ForecastTile';
import { period } from './period';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

afterEach(() => {
  vi.unstubAllGlobals();
});

test('while budgets are asked for, nothing is said of them', async () => {
  let answer: (rows: object[]) => void = () => undefined;
  const budgets = new Promise<object[]>((done) => {
    answer = done;
  });
  vi.stubGlobal('fetch', async (_: string, init?: { body?: string }) => {
    const isForecast = init?.body?.includes('OverviewMonthAhead') ?? false;
    const isBudgets = init?.body?.includes('OverviewMonthBudgets') ?? false;
    if (isForecast)
      return Response.json({
        data: { spend_forecast: { rows: [{ date: '2026-11-30', currency: 'USD', amount: '10' }] } },
      });
    return Response.json(isBudgets ? { data: { spend_budgets: { rows: await budgets } } } : null);
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ForecastTile shown={period('2026-11', '2026-11-29')} currency="USD" several={false} billed="90" />
    </QueryClientProvider>,
  );
  await screen.findByText('$100.00');
  expect(screen.queryByText('No budget for all costs')).toBeNull();

  answer([{ account_id: null, scope: {}, period: 'month', currency: 'USD', amount: '120' }]);
  expect(await screen.findByText(/\$20/)).toBeTruthy();
  expect(screen.queryByText('No budget for all costs')).toBeNull();
});
