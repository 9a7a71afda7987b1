import { expect, test } from 'vitest';
import { changesWhere, fieldsOf } from './change';

test('fields of a comparison are read, and what is no field is left out', () => {
  expect(
    fieldsOf([
      { path: 'spec.replicas', before: 2, after: 3 },
      { path: 'spec.paused', after: true },
      { path: 'spec.text', before: 'a' },
      'broken',
      null,
      { after: 1 },
    ]),
  ).toEqual([
    { path: 'spec.replicas', before: '2', after: '3' },
    { path: 'spec.paused', before: undefined, after: 'true' },
    { path: 'spec.text', before: 'a', after: undefined },
  ]);
  expect(fieldsOf({})).toEqual([]);
});

test('one dump and one namespace, or all', () => {
  expect(changesWhere('c', 'all', '')).toEqual({ cloud_account_id: { _eq: 'c' } });
  expect(changesWhere('c', '2026-01-02T00:00:00', 'shop')).toEqual({
    cloud_account_id: { _eq: 'c' },
    observed_at: { _eq: '2026-01-02T00:00:00' },
    namespace: { _eq: 'shop' },
  });
});
