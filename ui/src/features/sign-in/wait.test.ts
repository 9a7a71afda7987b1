import { expect, test } from 'vitest';
import { ApiError } from '@/api';
import { secondsToWait } from './wait';

test('the wait after too many tries is read from the answer', () => {
  const answer = (code: string, seconds: unknown) => new ApiError(code, '', 429, '', { retry_after: seconds });
  expect([secondsToWait(answer('slow_down', 2.2)), secondsToWait(answer('slow_down', 'soon'))]).toEqual([3, 0]);
  expect([secondsToWait(answer('wrong_credentials', 9)), secondsToWait(null)]).toEqual([0, 0]);
});
