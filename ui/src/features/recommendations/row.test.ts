import { expect, test } from 'vitest';
import { filtered, filtersOf, filtersToSearch, rowOf, savingsOf } from './row';
import type { RecommendationRecord } from './row';

const stored = (over: Partial<RecommendationRecord>): RecommendationRecord => ({
  id: 'a',
  category: 'RightSizing',
  rule_name: 'ec2_over_provisioned',
  severity: 'Medium',
  status: 'Open',
  is_dismissed: false,
  dismissed_reason: null,
  dismissed_until: null,
  note: null,
  estimated_savings: '33.79',
  account_object_id: 'arn:aws:ec2:eu-central-1:1:instance/i-0c80d1b0f3a0c5c69',
  recommendation: { currency: 'USD' },
  created_at: '2026-11-20T12:31:32',
  updated_at: '2026-11-20T12:31:32',
  cloud_account: { id: 'acc', account_name: 'aws-data', account_number: '1', cloud_provider: 'AWS' },
  cloud_resourse: { id: 'res', name: 'checkout', type: 'instance', region: 'eu-central-1' },
  ...over,
});

const rows = [
  stored({}),
  stored({ id: 'b', category: 'Cost', estimated_savings: '6.2', status: 'Assigned' }),
  stored({ id: 'c', status: 'Closed' }),
  stored({ id: 'd', is_dismissed: true }),
  stored({ id: 'e', recommendation: { currency: 'EUR' }, estimated_savings: '1' }),
].map((one) => rowOf(one));
const ids = (search: Parameters<typeof filtered>[1]) =>
  filtered(rows, search)
    .map((row) => row.id)
    .join('');

test('the list begins with what is open, whoever has it', () => {
  expect(ids({})).toBe('abe');
  expect(ids({ show: 'done' })).toBe('c');
  expect(ids({ show: 'dismissed' })).toBe('d');
});

test('filters name values or exclude them', () => {
  expect(ids({ category: 'Cost' })).toBe('b');
  expect(ids({ category: '!Cost' })).toBe('ae');
  expect(ids({ status: 'Assigned,InProgress' })).toBe('b');
});

test('every word of the search must be found', () => {
  expect(ids({ q: 'checkout aws-data' })).toBe('abe');
  expect(ids({ q: 'checkout azure' })).toBe('');
});

test('filters survive the way into the address and back', () => {
  const filters = filtersOf({ category: '!Cost,Security', rule: 'x' });
  expect(filtersToSearch(filters)).toEqual({ category: '!Cost,Security', rule: 'x' });
});

test('savings are added per currency', () => {
  expect(savingsOf(filtered(rows, {}))).toEqual([
    ['USD', '39.99'],
    ['EUR', '1'],
  ]);
});

test('what no bill prices has no saving', () => {
  const seen = { seen_at: '2026-11-20T00:00:00' };
  expect(rowOf(stored({ recommendation: seen, estimated_savings: '0' })).savings).toBeNull();
  const priced = { ...seen, currency: 'USD', monthly_cost: 93, share: 1 };
  expect(rowOf(stored({ recommendation: priced, estimated_savings: '93' })).savings).toBe('93');
});
