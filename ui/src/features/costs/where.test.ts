import { expect, test } from 'vitest';
import type { Filter } from '@/shared';
import { listedWhere, storedWhere } from './where';

const range = { from: '2024-09-01', to: '2024-09-30' };

/** The condition one filter becomes. */
function listed(filter: Filter): unknown {
  return listedWhere({ range, filters: [filter] })._and?.[0];
}

test('the range holds its last day, and charges counted elsewhere stand in no total', () => {
  expect(listedWhere({ range, currency: 'USD', filters: [] })).toEqual({
    spend_date: { _gte: '2024-09-01T00:00:00', _lt: '2024-10-01T00:00:00' },
    _and: [
      { _or: [{ exclude_aggregate: { _is_null: true } }, { exclude_aggregate: { _eq: false } }] },
      { currency_type: { _eq: 'USD' } },
    ],
  });
});

test('charges without a currency are asked for as such', () => {
  expect(listedWhere({ range, currency: null, filters: [] })._and?.[1]).toEqual({ currency_type: { _is_null: true } });
});

test('a filter by values and by their absence asks for both', () => {
  expect(listed({ field: 'region', values: ['eu-west-1', ''] })).toEqual({
    _or: [{ resource_region: { _in: ['eu-west-1'] } }, { resource_region: { _is_null: true } }],
  });
});

test('"is none of" keeps charges that have no value at all', () => {
  expect(listed({ field: 'charge', values: ['Tax'], not: true })).toEqual({
    _or: [{ charge_category: { _not_in: ['Tax'] } }, { charge_category: { _is_null: true } }],
  });
  expect(listed({ field: 'region', values: [''], not: true })).toEqual({
    _or: [{ resource_region: { _is_null: false } }],
  });
});

test('a tag is absent when there are no tags, or it is empty, too', () => {
  const without = {
    _or: [
      { tags: { _is_null: true } },
      { _not: { tags: { _has_key: 'team' } } },
      { tags: { _contains: { team: '' } } },
    ],
  };
  expect(listed({ field: 'tag:team', values: [''] })).toEqual({ _or: [without] });
  expect(listed({ field: 'tag:team', values: ['sea'] })).toEqual({ _or: [{ tags: { _contains: { team: 'sea' } } }] });
  expect(listed({ field: 'tag:team', values: ['sea'], not: true })).toEqual({
    _or: [
      { _and: [{ tags: { _has_key: 'team' } }, { _not: { _or: [{ tags: { _contains: { team: 'sea' } } }] } }] },
      without,
    ],
  });
});

test('an empty tag is no value: what groups hold as one, filters find as one', () => {
  const empty = { tags: { _contains: { team: '' } } };
  expect(listed({ field: 'tag:team', values: [''] })).toMatchObject({ _or: [{ _or: [{}, {}, empty] }] });
  expect(listed({ field: 'tag:team', values: [''], not: true })).toEqual({
    _or: [{ _and: [{ tags: { _has_key: 'team' } }, { _not: { _or: [empty] } }] }],
  });
});

test('single charges are asked for in the words of their listing', () => {
  const where = storedWhere({
    range,
    currency: 'EUR',
    filters: [
      { field: 'account', values: ['a'], not: true },
      { field: 'tag:team', values: ['sea'] },
    ],
  });
  expect(where).toMatchObject({
    date: { _gte: '2024-09-01T00:00:00' },
    _and: [
      { _or: [{ cloud_account: { _not_in: ['a'] } }, { cloud_account: { _is_null: true } }] },
      { _or: [{ tags: { _contains: '{"team":"sea"}' } }] },
      {},
      { unit: { _eq: 'EUR' } },
    ],
  });
});
