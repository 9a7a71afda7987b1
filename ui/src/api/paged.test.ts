import { expect, test } from 'vitest';
import { joined, pageSize } from './paged';

test('pages that have come and follow each other are one part of the list', () => {
  expect(joined([['a'], ['b']], 0)).toEqual({ rows: ['a', 'b'], first: 0 });
  expect(joined([undefined, ['b'], ['c'], undefined, ['e']], 3)).toEqual({ rows: ['b', 'c'], first: 4 * pageSize });
  expect(joined([undefined], 2)).toEqual({ rows: undefined, first: 2 * pageSize });
});
