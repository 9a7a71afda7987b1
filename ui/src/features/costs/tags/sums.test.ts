import { expect, it } from 'vitest';
import { ofRule, valuesOf } from './sums';

const row = (rule: number | null, value: string | null, amount: string, charges: number, share: string) => ({
  rule,
  value,
  currency: 'USD',
  amount,
  charges,
  share,
});

const rows = [
  row(1, 'web', '0.1', 1, '0.1'),
  row(2, 'web', '0.2', 2, '0.2'),
  row(2, 'data', '0.6', 3, '0.6'),
  row(null, null, '9', 4, '0.1'),
];

it('adds up what several rules give one value, exactly, and puts what has none last', () => {
  const lines = valuesOf(rows).map(({ value, amount, charges }) => [value, String(amount), charges]);
  expect(lines).toEqual([
    ['data', '0.6', 3],
    ['web', '0.3', 3],
    [null, '9', 4],
  ]);
});

it('adds up what one rule takes', () => {
  const { charges, amounts } = ofRule(rows, 2);
  expect(charges).toBe(5);
  expect(amounts.map(({ amount }) => String(amount))).toEqual(['0.8']);
});
