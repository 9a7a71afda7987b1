import { expect, test } from 'vitest';
import { codeOfLink } from './session';

test('a code is taken once and leaves the address', () => {
  window.history.replaceState(null, '', '/sign-in#code=abc-123');
  expect([codeOfLink(), codeOfLink()]).toEqual(['abc-123', null]);
  expect(window.location.href).not.toContain('abc-123');
});
