import { expect, test } from 'vitest';
import { columnsOf } from './ThingList';

test('the list keeps to what there is room for, beside an open node too', () => {
  const ids = (room: Parameters<typeof columnsOf>[2]) =>
    columnsOf({ things: [], relations: [] }, new Map(), room).map(({ id }) => id);
  expect(ids('wide')).toEqual(['name', 'kind', 'namespace', 'account', 'relations', 'source']);
  expect(ids('beside')).toEqual(['name', 'kind', 'relations']);
  expect(ids('narrow')).toEqual(['name', 'kind']);
});
