import { expect, test } from 'vitest';
import { figure, perDay, running, totals } from './amounts';

const row = (day: string, currency: string, billed: string) => ({
  spend_date: `${day}T00:00:00`,
  currency_type: currency,
  billed_cost: billed,
  effective_cost: '0',
});
const rows = [
  row('2026-05-01', 'USD', '10.987654321098765432'),
  row('2026-05-01', 'EUR', '1.123456789012345678'),
  row('2026-05-03', 'USD', '-0.5'),
];

test('currencies are added up apart, to the last digit', () => {
  expect([...totals(rows, (r) => r.billed_cost)]).toEqual([
    ['USD', '10.487654321098765432'],
    ['EUR', '1.123456789012345678'],
  ]);
});

test('a day without charges is a gap in the days and no change in the running total', () => {
  const days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];
  const values = perDay(rows, days, 'USD');
  expect(values).toEqual(['10.987654321098765432', null, '-0.5', null]);
  expect(running(values, 3)).toEqual(['10.987654321098765432', '10.987654321098765432', '10.487654321098765432', null]);
});

test('key figures are whole from 1,000 up and show cents below', () => {
  expect(figure('20.52022672899', 'USD', false)).toBe('$20.52');
  expect(figure('51144.19', 'USD', false)).toBe('$51,144');
  expect(figure('-1204.4', 'EUR', true)).toBe('−EUR 1,204');
});
