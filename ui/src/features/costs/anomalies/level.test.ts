import { expect, test } from 'vitest';
import { newLevelOf } from './level';
import { rowOf } from './row';

const reference = {
  rule: 'A: same weekday',
  run: [{ date: '2026-06-15', actual: 300, expected: 100 }],
  values: [{ date: '2026-06-08', value: 100, weight: 1 }],
  expected: 100,
  mad: 0,
  floor: 4,
  spread: 8,
  factor: '3.5',
  min_percent: 15,
  min_amount: 5,
};

function row(state: string, actual = 300, type = 'CloudSpendService') {
  const stored = {
    id: 'a',
    account_id: 'account',
    scope: 'service',
    name: 'EC2',
    namespace: null,
    anomaly_type: type,
    currency: 'USD',
    current_value: actual,
    started_on: '2026-06-15',
    ended_on: '2026-06-15',
    state,
    impact: 200,
    feedback: null,
    created_at: '2026-06-17T06:14:00',
    rule_version: 'cost-5',
    reference_value: { ...reference, run: [{ date: '2026-06-15', actual, expected: 100 }] },
  };
  const found = rowOf(stored, new Map(), new Date('2026-07-17T12:00:00Z'));
  if (!found) throw new Error('no row');
  return found;
}

const after = (...amounts: number[]) => [
  { date: '2026-06-15', amount: 900 },
  ...amounts.map((amount, place) => ({ date: `2026-06-${16 + place}`, amount })),
];

test('what has ended at a cost that would not have been normal has a new level', () => {
  const found = newLevelOf(row('OVER'), after(500, 490, 510, 20, 505, 495, 500, 1, 1, 1));
  expect(found).toEqual({ days: 7, amount: 500, before: 100 });
  expect(newLevelOf(row('OVER'), after(128, 129, 200, 129))?.amount).toBe(129);
  expect(newLevelOf(row('OVER', 10), after(20, 30, 25))?.amount).toBe(25);
});

test('what has gone back, goes on, is a new service, or is followed by two days has none', () => {
  expect(newLevelOf(row('OVER'), after(100, 128, 128, 300))).toBeNull();
  expect(newLevelOf(row('OVER', 10), after(72, 72, 100))).toBeNull();
  expect(newLevelOf(row('GROWING'), after(500, 500, 500))).toBeNull();
  expect(newLevelOf(row('OVER', 300, 'new_service'), after(500, 500, 500))).toBeNull();
  expect(newLevelOf(row('OVER'), after(500, 500))).toBeNull();
});
