import { expect, test } from 'vitest';
import { logsOf } from './Detail';

test('the log of a pod is that of the day up to when it was seen last', () => {
  expect(logsOf({ name: 'web-1', last_seen: '2022-12-21T16:43:10' })).toEqual({
    q: '{pod="web-1"}',
    from: '2022-12-20T16:43',
    to: '2022-12-21T17:43',
  });
  expect(logsOf({ name: 'web-1', last_seen: null })).toEqual({ q: '{pod="web-1"}' });
});
