import { expect, test } from 'vitest';
import { containersOf, cores, memory, nodeState, ownerOf, podTone, requested, restartsOf } from './row';
import { kubernetesSearch } from './search';
import { orderOf, whereOf } from './where';

test('containers are found below config, spec or at the top, with their restarts', () => {
  const containers = [
    {
      name: 'api',
      image: 'shop/api:1',
      resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { cpu: '1' } },
    },
  ];
  const told = { name: 'api', image: 'shop/api:1', requests: 'cpu 500m, memory 512Mi', limits: 'cpu 1', restarts: 31 };
  expect(containersOf({ config: { containers } }, { api: 31 })).toEqual([told]);
  expect(containersOf({ spec: { containers } }, { api: 31 })).toEqual([told]);
  expect(containersOf({ containers })).toEqual([{ ...told, restarts: null }]);
  expect(containersOf(null)).toEqual([]);
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
