import { expect, test } from 'vitest';
import { added, billedOf, nameOf, rowOf } from './row';

const listing = {
  rows: [
    { resource_id: 'a', currency_type: 'EUR', billed_cost: '1.00000000005', spend_count: 1 },
    { resource_id: 'a', currency_type: 'USD', billed_cost: '2', spend_count: 5 },
    { resource_id: 'b', currency_type: 'USD', billed_cost: '0.00000000005', spend_count: 2 },
    { resource_id: null, currency_type: 'USD', billed_cost: '-2.25', spend_count: 1 },
  ],
};
const stored = (id: string) => ({
  id,
  name: null,
  external_resource_id: id,
  type: null,
  service_name: null,
  region: 'global',
  last_seen: null,
  cloud_account: { id: 'acc', account_name: 'aws-data' },
});

test('amounts keep every digit and are added within a currency only', () => {
  const billed = billedOf(listing);
  expect(billed.currencies).toEqual(['USD', 'EUR']);
  expect(billed.of.get('')).toEqual(new Map([['USD', '-2.25']]));
  const rows = ['a', 'b', 'c'].map((id) => rowOf(stored(id), billed));
  expect(rows[2]?.costs.size).toBe(0);
  expect([...added(rows.map((row) => row.costs))]).toEqual([
    ['EUR', '1.00000000005'],
    ['USD', '2.00000000005'],
  ]);
});

test('as many amounts as were asked for may not be all', () => {
  expect(billedOf(listing, 4).isWhole).toBe(false);
  expect(billedOf(listing, 5).isWhole).toBe(true);
});

test('a resource without a name is called by what tells it from others', () => {
  const called = (id: string, name: string | null = id) => nameOf({ name, external_resource_id: id });
  expect(called('arn:aws:ec2:eu-west-1:9:instance/i-0a1b')).toBe('instance/i-0a1b');
  expect(called('arn:aws:s3:::harbour-manifests')).toBe('harbour-manifests');
  expect(called('/subscriptions/0f/virtualMachines/tide-gauge')).toBe('tide-gauge');
  expect(called('//storage.googleapis.com/projects/_/buckets/tides')).toBe('tides');
  expect(called('arn:short')).toBe('arn:short');
  expect(called('i-0a1b', 'checkout')).toBe('checkout');
  expect(called('i-0a1b', null)).toBe('i-0a1b');
});
