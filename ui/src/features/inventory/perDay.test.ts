import { expect, test } from 'vitest';
import { perDay } from './perDay';

test('a day without a charge in the currency is a gap, not zero', () => {
  const row = (day: string, amount: string, currency: string | null = 'USD') => ({
    spend_date: `${day}T00:00:00`,
    currency_type: currency,
    spend_amount: amount,
  });
  const rows = [row('2026-11-01', '1.20'), row('2026-11-02', '7', 'EUR'), row('2026-11-03', '0')];
  const days = ['2026-11-01', '2026-11-02', '2026-11-03'];
  expect(perDay(rows, days, 'USD')).toEqual(['1.20', null, '0']);
  expect(perDay([row('2026-11-02', '3', null)], days, '')).toEqual([null, '3', null]);
});
