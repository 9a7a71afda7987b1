import { expect, test } from 'vitest';
import { digestOf } from './week';

const week = { from: '2026-11-16', to: '2026-11-22', compared_from: '2026-11-09', compared_to: '2026-11-15' };
const row = (id: string, rule: object, account_id = 'a') => ({
  id,
  account_id,
  title: `Sentence ${id}`,
  severity: 'Low' as const,
  rule: { ...week, ...rule },
});

test('the digest of all accounts comes first, in the order it was worded', () => {
  const digest = digestOf([
    row('c', { scope: 'total', place: 1, cost: 3, service: 'EC2', currency: 'USD' }, 't'),
    row('x', { scope: 'account', place: 0, cost: 5 }),
    row('b', { scope: 'total', place: 0, cost: 5, currency: 'USD' }, 't'),
    row('d', { scope: 'total', place: 2 }, 't'),
  ]);
  expect(digest?.sentences.map((one) => [one.id, one.isTotal, one.hasCosts, one.service])).toEqual([
    ['b', true, true, null],
    ['c', false, true, 'EC2'],
    ['d', false, false, null],
  ]);
  expect([digest?.from, digest?.comparedTo]).toEqual(['2026-11-16', '2026-11-15']);
});

test('who sees some accounts is told of these; before the first week nothing is told', () => {
  const digest = digestOf([
    row('y', { scope: 'account', place: 1 }, 'b'),
    row('x', { scope: 'account', place: 0 }, 'b'),
  ]);
  expect(digest?.sentences.map((one) => one.id)).toEqual(['x', 'y']);
  expect(digestOf([])).toBeNull();
});
