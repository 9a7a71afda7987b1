import { expect, test } from 'vitest';
import { linkCommand, takeCode } from './code';

test('a code is taken once and leaves the address', () => {
  window.history.replaceState(null, '', '/sign-in#code=abc-123');
  expect([takeCode(), takeCode()]).toEqual(['abc-123', null]);
  expect(window.location.href).not.toContain('abc-123');
});

test('the command for a link names the address only when it is an unusual one', () => {
  expect(linkCommand('http://127.0.0.1:8790')).toBe('quarterdeck-server user link administrator@localhost');
  expect(linkCommand('http://10.0.0.5:9000')).toBe(
    'quarterdeck-server user link administrator@localhost --url http://10.0.0.5:9000',
  );
});
