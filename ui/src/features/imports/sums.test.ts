import { expect, test } from 'vitest';
import type { AmountChange, ImportSums } from '@/api';
import { reportForTest } from './drawForTest';
import { byPeriods, isMixed, periodName, periodsOf, sumsOf, together } from './sums';

const none: ImportSums = { file: [], added: [], replaced: [], stored: [] };
const usd = (billed_cost: string, period: string | null = '2026-10') => ({ currency: 'USD', period, billed_cost });
const change = (account: string, before: string, after: string): AmountChange => ({
  period: '2026-10',
  account,
  account_name: account,
  currency: 'USD',
  before,
  after,
});

test('parts of a month add up, and what is stored is what the last one left', () => {
  const parts = [
    { ...none, file: [usd('1738.10', null)], added: [usd('1738.10')], stored: [usd('1738.10')] },
    { ...none, file: [usd('900.05', null)], added: [usd('900.05')], stored: [usd('2638.15')] },
    { ...none, file: [usd('893.85', null)], added: [usd('893.85')], stored: [usd('3532')] },
  ];
  expect(together(parts.map((sums) => reportForTest({ sums })))).toEqual({
    file: [usd('3532', null)],
    added: [usd('3532')],
    replaced: [],
    stored: [usd('3532')],
  });
});

test('a replacement of several files goes from before the first to after the last', () => {
  const first = reportForTest({ sums: { ...none, replaced: [change('a', '10', '4')], stored: [usd('4')] } });
  const second = reportForTest({
    sums: { ...none, replaced: [change('a', '4', '12'), change('b', '1', '2')], stored: [usd('14')] },
  });
  expect(together([first, second])?.replaced).toEqual([change('a', '10', '12'), change('b', '1', '2')]);
  // A delivery may say the same in each of its reports.
  expect(together([first, first])?.replaced).toEqual([change('a', '10', '4')]);
});

test('reports without costs have no sums', () => {
  expect(sumsOf(reportForTest({}))).toBeNull();
  expect(sumsOf(reportForTest({ sums: none }))).toBeNull();
  expect(together([reportForTest({})])).toBeNull();
});

test('periods have their own total over their accounts, exactly', () => {
  const [october] = byPeriods([change('a', '0.1', '0.2'), change('b', '0.2', '0.1')]);
  expect([october?.before, october?.after, october?.accounts.length]).toEqual(['0.3', '0.3', 2]);
});

test('amounts of several currencies are told apart', () => {
  expect(isMixed({ ...none, file: [usd('1')], stored: [{ ...usd('1'), currency: 'EUR' }] })).toBe(true);
  expect(isMixed({ ...none, file: [usd('1')], stored: [usd('2')] })).toBe(false);
});

test('a period is named by its month or its day', () => {
  expect([periodName('2026-05'), periodName('2026-05-16')]).toEqual(['May 2026', '16 May 2026']);
});

test('each period stands once, with what was added to it and what is stored of it', () => {
  const sums = { added: [usd('2', '2026-11'), usd('1')], stored: [usd('5', '2026-11'), usd('9', '2026-09')] };
  expect(periodsOf(sums).map((one) => [one.period, one.added?.billed_cost, one.stored?.billed_cost])).toEqual([
    ['2026-09', undefined, '9'],
    ['2026-10', '1', undefined],
    ['2026-11', '2', '5'],
  ]);
});
