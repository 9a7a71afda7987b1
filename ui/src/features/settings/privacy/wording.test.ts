import { expect, test } from 'vitest';
import { problemOfAmount, problemOfLimit } from './limits';
import type { Level } from './queries';
import { problemOfWords, replacesOf, shareOf, stateOf, tokensIn, wordsOf } from './wording';

const level: Level = {
  budget_limit: '400',
  budget_enabled: true,
  current_usage: '10.5',
  limit_source: 'system_default',
  rate_limit: false,
  reached: null,
  budget_disabled: false,
  daily_limit: '30',
  daily_usage: '0',
  session_limit: null,
  sessions: 2,
  daily_session_limit: null,
  daily_sessions: 0,
};

test('names are replaced for models elsewhere unless somebody decided otherwise', () => {
  expect([undefined, null, 'sometimes', 'never', 'always'].map(replacesOf)).toEqual([
    'outside',
    'outside',
    'outside',
    'never',
    'always',
  ]);
});

test('words stand one a line and once, and short ones are told', () => {
  expect(wordsOf(' Falcon \n\nFalcon\nBlue Heron')).toEqual(['Falcon', 'Blue Heron']);
  expect(problemOfWords(['Falcon'])).toBeUndefined();
  expect(problemOfWords(['Falcon', 'ab'])).toBe('“ab” has 2 characters: a word has 3 to 100');
});

test('tokens are told apart from the text around them, the longer one first', () => {
  expect(tokensIn('Ask account-1 and account-10.', ['account-1', 'account-10'])).toEqual([
    { text: 'Ask ', isToken: false },
    { text: 'account-1', isToken: true },
    { text: ' and ', isToken: false },
    { text: 'account-10', isToken: true },
    { text: '.', isToken: false },
  ]);
  expect(tokensIn('Nothing', [])).toEqual([{ text: 'Nothing', isToken: false }]);
});

test('a budget says which limit is reached', () => {
  expect(stateOf(level).word).toBe('In budget');
  expect(stateOf({ ...level, current_usage: '330' }).word).toBe('Nearly spent');
  expect(stateOf({ ...level, rate_limit: true, reached: 'cost of the day' })).toEqual({
    word: 'Reached: cost of the day',
    tone: 'bad',
  });
  expect(stateOf({ ...level, budget_disabled: true, rate_limit: true }).word).toBe('Not limited');
});

test('a limit of nothing is used up, and none at all never', () => {
  expect([shareOf('0', '0'), shareOf('5', '10'), shareOf('50', '10'), shareOf('0', null)]).toEqual([1, 0.5, 1, 0]);
});

test('what is no limit is quoted with one that is', () => {
  expect(problemOfLimit(null, false)).toBeUndefined();
  expect(problemOfLimit('12.5', true)).toBe('“12.5” is not a whole number. Enter one such as 50');
  expect(problemOfLimit('12.5', false)).toBeUndefined();
  expect(problemOfAmount('-3')).toBe('“-3” is below 0');
  expect(problemOfAmount('much')).toBe('“much” is not an amount. Enter one such as 400 or 12.50');
});
