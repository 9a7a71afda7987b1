import { expect, test } from 'vitest';
import { groupsOf } from './grouping';
import { filtered, rowOf } from './row';
import { stored } from './stored.fixture';

const gp2 = { currency: 'USD', change: 'Change gp2 to gp3, all of them' };
const rows = [
  rowOf({ ...stored, id: 'a', estimated_savings: '0.1', recommendation: gp2 }),
  rowOf({ ...stored, id: 'b', estimated_savings: '0.2', recommendation: gp2 }, { id: 'p', name: 'Ada' }),
  rowOf({ ...stored, id: 'c', estimated_savings: '3', rule_name: 'idle_nat', recommendation: { currency: 'EUR' } }),
];

test('what one change settles is one group with its exact savings, and its key filters the list', () => {
  const groups = groupsOf(rows, 'change');
  expect(groups.map(({ name, count }) => [name, count])).toEqual([
    ['Change gp2 to gp3, all of them', 2],
    ['Remove idle NAT gateways', 1],
  ]);
  expect(groups[0]?.savings.map(([currency, amount]) => [currency, String(amount)])).toEqual([['USD', '0.3']]);
  expect(filtered(rows, { change: groups[0]?.value ?? '' }).map((row) => row.id)).toEqual(['a', 'b']);
});

test('people and nobody are groups', () => {
  expect(groupsOf(rows, 'owner').map(({ value, name, count }) => [value, name, count])).toEqual([
    ['nobody', 'Nobody', 2],
    ['p', 'Ada', 1],
  ]);
});
