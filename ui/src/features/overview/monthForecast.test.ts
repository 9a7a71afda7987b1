import { expect, test } from 'vitest';
import { budgetOf, expected } from './monthForecast';

const days = ['2026-11-28', '2026-11-29', '2026-11-30'];
const row = (date: string, amount: string, currency = 'USD') => ({ date, amount, currency });

test('what is expected is added to what was billed, from the last known day on', () => {
  const rows = [row('2026-11-29', '0.10'), row('2026-11-30', '0.20'), row('2026-11-30', '7', 'EUR')];
  expect(expected(rows, days, '2026-11-28', 'USD', '100.03')).toEqual({
    running: ['100.03', '100.13', '100.33'],
    total: '100.33',
  });
});

test('what a bill lacks of the days before comes with the first day that is open', () => {
  const rows = [row('2026-11-28', '5'), row('2026-11-29', '0.10'), row('2026-11-30', '0.20')];
  expect(expected(rows, days, '2026-11-28', 'USD', '100')).toEqual({
    running: ['100', '105.1', '105.3'],
    total: '105.3',
  });
});

test('a forecast with a gap, or of another currency, is none', () => {
  expect(expected([row('2026-11-30', '1')], days, '2026-11-28', 'USD', '100')).toEqual({ running: null, total: null });
  expect(expected([], days, '2026-11-28', 'USD', '100').total).toBeNull();
  // Nor is there one for a month that is over.
  expect(expected([], days, '2026-11-30', 'USD', '100').total).toBeNull();
});

test('the line is the budget of everything, by month, in the currency', () => {
  const budget = { account_id: null, scope: {}, period: 'month' as const, currency: 'USD', amount: '78000' };
  expect(budgetOf([budget], 'USD')).toBe('78000');
  expect(budgetOf([budget], 'EUR')).toBeNull();
  expect(budgetOf([{ ...budget, scope: { service_name: ['a'] } }], 'USD')).toBeNull();
  expect(budgetOf([{ ...budget, period: 'year' }], 'USD')).toBeNull();
  expect(budgetOf([{ ...budget, account_id: 'a' }], 'USD')).toBeNull();
});
