import { expect, test } from 'vitest';
import { budgetForTest } from './budget.fixture';
import { reachedWith, spreadOf } from './spread';

const whole = budgetForTest({ amount: '78000' });

test('budgets of accounts are added up beside that of the tenant', () => {
  const own = budgetForTest({ account_id: 'a1', amount: '40000' });
  const scoped = budgetForTest({ scope: { account_ids: ['a2'] }, amount: '45000' });
  expect(spreadOf(whole, [whole, own, scoped])).toEqual({ total: '85000', more: '7000' });
  expect(spreadOf(whole, [whole, own])).toEqual({ total: '40000', more: '-38000' });
});

test('an account counts once, by the budget it has of its own', () => {
  const own = budgetForTest({ account_id: 'a1', amount: '40000' });
  const again = budgetForTest({ scope: { account_ids: ['a1'] }, amount: '90000' });
  expect(spreadOf(whole, [again, own])?.total).toBe('40000');
  expect(spreadOf(whole, [own, again])?.total).toBe('40000');
});

test('budgets of another currency or period, of several accounts or of a part of one are not added', () => {
  const account = { scope: { account_ids: ['a1'] }, amount: '90000' };
  const others = [
    budgetForTest({ ...account, currency: 'EUR' }),
    budgetForTest({ ...account, period: 'year' }),
    budgetForTest({ ...account, scope: { account_ids: ['a1', 'a2'] } }),
    budgetForTest({ ...account, scope: { account_ids: ['a1'], service_name: ['EC2'] } }),
  ];
  expect(spreadOf(whole, [whole, ...others])).toBeNull();
  expect(spreadOf(whole, [budgetForTest({ ...account, amount: '78000.00' })])).toBeNull();
});

test('another amount is held against the days of the period that were billed', () => {
  const day = (date: string, running: string, is_forecast = false) => ({ date, running, is_forecast });
  const days = [day('2026-11-09', '2250'), day('2026-11-18', '6240'), day('2026-11-30', '7800', true)];
  const thresholds = [
    { percent: '100', on: 'actual' as const },
    { percent: '80', on: 'actual' as const },
    { percent: '50', on: 'actual' as const },
    { percent: '90', on: 'forecast' as const },
  ];
  expect(reachedWith({ days }, '7800', thresholds)).toEqual([
    { percent: '50', date: '2026-11-18' },
    { percent: '80', date: '2026-11-18' },
  ]);
  expect(reachedWith({ days }, '20000', thresholds)).toEqual([]);
});
