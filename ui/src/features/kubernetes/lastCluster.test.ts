import { beforeEach, expect, test } from 'vitest';
import { lastCluster, rememberCluster } from './lastCluster';

beforeEach(() => {
  localStorage.clear();
});

test('the cluster that was looked at last is opened again, of those that are there', () => {
  const known = [{ id: 'a' }, { id: 'b' }];
  expect(lastCluster(known)).toBeUndefined();
  rememberCluster('a');
  rememberCluster('b');
  expect(lastCluster(known)).toBe('b');
  rememberCluster('of-another-tenant');
  expect(lastCluster(known)).toBe('b');
  expect(lastCluster([{ id: 'a' }])).toBe('a');
});

test('what stands there broken is as nothing', () => {
  localStorage.setItem('quarterdeck.cluster', '{"a"');
  expect(lastCluster([{ id: 'a' }])).toBeUndefined();
});
