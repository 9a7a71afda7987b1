import { expect, test } from 'vitest';
import { againstList, hasSeveral, mainCurrency, perCategory, saving } from './savings';
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

test('findings without a saving are no currency of their own, however many they are', () => {
  const risks = { ...row('Security', null, ''), count: 40 };
  const rows = [row('Cost', '1333'), risks, row('Security', '0', '')];
  expect(mainCurrency(rows)).toBe('USD');
  expect(hasSeveral(rows)).toBe(false);
  expect(perCategory(rows)[0]?.category).toBe('Cost');
  expect([...saving(rows).amounts]).toEqual([['USD', '1333']]);
  expect(hasSeveral([...rows, row('Cost', '5', 'EUR')])).toBe(true);
});

test('who pays more than list prices is told so without a minus', () => {
  const written = (amount: unknown) => `$${String(amount)}`;
  expect(againstList('100', '88', written)).toBe('$12 below list prices');
  expect(againstList('100', '105.5', written)).toBe('$5.5 above list prices');
  expect(againstList('100', '100', written)).toBe('$0 below list prices');
});
