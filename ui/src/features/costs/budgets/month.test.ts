import { expect, test } from 'vitest';
import { monthsOf, requestFor } from './month';
import { budgetsSearch } from './search';

test('a month before the newest one shows how budgets stood on its last day', () => {
  const months = monthsOf({ from: '2026-04-20', to: '2026-06-17' });
  expect(months).toEqual(['2026-06', '2026-05', '2026-04']);
  expect(requestFor('2026-05', months[0])).toEqual({ as_of: '2026-05-31' });
  expect(requestFor('2026-06', months[0])).toEqual({});
  expect(requestFor(undefined, months[0])).toEqual({});
  expect(requestFor('2026-05', undefined)).toEqual({});
});

test('an address names a month and a kind of scope, or neither', () => {
  expect(budgetsSearch({ month: '2026-05', scope: 'account' })).toEqual({ month: '2026-05', scope: 'account' });
  expect(budgetsSearch({ month: '2026-13', scope: 'planet' })).toEqual({});
  expect(budgetsSearch({ month: 5 })).toEqual({});
});
