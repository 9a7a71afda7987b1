import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { budgetForTest } from './budget.fixture';
import { Earlier } from './Earlier';
import { endsBefore, pastOf } from './earlier';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const past = (until: string, spent: string | null, crossed: string | null = null) => ({
  from: `${until.slice(0, 8)}01`,
  until,
  amount: '4500',
  currency: 'USD',
  spent,
  crossed_on: crossed,
});

test('periods before the running one end on the last days of months, quarters and years', () => {
  const ends = (period: 'month' | 'quarter' | 'year' | null, from: string) => endsBefore({ period, from });
  expect(ends('month', '2026-03-01').slice(0, 3)).toEqual(['2026-02-28', '2026-01-31', '2025-12-31']);
  expect(ends('quarter', '2026-04-01')).toEqual(['2026-03-31', '2025-12-31', '2025-09-30', '2025-06-30']);
  expect(ends('year', '2026-01-01')).toEqual(['2025-12-31', '2024-12-31']);
  expect(ends(null, '2026-01-01')).toEqual([]);
});

test('periods before the first that cost something are left out, one without cost between others stays', () => {
  const ends = ['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'];
  const answers = [
    [past('2026-10-31', '5000')],
    [past('2026-09-30', '0')],
    [past('2026-08-31', '20')],
    [past('2026-07-31', '0.00')],
    [past('2026-11-30', '7')],
  ];
  expect(pastOf(ends, answers).map(({ until }) => until)).toEqual(['2026-10-31', '2026-09-30', '2026-08-31']);
});

test('a budget shows what was billed in earlier periods, of how much, and when it was used up', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    asked.push((JSON.parse(String(init?.body)) as { variables: unknown }).variables);
    const rows = (row: object) => ({ rows: [row] });
    const data = {
      p1: rows(past('2026-10-31', '5400', '2026-10-26')),
      p2: rows(past('2026-09-30', '2250')),
      ...Object.fromEntries(['p3', 'p4', 'p5', 'p6'].map((name) => [name, rows(past('2026-11-30', '0'))])),
    };
    return Promise.resolve(Response.json({ data }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Earlier budget={budgetForTest({})} several={false} />
    </QueryClientProvider>,
  );
  await screen.findByText('Earlier periods');
  const [, october, september, ...more] = screen.getAllByRole('row');
  expect(october?.textContent).toMatch(/Used up on 26 Oct.*5,400\.00.*120\.0%/);
  expect(september?.textContent).toMatch(/2,250\.00.*50\.0%/);
  expect(more).toEqual([]);
  expect(asked[0]).toMatchObject({ p1: { as_of: '2026-10-31', budget_ids: ['b1'] }, p6: { as_of: '2026-05-31' } });
});
