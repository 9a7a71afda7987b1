import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
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

function draw(answer: (body: string) => Promise<object | null>) {
  vi.stubGlobal('fetch', async (_: string, init?: { body?: string }) => Response.json(await answer(init?.body ?? '')));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ForecastTile shown={period('2026-11', '2026-11-29')} currency="USD" several={false} billed="90" />
    </QueryClientProvider>,
  );
}

test('the tile stands before its figure comes, and goes where there is none', async () => {
  let answer: (rows: object[]) => void = () => undefined;
  const rows = new Promise<object[]>((done) => {
    answer = done;
  });
  draw(async (body) =>
    body.includes('OverviewMonthAhead') ? { data: { spend_forecast: { rows: await rows } } } : null,
  );
  expect(screen.getByText(/November/)).toBeTruthy();
  answer([]);
  await waitFor(() => {
    expect(screen.queryByText(/November/)).toBeNull();
  });
});

test('while budgets are asked for, nothing is said of them', async () => {
  let answer: (rows: object[]) => void = () => undefined;
  const budgets = new Promise<object[]>((done) => {
    answer = done;
  });
  draw(async (body) => {
    const forecast = [{ date: '2026-11-30', currency: 'USD', amount: '10' }];
    if (body.includes('OverviewMonthAhead')) return { data: { spend_forecast: { rows: forecast } } };
    return body.includes('OverviewMonthBudgets') ? { data: { spend_budgets: { rows: await budgets } } } : null;
  });
  await screen.findByText('$100.00');
  expect(screen.queryByText('No budget for all costs')).toBeNull();

  answer([{ account_id: null, scope: {}, period: 'month', currency: 'USD', amount: '120' }]);
  expect(await screen.findByText(/\$20/)).toBeTruthy();
  expect(screen.queryByText('No budget for all costs')).toBeNull();
});
