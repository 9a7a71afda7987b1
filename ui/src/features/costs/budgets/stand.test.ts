import { expect, test } from 'vitest';
import { budgetForTest } from './budget.fixture';
import type { Budget } from './queries';
import { forHowLong, isFunding, needsAttention, scopeKind, scopeWords, standOf } from './stand';

test('how a budget stands is said in an amount', () => {
  expect(standOf(budgetForTest({}), false)).toEqual({ tone: 'bad', text: '$455 over' });
  const expected = budgetForTest({ state: 'forecast_crossed', spent: '2000', forecast: '4600' });
  expect(standOf(expected, false)).toEqual({ tone: 'warn', text: '$100 over forecast' });
  const threshold = budgetForTest({ state: 'forecast_crossed', spent: '2000', forecast: '4000' });
  expect(standOf(threshold, false).text).toBe('Forecast threshold reached');
  const near = budgetForTest({
    state: 'near',
    thresholds: [
      { percent: '50', on: 'actual', reached_on: '2026-11-09' },
      { percent: '80', on: 'actual', reached_on: '2026-11-15' },
      { percent: '100', on: 'actual', reached_on: null },
    ],
  });
  expect(standOf(near, false).text).toBe('80% reached');
  expect(standOf(budgetForTest({ state: 'unknown' }), false).text).toBe('Not known');
  expect(needsAttention(budgetForTest({ state: 'ok' }))).toBe(false);
});

test('the scope is told with names of accounts', () => {
  const names = new Map([['a1', 'aws-staging']]);
  expect(scopeWords(budgetForTest({}), names)).toBe('Everything in this tenant');
  expect(scopeWords(budgetForTest({ scope: { account_ids: ['a1'], service_name: ['EC2'] } }), names)).toBe(
    'aws-staging, EC2',
  );
  expect(scopeWords(budgetForTest({ account_id: 'a1' }), names)).toBe('Budget of the account');
});

test('a budget is about everything, one account, what its filters say, a unit or a project', () => {
  const budgets: Partial<Budget>[] = [
    {},
    { account_id: 'a1' },
    { scope: { account_ids: ['a1'] } },
    { scope: { account_ids: ['a1', 'a2'] } },
    { business_unit_id: 'u1', scope: { business_unit: ['u1'] } },
    { project_id: 'p1', scope: { project: ['p1'] } },
  ];
  expect(budgets.map((budget) => scopeKind(budgetForTest(budget)))).toEqual([
    'everything',
    'account',
    'account',
    'filters',
    'unit',
    'project',
  ]);
});

const now = new Date('2026-06-17T12:00:00Z');

test('funding is told with whose it is and its days', () => {
  const days = { period: null, from: '2026-01-01', until: '2026-12-31' };
  const unit = budgetForTest({ business_unit_id: 'u1', scope: { business_unit: ['u1'] }, ...days });
  expect([scopeWords(unit, new Map()), forHowLong(unit, now), isFunding(unit)]).toEqual([
    'Funding of the business unit',
    'for 2026',
    true,
  ]);
  const project = budgetForTest({ project_id: 'p1', scope: { project: ['p1'] }, ...days });
  expect(scopeWords(project, new Map())).toBe('Funding of the project');
  expect([forHowLong(budgetForTest({}), now), isFunding(budgetForTest({}))]).toEqual(['per month', false]);
});
