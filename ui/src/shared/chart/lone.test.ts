import { expect, test } from 'vitest';
import { loneValues } from './lone';

test('values without a neighbour are points, whatever else the line has', () => {
  expect(loneValues([5])).toEqual([0]);
  expect(loneValues([5, null, null])).toEqual([0]);
  expect(loneValues([null, 1, 2, null, 0, null])).toEqual([4]);
  expect(loneValues([1, 2, 3])).toEqual([]);
});
