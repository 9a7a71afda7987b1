import { expect, test } from 'vitest';
import type { Share } from './queries';
import { sumsOf, targetsOf } from './sums';

const share = (rule_id: string, target: string, amount: string): Share =>
  ({
    rule_id,
    date: '2026-11-01',
    currency: 'USD',
    target,
    source_amount: '100',
    weight: '1',
    weight_total: '3',
    amount,
  }) as unknown as Share;

const shares = [share('r', 'a', '33.34'), share('r', 'b', '33.33'), share('r', '', '33.33'), share('s', 'a', '0.1')];

test('what a rule split adds up exactly, and tells what stays unallocated', () => {
  expect(sumsOf(shares, 'r').map((one) => [one.source, one.allocated, one.unallocated].map(String))).toEqual([
    ['100', '66.67', '33.33'],
  ]);
  expect(sumsOf(shares, 'x')).toEqual([]);
});

test('targets are summed over all rules, the largest first', () => {
  expect(targetsOf(shares).map((one) => [one.target, String(one.amount)])).toEqual([
    ['a', '33.44'],
    ['b', '33.33'],
    ['', '33.33'],
  ]);
});
