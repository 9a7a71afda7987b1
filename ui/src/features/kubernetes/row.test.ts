import { expect, test } from 'vitest';
import { containersOf, cores, memory, nodeState, ownerOf, podTone, requested, restartsOf, troubleOf } from './row';
import { kubernetesSearch } from './search';
import { linesOf } from './Trouble';
import { orderOf, whereOf } from './where';

test('containers are found below config, spec or at the top, with their restarts', () => {
  const containers = [
    {
      name: 'api',
      image: 'shop/api:1',
      resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { cpu: '1' } },
    },
  ];
  const told = {
    name: 'api',
    image: 'shop/api:1',
    requests: 'cpu 500m, memory 512Mi',
    limits: 'cpu 1',
    state: null,
    restarts: 31,
  };
  expect(containersOf({ config: { containers } }, { api: 31 })).toEqual([told]);
  expect(containersOf({ spec: { containers } }, { api: 31 })).toEqual([told]);
  expect(containersOf({ containers })).toEqual([{ ...told, restarts: null }]);
  expect(containersOf(null)).toEqual([]);
});

test('decimals of an answer, which are texts, are cores and MiB, too; texts of a definition stay as they were written', () => {
  const kept = { name: 'c', requests: { cpu: '0.2', memory: '256.0' } };
  const written = { name: 'c', resources: { requests: { cpu: '2', memory: '134217728' } } };
  expect(containersOf({ containers: [kept] })[0]?.requests).toBe('cpu 0.2, memory 256 MiB');
  expect(containersOf({ containers: [written] })[0]?.requests).toBe('cpu 2, memory 134217728');
});

test('containers of an import have cores and MiB, and how they stand', () => {
  const kept = {
    name: 'c',
    image: 'nginx:1',
    requests: { cpu: 0.1, memory: 64 },
    limits: { cpu: null, memory: 2048 },
    state: 'CrashLoopBackOff',
  };
  expect(containersOf({ containers: [kept] })).toEqual([
    {
      name: 'c',
      image: 'nginx:1',
      requests: 'cpu 0.1, memory 64 MiB',
      limits: 'memory 2 GiB',
      state: 'CrashLoopBackOff',
      restarts: null,
    },
  ]);
});

test('a pod that does not run says why, one that ran out of memory too, and others nothing', () => {
  const containers = [{ name: 'c', image: 'nginx:1', state: 'CrashLoopBackOff' }];
  const found = troubleOf({
    status: 'CrashLoopBackOff',
    meta: { containers, last_end: 'OOMKilled', message: 'back-off' },
    restart_count: { c: 7 },
  });
  expect(found?.meaning).toHaveLength(2);
  expect(found?.containers.map(({ name, restarts }) => [name, restarts])).toEqual([['c', 7]]);
  expect(found).toMatchObject({ message: 'back-off', end: 'OOMKilled' });
  expect(troubleOf({ status: 'Running', meta: { last_end: 'OOMKilled' }, restart_count: 1 })?.end).toBe('OOMKilled');
  expect(troubleOf({ status: 'Running', meta: {}, restart_count: 0 })).toBeNull();
  expect(troubleOf({ status: 'Init:Error', meta: {}, restart_count: 0 })?.meaning).toHaveLength(1);
});

test('the lines of a pod are those of its namespace, or of none, around when it was seen last', () => {
  expect(linesOf({ name: 'a"b', namespace: 'shop.x', last_seen: '2026-06-16T09:00:00' })).toEqual({
    query: '{pod="a\\"b", namespace=~"|shop\\\\.x"}',
    start_time: Date.parse('2026-06-15T09:00:00Z'),
    end_time: Date.parse('2026-06-17T09:00:00Z'),
    limit: 6,
  });
});

test('states have the tone of what they mean', () => {
  expect(['Running', 'Succeeded', 'Pending', 'CrashLoopBackOff', 'OOMKilled'].map(podTone)).toEqual([
    'ok',
    'off',
    'warn',
    'bad',
    'bad',
  ]);
  expect(['Ready', 'NotReady', 'Ready=False', null].map((one) => nodeState(one).text)).toEqual([
    'Ready',
    'Not ready',
    'Not ready',
    'Unknown',
  ]);
  expect(restartsOf({ api: 31, proxy: 2 })).toBe(33);
  expect(ownerOf({ team: 'payments' })).toBe('payments');
});

test('amounts have their unit', () => {
  expect([cores('0.5'), cores(null), memory(512), memory(1536), memory(null)]).toEqual([
    '0.5',
    '–',
    '512 MiB',
    '1.5 GiB',
    '–',
  ]);
  expect([cores(4500), memory(18_432_000)]).toEqual(['4,500', '17.6 TiB']);
});

test('a list asks for what a cluster has now, and for trouble among its pods only', () => {
  const here = { cloud_account_id: { _eq: 'c1' }, is_active: { _eq: true } };
  const search = { namespace: 'shop', trouble: true as const, q: 'a_b' };
  expect(whereOf('pods', 'c1', search)).toMatchObject({
    _and: [here, { namespace: { _eq: 'shop' } }, { status: { _nin: ['Running', 'Succeeded', 'Completed'] } }, {}],
  });
  expect(JSON.stringify(whereOf('pods', 'c1', search))).toContain('"%a\\\\_b%"');
  expect(whereOf('nodes', 'c1', { namespace: 'shop', trouble: true })).toEqual({ _and: [here] });
  expect(orderOf('pods', '-state')).toEqual([{ status: 'desc_nulls_last' }, { cloud_resource_id: 'asc' }]);
  expect(kubernetesSearch({ tab: 'pods', trouble: 'yes', cluster: 'c1' })).toEqual({ tab: 'pods', cluster: 'c1' });
});

test('what is requested of a cluster without nodes names no capacity', () => {
  expect(requested('0.2', 2, cores)).toBe('0.2 of 2');
  expect(requested('0.2', null, cores)).toBe('0.2');
  expect([requested(null, null, memory), requested(undefined, undefined, memory)]).toEqual(['–', '–']);
});
