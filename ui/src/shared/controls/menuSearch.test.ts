import { expect, test } from 'vitest';
import { matchOf } from './menuSearch';

const words = ['Accounts', 'Anomalies', 'Budgets', 'Approvals'];

test.each([
  ['b', -1, 2],
  ['B', 0, 2],
  // A letter leads on, and begins anew after the last.
  ['a', 0, 1],
  ['a', 1, 3],
  ['a', 3, 0],
  ['aaa', 1, 3],
  // A word stays where its beginning has led to.
  ['ap', 3, 3],
  ['an', 1, 1],
  ['acx', 0, -1],
  ['x', 0, -1],
])('"%s" from %i leads to %i', (typed, at, found) => {
  expect(matchOf(words, typed, at)).toBe(found);
});

test('nothing is found where there is nothing', () => {
  expect(matchOf([], 'a', -1)).toBe(-1);
});
