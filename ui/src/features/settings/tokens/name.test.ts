import { expect, test } from 'vitest';
import { problemOfName, unusedDays } from './name';

test('a token has a name of its own, of letters, digits and hyphens', () => {
  expect(problemOfName('month-end', ['nightly'])).toBeNull();
  expect(problemOfName('', [])).toContain('Enter a name');
  expect(problemOfName('month end', [])).toContain('other characters');
  expect(problemOfName('nightly', ['nightly'])).toContain('revoke it first');
});

test('a token that nobody used for ninety days is pointed out', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(unusedDays({ created_at: '2025-12-18T00:00:00', accessed_at: '2026-01-04T12:00:00' }, now)).toBe(320);
  expect(unusedDays({ created_at: '2025-12-18T00:00:00', accessed_at: '2026-11-19T12:00:00' }, now)).toBeNull();
  expect(unusedDays({ created_at: '2026-11-01T00:00:00', accessed_at: null }, now)).toBeNull();
});
