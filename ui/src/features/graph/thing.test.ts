import { expect, test } from 'vitest';
import { graphSearch } from './search';
import { counted, distances, filtered, graphOf, labelsOf, narrowed, shortestPath } from './thing';

const node = (id: string, kind: string) => ({ id, node_type: kind, properties: { name: id, source: 'kubernetes' } });
const edge = (from: string, to: string, kind: string) => ({
  id: `${from}-${to}`,
  source_node_id: from,
  destination_node_id: to,
  relationship_type: kind,
  properties: { source: 'selector', detail: 'app=web' },
});

/** `front → web → pod → n1`, beside them `sea → web`, and `alone`. */
const graph = graphOf({
  nodes: [
    node('front', 'Ingress'),
    node('web', 'Workload'),
    node('pod', 'Pod'),
    node('n1', 'Node'),
    node('sea', 'Team'),
    node('alone', 'Pod'),
  ],
  edges: [
    edge('front', 'web', 'ROUTES_TO'),
    edge('web', 'pod', 'RUNS'),
    edge('pod', 'n1', 'RUNS_ON'),
    edge('sea', 'web', 'OWNS'),
    edge('web', 'gone', 'CALLS'),
  ],
});

const names = ({ things }: typeof graph) => things.map(({ name }) => name);

test('relations whose ends are not there are left out, and the others keep what says so', () => {
  expect(graph.relations.map(({ kind }) => kind)).toEqual(['ROUTES_TO', 'RUNS_ON', 'OWNS', 'RUNS']);
  expect(graph.relations[0]).toMatchObject({ source: 'selector', detail: 'app=web' });
  expect(graphOf(null)).toEqual({ things: [], relations: [] });
});

test('the same graph is drawn the same way in whatever order its rows come', () => {
  const nodes = [node('a', 'Pod'), node('b', 'Pod'), node('c', 'Workload')];
  const edges = [edge('c', 'a', 'RUNS'), edge('c', 'b', 'RUNS')];
  expect(graphOf({ nodes: nodes.toReversed(), edges: edges.toReversed() })).toEqual(graphOf({ nodes, edges }));
});

test('things of one name and kind are in the order of their accounts, whatever ids these have', () => {
  const team = (id: string, account: string) => ({
    id,
    node_type: 'Team',
    properties: { name: 'data' },
    cloud_account_id: account,
  });
  const accounts = new Map([
    ['9', 'Analytics'],
    ['1', 'Research'],
  ]);
  const { things } = graphOf({ nodes: [team('a', '1'), team('b', '9')], edges: [] }, accounts);
  expect(things.map(({ account }) => accounts.get(account))).toEqual(['Analytics', 'Research']);
});

test('the shortest path goes along relations whichever way they point', () => {
  expect(names(shortestPath(graph, 'sea', 'n1'))).toEqual(['sea', 'web', 'pod', 'n1']);
  expect(names(shortestPath(graph, 'n1', 'front'))).toEqual(['n1', 'pod', 'web', 'front']);
  expect(names(shortestPath(graph, 'n1', 'n1'))).toEqual(['n1']);
  expect(names(shortestPath(graph, 'n1', 'alone'))).toEqual([]);
  expect(distances(graph, 'sea').get('n1')).toBe(3);
  expect(distances(graph, 'sea').get('alone')).toBeUndefined();
});

test('hidden kinds go with their relations, what it is drawn around stays', () => {
  const shown = narrowed(graph, new Set(['Pod', 'OWNS']), new Set(['pod']));
  expect(names(shown)).toEqual(['front', 'n1', 'pod', 'sea', 'web']);
  expect(shown.relations.map(({ kind }) => kind)).toEqual(['ROUTES_TO', 'RUNS_ON', 'RUNS']);
  expect(counted(graph.things)[0]).toEqual(['Pod', 2]);
});

test('broken parts of an address are left out', () => {
  expect(graphSearch({ node: 'a', mode: 'path', to: 'b', steps: 3, view: 'list', hide: ['Pod', 1], id: '' })).toEqual({
    node: 'a',
    mode: 'path',
    to: 'b',
    steps: 3,
    view: 'list',
    hide: ['Pod'],
  });
  expect(graphSearch({ mode: 'up', steps: 9, view: 'x', hide: 'Pod', node: 1 })).toEqual({});
});

test('accounts and labels are filtered by, one label of each key suffices, and the middle stays', () => {
  const of = (id: string, account: string, labels: Record<string, string>) => ({
    ...node(id, 'Pod'),
    cloud_account_id: account,
    labels,
  });
  const shop = graphOf({
    nodes: [
      of('a', 'one', { env: 'prod', team: 'sea' }),
      of('b', 'one', { env: 'test', team: 'sea' }),
      of('c', 'two', { env: 'prod' }),
      of('d', 'two', {}),
    ],
    edges: [edge('a', 'b', 'CALLS'), edge('b', 'c', 'CALLS')],
  });
  const left = (filters: Parameters<typeof filtered>[1], kept: string[] = []) =>
    names(filtered(shop, filters, new Set(kept)));
  expect(left([])).toEqual(['a', 'b', 'c', 'd']);
  expect(left([{ field: 'account', values: ['two'] }])).toEqual(['c', 'd']);
  expect(left([{ field: 'label', values: ['env=prod', 'env=test'] }])).toEqual(['a', 'b', 'c']);
  expect(left([{ field: 'label', values: ['env=prod', 'team=sea'] }])).toEqual(['a']);
  expect(left([{ field: 'label', values: ['env=prod'], not: true }])).toEqual(['b', 'd']);
  const both = [
    { field: 'account', values: ['one'] },
    { field: 'label', values: ['env=prod'] },
  ];
  expect(left(both, ['c'])).toEqual(['a', 'c']);
  expect(filtered(shop, [{ field: 'account', values: ['one'] }], new Set()).relations.map(({ id }) => id)).toEqual([
    'a-b',
  ]);
  expect(labelsOf(shop)[0]).toEqual(['env=prod', 2]);
  expect(
    graphSearch({
      filters: [
        { field: 'label', values: ['env=prod', 1] },
        { field: 'x', values: ['y'] },
      ],
    }),
  ).toEqual({
    filters: [{ field: 'label', values: ['env=prod'] }],
  });
});
