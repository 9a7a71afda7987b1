import { expect, test } from 'vitest';
import { columnsFor } from './columns';
import { amounts, byCost, costOf, isOrderable, sumsOf } from './costs';
import type { Costs } from './costs';
import type { Row } from './row';

const charge = (
  resource_service_name: string | null,
  resource_id: string | null,
  billed_cost: string,
  currency_type = 'USD',
) => ({
  resource_service_name,
  resource_id,
  billed_cost,
  currency_type,
});
const rows = [
  charge('shop', 'w1', '10.50'),
  charge('shop', 'w2', '0.25'),
  charge('shop', null, '1', 'EUR'),
  charge('__idle__', null, '3'),
];
const costs: Costs = {
  days: { from: '2026-05-18', to: '2026-06-16' },
  namespaces: sumsOf(rows, (row) => row.resource_service_name),
  resources: sumsOf(rows, (row) => row.resource_id),
};
const row = (tab: Row['tab'], id: string) => ({ tab, id, name: id, of: {} }) as unknown as Row;

test('what is charged for parts of a cluster is told by namespace and by workload, each currency by itself', () => {
  expect(amounts(costOf(costs, row('namespaces', 'shop')))).toBe('USD 10.75, EUR 1.00');
  expect(amounts(costOf(costs, row('workloads', 'w1')))).toBe('$10.50');
  expect(amounts(costOf(costs, row('pods', 'p1')))).toBe('–');
});

test('a table is ordered by costs of one currency, and what has none stands last', () => {
  const one: Costs = {
    ...costs,
    namespaces: new Map(),
    resources: sumsOf(
      rows.filter(({ currency_type: unit }) => unit === 'USD'),
      (at) => at.resource_id,
    ),
  };
  const all = ['w2', 'w0', 'w1'].map((id) => row('workloads', id));
  const ids = (isDescending: boolean) => byCost(one, all, isDescending).map(({ id }) => id);
  expect(ids(true)).toEqual(['w1', 'w2', 'w0']);
  expect(ids(false)).toEqual(['w2', 'w1', 'w0']);
  expect([isOrderable(one, 3), isOrderable(one, 9_000), isOrderable(costs, 3), isOrderable(null, 3)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a table has the column of costs where a charge names one of its kind', () => {
  const now = new Date('2026-06-17T12:00:00Z');
  const heads = (tab: Row['tab'], known: Costs | null) =>
    columnsFor(tab, 'wide', new Map(), now, known).map(({ header }) => header);
  expect(heads('workloads', costs)).toContain('Cost');
  expect(heads('workloads', costs)).not.toContain('Owner');
  expect(heads('workloads', null)).toContain('Owner');
  expect(heads('workloads', null)).not.toContain('Cost');
  expect(heads('namespaces', costs)).toContain('Cost');
  expect(heads('workloads', { ...costs, resources: new Map() })).not.toContain('Cost');
});
