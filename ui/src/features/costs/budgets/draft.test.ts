import { expect, test } from 'vitest';
import { draftOf, filtersOf, newDraft, problemsOf, rowOf } from './draft';
import { budgetForTest } from './budget.fixture';

test('a budget that is read and written again is the same', () => {
  const budget = budgetForTest({
    scope: { service_name: ['Amazon EC2'], account_ids: ['a1'], 'tags.team': ['sea'] },
    thresholds: [
      { percent: '50', on: 'actual', reached_on: null },
      { percent: '100', on: 'forecast', reached_on: null },
    ],
  });
  expect(rowOf(draftOf(budget))).toEqual({
    name: 'Staging',
    amount: '4500',
    currency: 'USD',
    period: 'month',
    scope: { service_name: ['Amazon EC2'], account_ids: ['a1'], 'tags.team': ['sea'] },
    thresholds: [50, { percent: 100, on: 'forecast' }],
  });
});

test('the scope of a budget is filters of the Explorer', () => {
  expect(filtersOf({ service_name: ['a'], 'tags.team': ['sea'] })).toEqual([
    { field: 'service', values: ['a'] },
    { field: 'tag:team', values: ['sea'] },
  ]);
  expect(filtersOf({})).toEqual([]);
});

test('what is wrong with a draft stands at its field', () => {
  const draft = newDraft('usd');
  expect(Object.keys(problemsOf(draft)).sort()).toEqual(['amount', 'currency', 'name']);
  const right = { ...draft, name: 'All', amount: '0.01', currency: 'USD' };
  expect(problemsOf(right)).toEqual({});
  expect(problemsOf({ ...right, amount: '0' }).amount).toBeDefined();
  expect(problemsOf({ ...right, amount: '1,000' }).amount).toBeDefined();
  const twice = [
    { percent: '80', on: 'actual' as const },
    { percent: '80', on: 'actual' as const },
  ];
  expect(problemsOf({ ...right, thresholds: twice }).thresholds).toBeDefined();
});

test('thresholds ascend, whatever the order they were written in', () => {
  const at = (percent: string) => ({ percent, on: 'actual' as const });
  const draft = { ...newDraft('USD'), thresholds: [at('100'), at('9'), at('50')] };
  expect(rowOf(draft).thresholds).toEqual([9, 50, 100]);
});
