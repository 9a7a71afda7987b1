import { expect, test } from 'vitest';
import { isFiring } from '@/api';
import { eventsSearch, tidy } from './search';
import { inView, orderOf, since, whereOf } from './where';

const now = new Date('2026-11-25T01:34:56Z');

test('every word of a search is looked for, % and _ as they stand', () => {
  const { _and: parts } = whereOf({ q: 'node_1 50%' }, now);
  expect(parts).toHaveLength(2);
  expect(JSON.stringify(parts?.[0])).toContain('{"title":{"_ilike":"%node\\\\_1%"}}');
  expect(JSON.stringify(parts?.[1])).toContain('"%50\\\\%%"');
});

test('filters become columns of the table, a period a time that stays the same for ten minutes', () => {
  const where = whereOf(
    {
      filters: [
        { field: 'severity', values: ['HIGH'] },
        { field: 'triage', values: ['DUPLICATE', 'SUPPRESSED'], not: true },
      ],
      since: 'day',
    },
    now,
  );
  expect(where).toEqual({
    _and: [
      { priority: { _in: ['HIGH'] } },
      { nb_status: { _nin: ['DUPLICATE', 'SUPPRESSED'] } },
      { starts_at: { _gte: '2026-11-24T01:30:00' } },
    ],
  });
  expect(since('week', new Date('2026-11-25T01:39:59Z'))).toBe(since('week', now));
  expect(inView(where, undefined)).toBe(where);
  expect(inView(where, 'firing')).toEqual({ _and: [where, isFiring] });
  expect(inView(where, 'closed')).toEqual({ _and: [where, { status: { _eq: 'CLOSED' } }] });
});

test('an event belongs to whoever decided on it last, and to nobody while it is open', () => {
  const where = whereOf({ filters: [{ field: 'owner', values: ['nobody', 'u1'] }] }, now);
  const none = {
    _or: [
      { _or: [{ nb_status: { _eq: 'OPEN' } }, { nb_status: { _is_null: true } }] },
      { nb_status_changed_by: { _is_null: true } },
    ],
  };
  const some = { _and: [{ nb_status_changed_by: { _in: ['u1'] } }, { nb_status: { _neq: 'OPEN' } }] };
  expect(where).toEqual({ _and: [{ _or: [some, none] }] });
  expect(whereOf({ filters: [{ field: 'owner', values: ['u1'], not: true }] }, now)).toEqual({
    _and: [{ _not: { _or: [some] } }],
  });
});

test('pages fit together, and events of one moment are ordered by title: the order ends with the id', () => {
  expect(orderOf(undefined)).toEqual([{ starts_at: 'desc_nulls_last' }, { title: 'asc' }, { id: 'asc' }]);
  expect(orderOf('priority')).toEqual([{ computed_score: 'asc_nulls_last' }, { title: 'asc' }, { id: 'asc' }]);
  expect(orderOf('-nonsense')).toEqual([{ starts_at: 'desc_nulls_last' }, { title: 'asc' }, { id: 'asc' }]);
});

test('an address with broken values shows what is left of it', () => {
  expect(
    eventsSearch({ show: 'all', since: 'week', q: 7, filters: [{ field: 'x', values: ['y'] }, null], id: 'e1' }),
  ).toEqual({ since: 'week', q: '7', id: 'e1' });
  expect(tidy({ q: '', show: 'firing', filters: [] })).toEqual({ show: 'firing' });
});
