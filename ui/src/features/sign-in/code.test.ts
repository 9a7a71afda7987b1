import { expect, test } from 'vitest';
import { takeCode } from './code';

test('a code is taken once and leaves the address', () => {
  window.history.replaceState(null, '', '/sign-in#code=abc-123');
  expect([takeCode(), takeCode()]).toEqual(['abc-123', null]);
  expect(window.location.href).not.toContain('abc-123');
});
