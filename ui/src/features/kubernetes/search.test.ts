import { expect, test } from 'vitest';
import { columnsFor } from './columns';
import { isBeside } from './search';

test('a list beside a panel has the columns it has room for, whichever panel it is', () => {
  expect([{}, { id: 'a-pod' }, { yaml: ' ' }, { changes: 'newest' }].map(isBeside)).toEqual([false, true, true, true]);
  const columns = columnsFor('workloads', 'beside', new Map(), new Date('2026-11-26T08:00:00Z'));
  expect(columns.map(({ id }) => id)).toEqual(['name', 'ready']);
});
