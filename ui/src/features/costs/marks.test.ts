import { expect, test } from 'vitest';
import { marksOf } from './marks';
import type { AnomalyOfRange } from './marks';

const anomaly: AnomalyOfRange = {
  id: '1',
  account_id: 'a',
  scope: 'service',
  name: 'Amazon EC2',
  currency: 'USD',
  impact: '1209.394',
  started_on: '2026-11-18',
  feedback: null,
};
const november = {
  range: { from: '2026-11-01', to: '2026-11-30' },
  unit: 'day',
  currency: 'USD',
  filters: [],
} as const;

test('an anomaly is marked on its first day, or on the first that is shown', () => {
  expect(marksOf([anomaly], november)).toEqual([
    { id: '1', day: '2026-11-18', text: 'Anomaly: Amazon EC2 +$1,209.39' },
  ]);
  const later = { ...november, range: { from: '2026-11-20', to: '2026-11-30' } };
  expect(marksOf([anomaly], later)[0]?.day).toBe('2026-11-20');
  // 2026-11-16 is a Monday.
  expect(marksOf([anomaly], { ...november, unit: 'week' })[0]?.day).toBe('2026-11-16');
});

test('what was judged, is in another currency, or is not about the filtered charges has no mark', () => {
  expect(marksOf([{ ...anomaly, feedback: 'expected' }], november)).toEqual([]);
  expect(marksOf([{ ...anomaly, feedback: 'useful' }], november)).toHaveLength(1);
  expect(marksOf([{ ...anomaly, currency: 'EUR' }], november)).toEqual([]);
  const of = (field: string, values: string[], not = false) =>
    marksOf([anomaly], { ...november, filters: [{ field, values, ...(not ? { not } : {}) }] });
  expect(of('service', ['Amazon EC2'])).toHaveLength(1);
  expect(of('service', ['Amazon S3'])).toEqual([]);
  expect(of('service', ['Amazon EC2'], true)).toEqual([]);
  expect(of('account', ['a'])).toHaveLength(1);
  expect(of('tag:team', ['web'])).toEqual([]);
  const filters = (value: string) => [{ field: 'tag:virtual:team', values: [value] }];
  const tagged = { ...anomaly, scope: 'tag', name: 'team: web' };
  expect(marksOf([tagged], { ...november, filters: filters('web') })).toHaveLength(1);
  expect(marksOf([tagged], { ...november, filters: filters('data') })).toEqual([]);
  expect(marksOf([tagged], november)[0]?.text).toBe('Anomaly: team: web +$1,209.39');
});
