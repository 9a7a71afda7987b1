import { expect, test, vi } from 'vitest';
import { entries } from './searchResults';
import type { resultKinds } from './searchResults';

const row = (kind: (typeof resultKinds)[number]['kind'], id: string, title: string, note: string | null = null) => ({
  kind,
  id,
  title,
  note,
  account_id: kind === 'SERVICE' ? null : 'a1',
});

test('rows of every kind with a page are lines that lead to their place', () => {
  const go = vi.fn();
  const found = entries(
    [
      row('DOCUMENT', 'd1', 'Pier runbook', 'runbook.pdf'),
      row('ACCOUNT', 'a1', 'Pier Production', '161'),
      row('SERVICE', 'Pier Storage', 'Pier Storage'),
      row('RESOURCE', 'r1', 'pier-ledger', 'instance'),
      // It is the same pod as below.
      row('RESOURCE', 'p1', 'pier-api-7c9', 'Pod'),
      row('RECOMMENDATION', 'c1', 'Right-size pier', 'pier-ledger'),
      row('EVENT', 'e1', 'Pier is down'),
      row('WORKLOAD', 'w1', 'pier-api', 'Deployment, shop'),
      row('WORKLOAD', 'p1', 'pier-api-7c9', 'Pod, shop'),
      row('WORKLOAD', 'n1', 'node-572', 'Node'),
      row('WORKLOAD', 'pier', 'pier', 'Namespace'),
      row('IMPORT', 'i1', 'pier-september.csv', 'focus'),
      row('BUDGET', 'b1', 'Pier, by month', 'month'),
      row('WORKFLOW', 'f1', 'Close the pier', 'ACTIVE'),
      row('VIEW', 'v1', 'Errors of the pier', 'events/logs'),
    ],
    go,
  );
  expect(found.map(({ group, title, note }) => [group, title, note])).toEqual([
    ['Accounts', 'Pier Production', '161'],
    ['Services', 'Pier Storage', undefined],
    ['Resources', 'pier-ledger', 'instance'],
    ['Kubernetes', 'pier-api', 'Deployment, shop'],
    ['Kubernetes', 'pier-api-7c9', 'Pod, shop'],
    ['Kubernetes', 'node-572', 'Node'],
    ['Kubernetes', 'pier', 'Namespace'],
    ['Events', 'Pier is down', undefined],
    ['Recommendations', 'Right-size pier', 'pier-ledger'],
    ['Documents', 'Pier runbook', 'runbook.pdf'],
    ['Budgets', 'Pier, by month', 'month'],
    ['Workflows', 'Close the pier', 'ACTIVE'],
    ['Imports', 'pier-september.csv', 'focus'],
    ['Saved views', 'Errors of the pier', 'Logs'],
  ]);
  expect(found.map(({ address }) => address).filter((address) => address?.startsWith('/inventory'))).toEqual([
    '/inventory/resources?id=r1',
    '/inventory/kubernetes?cluster=a1&q=pier-api',
    '/inventory/kubernetes?cluster=a1&tab=pods&q=pier-api-7c9',
    '/inventory/kubernetes?cluster=a1&tab=nodes&q=node-572',
    '/inventory/kubernetes?cluster=a1&tab=namespaces&q=pier',
  ]);
  expect(found.at(-1)?.address).toBeUndefined();
  for (const entry of found) entry.run();
  expect(go.mock.calls.map(([target]) => target as unknown)).toEqual([
    { to: '/costs/explorer', search: { filters: [{ field: 'account', values: ['a1'] }] } },
    { to: '/costs/explorer', search: { filters: [{ field: 'service', values: ['Pier Storage'] }] } },
    { to: '/inventory/resources', search: { id: 'r1' } },
    { to: '/inventory/kubernetes', search: { cluster: 'a1', q: 'pier-api' } },
    { to: '/inventory/kubernetes', search: { cluster: 'a1', tab: 'pods', q: 'pier-api-7c9' } },
    { to: '/inventory/kubernetes', search: { cluster: 'a1', tab: 'nodes', q: 'node-572' } },
    { to: '/inventory/kubernetes', search: { cluster: 'a1', tab: 'namespaces', q: 'pier' } },
    { to: '/events', search: { id: 'e1' } },
    { to: '/recommendations', search: { id: 'c1' } },
    { to: '/assistant/knowledge-bases', search: { account: 'a1' } },
    { to: '/costs/budgets', search: { id: 'b1' } },
    { to: '/automation/workflows', search: { account: 'a1', id: 'f1' } },
    { to: '/imports', search: { open: 'i1' } },
    { view: 'v1' },
  ]);
});

test('the order of the service stays within a kind', () => {
  const rows = [row('RESOURCE', 'r2', 'pier'), row('EVENT', 'e1', 'Pier'), row('RESOURCE', 'r1', 'a pier of old')];
  expect(entries(rows, () => undefined).map(({ title }) => title)).toEqual(['pier', 'a pier of old', 'Pier']);
});
