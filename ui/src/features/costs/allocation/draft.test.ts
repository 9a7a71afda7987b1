import { expect, test } from 'vitest';
import { draftOf, newDraft, problemsOf, rowOf, sharesOf } from './draft';
import type { Rule } from './queries';

const rule = {
  id: '1',
  name: 'Support',
  position: 2,
  scope: { service_name: ['AWS Support'], untagged: ['team'] },
  method: 'fixed',
  target: 'tags.team',
  shares: { web: 60, data: 39.5 },
  basis: {},
  number_name: null,
  is_active: true,
} as unknown as Rule;

test('a rule comes back as it was stored', () => {
  const draft = draftOf(rule);
  expect(problemsOf(draft)).toEqual({});
  expect(rowOf(draft)).toEqual({
    name: 'Support',
    position: 2,
    scope: { service_name: ['AWS Support'], untagged: ['team'] },
    method: 'fixed',
    target: 'tags.team',
    shares: { web: 60, data: 39.5 },
    number_name: null,
    is_active: true,
  });
});

test('shares are a name and a percentage a line, names alone where they are even', () => {
  expect(sharesOf('web team 60 %\ndata: 39,5', 'fixed')).toEqual({ 'web team': 60, data: 39.5 });
  expect(sharesOf('web\n\ndata', 'even')).toEqual({ web: 1, data: 1 });
  expect(sharesOf('web', 'fixed')).toBeNull();
});

test('a draft says what it lacks', () => {
  expect(Object.keys(problemsOf(newDraft(1)))).toEqual(['name', 'scope']);
  const fixed = { ...newDraft(1), name: 'x', untagged: 'team', method: 'fixed' as const, shares: 'a 60\nb 50' };
  expect(Object.keys(problemsOf(fixed))).toEqual(['shares']);
  expect(problemsOf({ ...fixed, shares: 'a 60\nb 40' })).toEqual({});
  expect(Object.keys(problemsOf({ ...fixed, method: 'usage' }))).toEqual(['number']);
});
