import { expect, test } from 'vitest';
import { actionWords, emptyDraft, given, matchWords, problemsOf } from './rule';
import type { Rule } from './rule';
import { triageSearch } from './search';

test('a rule needs a name, something to match, and whole points', () => {
  expect(problemsOf(emptyDraft)).toEqual({
    name: 'Enter a name, for example “Test alerts of staging”',
    match: 'Fill in at least one: a rule that matches every event is rejected',
  });
  const draft = { ...emptyDraft, name: 'Quiet', namespace: ' payments ' };
  expect(problemsOf(draft)).toEqual({});
  expect(given(draft)).toEqual({ namespace: 'payments' });
  expect(problemsOf({ ...draft, action: 'adjust_score', value: 'ten' })).toEqual({
    value: '“ten” is not a whole number. Enter points such as -10',
  });
});

test('a rule is told in words', () => {
  const rule = {
    match_alertname: 'KubePodCrashLooping',
    match_namespace: 'payments',
    match_occurrence_greater_than: null,
    action: 'adjust_score',
    action_value: '-10',
  } as Rule;
  expect(matchWords(rule)).toBe('alert KubePodCrashLooping, namespace payments');
  expect(actionWords(rule)).toBe('Change the score by -10');
  expect(triageSearch({ id: 7 })).toEqual({});
});
