import { expect, test } from 'vitest';
import { draftOf, emptyDraft, given, problemsOf, ruleWords } from './rule';
import type { Rule } from './rule';

const rule: Rule = {
  id: 'r',
  cloud_account_id: 'a',
  anomaly_type: 'CPU',
  buffer_percentage: '12.5',
  change_operator: 'LTE',
  reference_period: '2w',
  reference_unit: 'P99',
  enabled: true,
};

test('a rule is one line, and a period that is not understood stands as it is', () => {
  expect(ruleWords(rule)).toBe('CPU at least 12.5% below P99 of the last 2 weeks');
  expect(ruleWords({ ...rule, change_operator: 'GT', reference_period: 'month' })).toBe(
    'CPU more than 12.5% above P99 of the last month',
  );
});

test('a draft keeps what the rule has', () => {
  expect(given(draftOf(rule))).toEqual({
    buffer_percentage: 12.5,
    change_operator: 'LTE',
    reference_period: '2w',
    reference_unit: 'P99',
  });
});

test('what is wrong is said with the value and a right one', () => {
  expect(problemsOf({ ...emptyDraft, account: 'a' }, [])).toEqual({});
  expect(problemsOf({ ...emptyDraft, account: 'a', buffer: '-1', period: '0w', unit: ' ' }, [])).toEqual({
    buffer: '“-1” is not a percentage. Enter 0 or more, such as 20',
    period: '“0w” is not a period. Enter hours, days or weeks, such as 12h, 7d or 1w',
    unit: 'Enter how to calculate the reference, such as P99',
  });
});

test('an account has one rule for a metric that is on', () => {
  const draft = { ...emptyDraft, account: 'a' };
  expect(problemsOf(draft, [rule]).metric).toMatch(/has a rule for CPU that is on/);
  expect(problemsOf(draft, [{ ...rule, enabled: false }])).toEqual({});
  expect(problemsOf({ ...draft, account: 'b' }, [rule])).toEqual({});
});
