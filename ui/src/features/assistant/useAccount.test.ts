import { expect, test } from 'vitest';
import { first, ofCloud } from './useAccount';

const account = (id: string, cloud_provider: 'AWS' | 'Other') => ({ id, account_name: id, cloud_provider });

test('a page of documents opens on an account of a cloud, before those that alerts came with', () => {
  const all = [account('alerts', 'Other'), account('shop', 'AWS')];
  expect(ofCloud(all)?.id).toBe('shop');
  expect(first(all)?.id).toBe('alerts');
  expect(ofCloud([account('alerts', 'Other')])?.id).toBe('alerts');
  expect(ofCloud([])).toBeUndefined();
});
