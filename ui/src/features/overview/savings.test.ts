import { expect, test } from 'vitest';
import { perCategory, saving } from './savings';
import type { SavingRow } from './savings';

const row = (category: string, amount: string | null, currency = 'USD'): SavingRow => ({
  count: 1,
  standing: 'open',
  severity: 'Low',
  category,
  amount,
  currency,
});

test('savings are added within a currency; what states none still counts as a recommendation', () => {
  expect(saving([row('A', '33.79'), row('A', '6.20'), row('A', '5', 'EUR'), row('Security', null)])).toEqual({
    count: 4,
    amounts: new Map([
      ['USD', '39.99'],
      ['EUR', '5'],
    ]),
  });
});

test('the category that saves most comes first', () => {
  const rows = [row('Cost', '1'), row('RightSizing', '20'), row('Security', null)];
  expect(perCategory(rows).map(({ category }) => category)).toEqual(['RightSizing', 'Cost', 'Security']);
});
