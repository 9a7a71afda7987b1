import { expect, test } from 'vitest';
import { columnsFor } from './columns';
import { amounts, byCost, costOf, costsOf, isOrderable, sumsOf } from './costs';
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
  bill: null,
  reason: 'NO_NODE_BILLED',
  about: [],
  namespaces: sumsOf(rows, (row) => row.resource_service_name),
  resources: sumsOf(rows, (row) => row.resource_id),
  parts: new Map(),
  kinds: new Map(),
  whole: new Map(),
  beside: new Map(),
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

type Answer = Parameters<typeof costsOf>[0];
const line = (
  kind: Answer['lines'][number]['kind'],
  id: string | null,
  namespace: string,
  amount: string,
  tool: string,
) => ({
  kind,
  resource_id: id,
  namespace,
  currency: 'USD',
  amount,
  tool,
  beside_nodes: id === 'w1' ? '2' : '0',
});
const answer: Answer = {
  prices: 'BILL',
  reason: null,
  about: [],
  from: '2026-06-01',
  to: '2026-06-02',
  days: 2,
  currency: 'USD',
  billed: '9.98',
  tool: '24',
  factor: '0.415833',
  left_out: '0',
  nodes: [
    { resource_id: 'n1', amount: '5' },
    { resource_id: null, amount: '4.98' },
  ],
  lines: [
    line('WORK', 'w1', 'shop', '4.99', '12'),
    line('WORK', 'w2', 'shop', '1.66', '4'),
    line('IDLE', 'i', '__idle__', '2.91', '7'),
    line('SHARED', null, '', '0.42', '1'),
  ],
};

test('at the bill, the parts of a cluster add up to what its nodes cost', () => {
  const found = costsOf(answer);
  expect(found && [...found.kinds].map(([kind, sums]) => [kind, amounts(sums)])).toEqual([
    ['WORK', '$6.65'],
    ['IDLE', '$2.91'],
    ['SHARED', '$0.42'],
  ]);
  expect(amounts(found?.whole)).toBe('$9.98');
  expect(found?.bill).toMatchObject({ factor: 0.415833, days: 2, nodes: 2 });
  const costsAt = (tab: Row['tab'], id: string) => found && amounts(costOf(found, row(tab, id)));
  // Idle cost is of no namespace; a node costs what the bill charges for it.
  expect([costsAt('namespaces', 'shop'), costsAt('namespaces', '__idle__'), costsAt('nodes', 'n1')]).toEqual([
    '$6.65',
    '–',
    '$5.00',
  ]);
  expect(amounts(found?.parts.get('w1')?.beside)).toBe('$2.00');
});

test('costs that are not at the bill say why, and a cluster without costs has none', () => {
  const tool: Answer = {
    ...answer,
    prices: 'TOOL',
    reason: 'SOME_NODES_BILLED',
    about: ['n2'],
    factor: null,
    nodes: [],
  };
  expect(costsOf(tool)).toMatchObject({ bill: null, reason: 'SOME_NODES_BILLED', about: ['n2'] });
  expect(costsOf({ ...tool, lines: [] })).toBeNull();
});
