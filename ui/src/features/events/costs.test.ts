import { expect, test } from 'vitest';
import { costWords } from './costs';
import { costOf } from './postmortem';

const on = (date: string, cost: string, currency = 'USD') => ({
  currency_type: currency,
  spend_date: `${date}T00:00:00`,
  billed_cost: cost,
});
const cost = (rows: Parameters<typeof costOf>[0]) =>
  costOf(rows, { of: 'i-1', from: '2026-11-20', to: '2026-11-21', days: 7 });
const before = [on('2026-11-18', '10.00'), on('2026-11-19', '12.00')];

test('an event costs what its resource was billed beyond the days before', () => {
  expect(costWords(cost([...before, on('2026-11-20', '11.10'), on('2026-11-21', '14.20')]), true)).toBe('≈ $3.30');
  expect(costWords(cost([...before, on('2026-11-20', '9.00')]), true)).toBe('No more than usual');
});

test('what no bill tells is not known', () => {
  expect(costWords(undefined, true)).toBe('Not known');
  expect(costWords(cost(before), true)).toBe('Not billed yet');
  expect(costWords(cost([on('2026-11-20', '9.00')]), true)).toBe('Not known');
  // An account has other costs on the same days.
  expect(costWords(cost([...before, on('2026-11-20', '99.00')]), false)).toBe('Not known');
});
