import { expect, test } from 'vitest';
import { resourcesSearch } from './search';
import { recent, resourcesWhere } from './where';

test('what an address holds is kept, what is broken is left out', () => {
  const filters = [{ field: 'service', values: ['AWS Key Management, Service', ''], not: true }];
  expect(resourcesSearch({ q: 42, sort: '-cost-USD', filters, id: 'x' })).toEqual({
    q: '42',
    sort: '-cost-USD',
    filters,
    id: 'x',
  });
  expect(
    resourcesSearch({ q: '', filters: [{ field: 'tenant', values: ['a'] }, { field: 'type', values: [] }, null] }),
  ).toEqual({});
});

test('every word must be found, and stands for itself', () => {
  const { _and: all } = resourcesWhere({ q: ' 100%  db_1 ' });
  expect(all).toHaveLength(2);
  expect(JSON.stringify(all)).toContain(String.raw`%100\\%%`);
  expect(JSON.stringify(all)).toContain(String.raw`%db\\_1%`);
});

test('who excludes values keeps the resources that have none', () => {
  const filters = (not: boolean, ...values: string[]) =>
    resourcesWhere({ filters: [{ field: 'type', values, not }] })._and;
  expect(filters(false, 'vm', '')).toEqual([{ _or: [{ type: { _in: ['vm'] } }, { type: { _is_null: true } }] }]);
  expect(filters(true, 'vm')).toEqual([{ _or: [{ type: { _nin: ['vm'] } }, { type: { _is_null: true } }] }]);
  expect(filters(true, '')).toEqual([{ _and: [{ type: { _nin: [] } }, { type: { _is_null: false } }] }]);
});

test('recent days end where costs end and begin no earlier than they do', () => {
  expect(recent({ from: '2024-01-01', to: '2024-09-30' })).toEqual({ from: '2024-09-01', to: '2024-09-30' });
  expect(recent({ from: '2024-09-20', to: '2024-09-30' })).toEqual({ from: '2024-09-20', to: '2024-09-30' });
});
