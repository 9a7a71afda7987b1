import { expect, test } from 'vitest';
import { costsOf, nameOf } from './row';

test('amounts keep every digit, each currency by itself', () => {
  const costs = costsOf([
    { currency: 'EUR', amount: '1.00000000005' },
    { currency: 'USD', amount: '2' },
    { currency: null, amount: '0.5' },
  ]);
  expect([...costs]).toEqual([
    ['EUR', '1.00000000005'],
    ['USD', '2'],
    ['', '0.5'],
  ]);
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
  expect(called('', '')).toBe('Unnamed');
});
