import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkTitle } from './checkTitle';

test('a check that failed says what is wrong, every other what it is about', () => {
  const check = { id: 'audience', title: 'Audience matches' };
  expect(checkTitle({ ...check, state: 'failed' })).toBe('Audience differs');
  expect(checkTitle({ ...check, state: 'not_reached' })).toBe('Audience matches');
});

test('no check keeps the title of a passed one when it fails', () => {
  const source = readFileSync('../src-tauri/crates/auth/src/saml/check.rs', 'utf8');
  const steps = [...source.slice(source.indexOf('const STEPS')).matchAll(/^ {4}\("(\w+)", "([^"]+)"/gm)];
  // The last is the end of the ladder, not a check.
  const checks = steps.slice(0, -1).map(([, id = '', title = '']) => ({ id, title }));
  expect(checks.length).toBeGreaterThan(15);
  expect(checks.filter((check) => checkTitle({ ...check, state: 'failed' }) === check.title)).toEqual([]);
});
