import { expect, test } from 'vitest';
import { rowForTest } from './anomaly.fixture';
import { newLevelOf } from './level';

const row = (state: string, actual = 300, anomaly_type = 'CloudSpendService') =>
  rowForTest({
    state,
    anomaly_type,
    ended_on: '2026-06-15',
    reference: { run: [{ date: '2026-06-15', actual, expected: 100 }] },
  });

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
