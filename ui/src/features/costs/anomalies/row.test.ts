import { expect, test } from 'vitest';
import { anomaliesSearch } from './search';
import type { AnomaliesSearch } from './search';
import { eventsNear } from './EventsAround';
import { amountOf } from './amount';
import { chartOf, ownDays } from './AnomalyChart';
import { filtersOf } from './Card';
import { rowOf, shown, sorted, titleOf, valuesOf } from './row';

const stored = {
  id: 'a',
  account_id: 'account',
  scope: 'service',
  name: 'EC2',
  namespace: null,
  anomaly_type: 'CloudSpendService',
  currency: 'USD',
  current_value: '200.5',
  started_on: '2026-06-15',
  ended_on: '2026-06-16',
  state: 'OVER',
  impact: '350.5',
  feedback: null,
  created_at: '2026-06-17T06:14:00',
  rule_version: 'cost-5',
  reference_value: {
    rule: 'A: same weekday',
    run: [
      { date: '2026-06-15', actual: '200.5', expected: 100 },
      { date: '2026-06-16', actual: 350, expected: 100 },
    ],
    values: [{ date: '2026-06-08', value: 100, weight: 1 }],
    expected: 100,
    mad: 0,
    floor: 4,
    spread: 4,
    factor: '3.5',
    min_percent: 15,
    min_amount: 5,
  },
};
const now = new Date('2026-06-17T12:00:00Z');
const accounts = new Map([['account', 'aws-production']]);

function row(change: object = {}) {
  const found = rowOf({ ...stored, ...change }, accounts, now);
  if (!found) throw new Error('no row');
  return found;
}

test('an anomaly is told by its worst day, and its numbers stay exact', () => {
  const found = row();
  expect(titleOf(found)).toBe('EC2 rose to 3.5 times usual');
  expect(found.account).toBe('aws-production');
  expect(found.reference.run[0]?.actual).toBe('200.5');
  expect(titleOf(row({ anomaly_type: 'new_service' }))).toBe('EC2 is new');
  // A name is the provider's or a person's own.
  expect(titleOf(row({ name: 'batch jobs' }))).toBe('batch jobs rose to 3.5 times usual');
  expect(row({ scope: 'total', account_id: 'tenant' }).account).toBe('all accounts');
  expect(rowOf({ ...stored, reference_value: null }, accounts, now)).toBeNull();
});

test('what has no verdict comes first, of that what goes on, then the newest', () => {
  const rows = [
    row({ id: 'old' }),
    row({ id: 'new', started_on: '2026-06-20' }),
    row({ id: 'open', state: 'GROWING', started_on: '2026-06-01' }),
    row({ id: 'said', state: 'GROWING', feedback: 'useful', started_on: '2026-06-22' }),
  ];
  expect(sorted(rows).map(({ id }) => id)).toEqual(['open', 'new', 'old', 'said']);
  expect(shown(rows, { show: 'unjudged' })).toHaveLength(3);
  expect(shown(rows, { q: 'PRODUCTION' })).toHaveLength(4);
  expect(shown(rows, { q: 'lambda' })).toEqual([]);
});

test('a period holds what has a day in it', () => {
  const rows = [row()];
  expect(shown(rows, { from: '2026-06-16', to: '2026-06-30' })).toHaveLength(1);
  expect(shown(rows, { from: '2026-06-01', to: '2026-06-15' })).toHaveLength(1);
  expect(shown(rows, { from: '2026-06-17', to: '2026-06-30' })).toEqual([]);
  expect(shown(rows, { from: '2026-06-01', to: '2026-06-14' })).toEqual([]);
});

test('an address that says nonsense shows the default', () => {
  expect(anomaliesSearch({ show: 'x', q: 5, id: null })).toEqual({ q: '5' });
  expect(anomaliesSearch({ from: '2026-06-02', to: '2026-06-01', rules: 7 })).toEqual({ rules: '7' });
  expect(anomaliesSearch({ from: '2026-06-01', to: '2026-06-02' })).toEqual({ from: '2026-06-01', to: '2026-06-02' });
});

test('filters leave rows of an account or a service, and offer what there is', () => {
  const rows = [row(), row({ id: 'b', name: 'S3', account_id: 'other' }), row({ id: 't', scope: 'total', name: 'S3' })];
  const left = (filters: AnomaliesSearch['filters']) => shown(rows, { filters: filters ?? [] }).map(({ id }) => id);
  expect(left([{ field: 'account', values: ['account'] }])).toEqual(['a']);
  expect(left([{ field: 'account', values: ['account'], not: true }])).toEqual(['b', 't']);
  expect(left([{ field: 'account', values: [''] }])).toEqual(['t']);
  expect(left([{ field: 'service', values: ['S3'] }])).toEqual(['b', 't']);
  expect(valuesOf(rows, 'service')).toEqual([
    { value: 'EC2', label: 'EC2' },
    { value: 'S3', label: 'S3' },
  ]);
  expect(
    anomaliesSearch({
      filters: [
        { field: 'service', values: ['S3', 5] },
        { field: 'x', values: ['y'] },
      ],
    }),
  ).toEqual({
    filters: [{ field: 'service', values: ['S3'] }],
  });
});

test('events around an anomaly begin on the day before it, in its account', () => {
  expect(eventsNear(row())).toEqual({
    starts_at: { _gte: '2026-06-14T00:00:00', _lt: '2026-06-17T00:00:00' },
    account_id: { _eq: 'account' },
  });
  expect(eventsNear(row({ scope: 'total' }))).not.toHaveProperty('account_id');
});

test('what is measured is told with its unit and never as money', () => {
  const measured = {
    scope: 'metric',
    anomaly_type: 'CPU',
    name: 'web-1',
    currency: null,
    impact: null,
    reference_value: {
      ...stored.reference_value,
      rule: 'A: same hour',
      grain: 'hour',
      unit: '%',
      run: [
        { date: '2026-06-15T09:00:00', actual: 90.25, expected: 30 },
        { date: '2026-06-15T10:00:00', actual: 60, expected: 30 },
      ],
      reference: { unit: 'P99', period: '1w', operator: 'GT', buffer_percentage: 20, value: 31, bound: 37.2 },
    },
  };
  const found = row({ ...measured, ended_on: '2026-06-15' });
  expect([found.kind, found.impact, found.unit]).toEqual(['metric', null, '%']);
  expect(titleOf(found)).toBe('CPU of web-1: 3.0 times usual');
  expect(found.days).toContain('09:00–11:00 UTC');
  expect(amountOf(found, found.worst.actual)).toBe('90.25%');
  expect(amountOf({ ...found, unit: 'cores' }, '0.12345')).toBe('0.1235 cores');
  expect(found.reference.bar?.bound).toBe(37.2);
  const counted = row({ ...measured, scope: 'events', anomaly_type: 'Events', name: 'PodRestarts' });
  expect(titleOf(counted)).toBe('PodRestarts: 3.0 times usual');
  expect(valuesOf([found, counted, row()], 'kind').map(({ label }) => label)).toEqual(['Costs', 'Events', 'Metrics']);
});

test('a value of a declared tag says which, and the Explorer shows its charges', () => {
  const found = row({
    scope: 'tag',
    account_id: 'tenant',
    name: 'team: web',
    reference_value: { ...stored.reference_value, tag: { key: 'team', value: 'web' } },
  });
  expect([found.name, found.account, found.accountId]).toEqual(['team: web', 'all accounts', null]);
  expect(filtersOf(found)).toEqual([{ field: 'tag:virtual:team', values: ['web'] }]);
  expect(filtersOf(row())).toEqual([
    { field: 'account', values: ['account'] },
    { field: 'service', values: ['EC2'] },
  ]);
  expect(filtersOf(row({ scope: 'total' }))).toEqual([]);
});

test('a metric is drawn as the series around it; an older card by what it was compared with', () => {
  const metric = { scope: 'metric', anomaly_type: 'Latency', currency: null, impact: null };
  const around = [
    { date: '2026-06-14', value: 95 },
    { date: '2026-06-15', value: '200.5' },
    { date: '2026-06-16', value: 350 },
    { date: '2026-06-17', value: 96 },
  ];
  const own = (reference: object) =>
    ownDays(row({ ...metric, reference_value: { ...stored.reference_value, ...reference } }));
  expect(own({ around })).toEqual(around.map(({ date, value }) => ({ date, amount: value })));
  expect(own({}).map(({ date }) => date)).toEqual(['2026-06-08', '2026-06-15', '2026-06-16']);
  const drawn = chartOf(row({ ...metric, reference_value: { ...stored.reference_value, around } }), own({ around }));
  expect(drawn.days).toHaveLength(4);
  expect(drawn.series[0]?.values).toEqual([95, '200.5', 350, 96]);
});
