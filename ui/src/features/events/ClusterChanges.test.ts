import { expect, test } from 'vitest';
import { changesBefore } from './ClusterChanges';

test('a change counts that may have come before the event, in its namespace or in none', () => {
  expect(changesBefore('c', null, '2026-01-03T10:00:00')).toEqual({
    cloud_account_id: { _eq: 'c' },
    previous_at: { _lte: '2026-01-03T10:00:00' },
    observed_at: { _gte: '2026-01-02T10:00:00' },
  });
  expect(changesBefore('c', 'shop', '2026-01-03T10:00:00')).toMatchObject({
    _or: [{ namespace: { _eq: 'shop' } }, { namespace: { _is_null: true } }],
  });
});
