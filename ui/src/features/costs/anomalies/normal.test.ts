import { expect, test } from 'vitest';
import { chartOf } from './AnomalyChart';
import { rowForTest } from './anomaly.fixture';
import { normalOf } from './normal';

const run = [
  { date: '2026-06-15', actual: '200.5', expected: 100 },
  { date: '2026-06-16', actual: 350, expected: 110 },
];

const row = (change: object = {}, anomaly_type = 'CloudSpendService') =>
  rowForTest({ anomaly_type, reference: { run, ...change } });

test('a deviation counts beyond the factor, the share and the least amount, whichever is largest', () => {
  expect(normalOf(row())).toEqual({ low: 72, high: 128 });
  expect(normalOf(row({ spread: 1 }))).toEqual({ low: 85, high: 115 });
  expect(normalOf(row({ spread: 1, min_amount: 40 }))).toEqual({ low: 60, high: 140 });
});

test('a new extreme lies beyond the others by the margin, and far enough from what is expected', () => {
  expect(normalOf(row({ low: 70, high: 130, margin: 6, min_percent: 25 }))).toEqual({ low: 64, high: 136 });
  expect(normalOf(row({ low: 95, high: 104, margin: 1, min_percent: 25 }))).toEqual({ low: 75, high: 125 });
});

test('a new service is normal below the amount it is told from', () => {
  expect(normalOf(row({ expected: 0, spread: '0.01', min_amount: 10 }, 'new_service'))).toEqual({ low: 0, high: 10 });
});

const days = ['2026-06-08', '2026-06-14', '2026-06-15', '2026-06-16', '2026-06-17'].map((date) => ({
  date,
  amount: 1,
}));

test('of an anomaly that was kept without ranges the first day has one, and days of which nothing is kept have no expected value', () => {
  const chart = chartOf(row(), days);
  expect(chart.band).toEqual({ label: 'Normal range', days: [{ day: '2026-06-15', low: 72, high: 128 }] });
  expect(chart.series[1]?.values).toEqual([null, null, 100, 110, null]);
  expect(chart.dots.map(({ days: of }) => of)).toEqual([['2026-06-08'], ['2026-06-15', '2026-06-16']]);
  // What was compared with lies before the days that are drawn.
  expect(chartOf(row(), days.slice(1)).dots.map(({ label }) => label)).toEqual(['Outside the range']);
});

test('each day of an anomaly has its own range', () => {
  const ranges = run.map((day, at) => ({ ...day, low: 70 + at, high: '130.5' }));
  expect(chartOf(row({ run: ranges }), days).band.days).toEqual([
    { day: '2026-06-15', low: 70, high: '130.5' },
    { day: '2026-06-16', low: 71, high: '130.5' },
  ]);
});
