import { expect, test } from 'vitest';
import { billedMonths, period, shownMonth } from './period';

test('a month the bills cover whole is compared with the whole month before', () => {
  expect(period('2024-09', '2024-11-03')).toEqual({
    now: { from: '2024-09-01', to: '2024-09-30' },
    before: { from: '2024-08-01', to: '2024-08-31' },
    month: { from: '2024-09-01', to: '2024-09-30' },
    monthBefore: { from: '2024-08-01', to: '2024-08-31' },
  });
});

test('a running month is compared with the same days of the month before', () => {
  const { now, before, monthBefore } = period('2026-11', '2026-11-19');
  expect(now).toEqual({ from: '2026-11-01', to: '2026-11-19' });
  expect(before).toEqual({ from: '2026-10-01', to: '2026-10-19' });
  expect(monthBefore.to).toBe('2026-10-31');
});

test('months come newest first, their busiest currency first', () => {
  const rows = [
    { spend_date: '2026-04-01T00:00:00', currency_type: 'USD', spend_count: 3 },
    { spend_date: '2026-05-01T00:00:00', currency_type: 'EUR', spend_count: 2 },
    { spend_date: '2026-05-01T00:00:00', currency_type: 'USD', spend_count: 9 },
  ];
  expect(billedMonths(rows)).toEqual([
    { month: '2026-05', currencies: ['USD', 'EUR'] },
    { month: '2026-04', currencies: ['USD'] },
  ]);
});

test('the newest month of which bills tell is shown, and not one that a fee is dated to', () => {
  const months = ['2027-11', '2026-11', '2026-10'].map((month) => ({ month, currencies: ['USD'] }));
  expect(shownMonth(months, undefined, '2026-11-16')?.month).toBe('2026-11');
  expect(shownMonth(months, '2027-11', '2026-11-16')?.month).toBe('2027-11');
  expect(shownMonth(months, '2020-01', '2026-12-01')?.month).toBe('2026-11');
  expect(shownMonth([], undefined, undefined)).toBeUndefined();
});
