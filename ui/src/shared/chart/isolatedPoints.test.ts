import { expect, test } from 'vitest';
import { isolatedPoints } from './isolatedPoints';

test('values without a neighbour are points, whatever else the line has', () => {
  expect(isolatedPoints([5])).toEqual([0]);
  expect(isolatedPoints([5, null, null])).toEqual([0]);
  expect(isolatedPoints([null, 1, 2, null, 0, null])).toEqual([4]);
  expect(isolatedPoints([1, 2, 3])).toEqual([]);
});
