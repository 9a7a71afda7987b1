import { expect, test } from 'vitest';
import { resourcesSearch } from './search';
import { pageRequest, recent, totalsRequest } from './where';

const days = { from: '2024-09-01', to: '2024-09-30' };

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

test('the service is asked for what the address describes, in days that it can compare', () => {
  const filters = [
    { field: 'type', values: ['vm', ''], not: true },
    { field: 'account', values: ['a'] },
  ];
  expect(totalsRequest(days, { q: '100% db_1', filters })).toEqual({
    from: '2024-09-01T00:00:00',
    until: '2024-10-01T00:00:00',
    search: '100% db_1',
    filters: [
      { field: 'TYPE', values: ['vm', ''], not: true },
      { field: 'ACCOUNT', values: ['a'], not: false },
    ],
  });
});

test('a page has its place, its order and at most a hundred rows', () => {
  const all = totalsRequest(days, {});
  expect(pageRequest(all, '-cost-USD', 2010)).toEqual({
    ...all,
    sort: 'COST',
    currency: 'USD',
    descending: true,
    limit: 100,
    offset: 201_000,
  });
  expect(pageRequest(all, 'seen', 0)).toMatchObject({ sort: 'LAST_SEEN', descending: false, offset: 0 });
  expect(pageRequest(all, '-nothing', 0)).toMatchObject({ sort: 'NAME' });
});

test('recent days end where costs end and begin no earlier than they do', () => {
  expect(recent({ from: '2024-01-01', to: '2024-09-30' })).toEqual({ from: '2024-09-01', to: '2024-09-30' });
  expect(recent({ from: '2024-09-20', to: '2024-09-30' })).toEqual({ from: '2024-09-20', to: '2024-09-30' });
});
