import { expect, test } from 'vitest';
import { addDays, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { aheadOf } from './derivation';

/** The running sums of these daily amounts, the last `ahead` of them expected. */
function running(from: string, amounts: readonly Numeric[], ahead = 0) {
  return amounts.map((_, at) => ({
    date: addDays(from, at),
    running: sum(amounts.slice(0, at + 1)),
    is_forecast: at >= amounts.length - ahead,
  }));
}

/** Four weeks of a month whose weekdays cost 10 to 16 in the first week and a dollar more in each later one. */
const weeks = Array.from({ length: 28 }, (_, at) => 10 + (at % 7) + Math.floor(at / 7));

test('a day ahead is the mean of the same weekday, of which each day stands there', () => {
  // (10 + 11 + 12 + 13) / 4 = 11.5, of the day after (11 + 12 + 13 + 14) / 4 = 12.5; 2 more than that are told.
  const [first, second] = aheadOf('weekday_mean_4_weeks', running('2026-11-01', [...weeks, '11.5', '14.5'], 2), []);
  expect(first?.from).toEqual(
    ['2026-11-01', '2026-11-08', '2026-11-15', '2026-11-22'].map((date, week) => ({ date, amount: String(10 + week) })),
  );
  expect([first?.expected, first?.rest, second?.rest]).toEqual(['11.5', null, 2]);
});

test('days before the period count where they are known', () => {
  const period = running('2026-11-29', [16, 13], 1);
  expect(aheadOf('weekday_mean_4_weeks', period, [])[0]?.from).toBeNull();
  const before = running('2026-11-01', weeks);
  const [day] = aheadOf('weekday_mean_4_weeks', period, [before]);
  expect(day?.from?.map(({ amount }) => amount)).toEqual(['11', '12', '13', '14']);
});

test('growth goes on from the middle of four weeks', () => {
  const before = running(
    '2026-10-04',
    weeks.map(() => 10),
  );
  // A day of the last four weeks costs 14.5, of the four before 10: 4.5 / 28 more each day, for 17.5 days to the next week, for 24.5 to the one after.
  const told = Array.from({ length: 8 }, () => '0');
  const days = aheadOf('weekday_trend_8_weeks', running('2026-11-01', [...weeks, ...told], 8), [before]);
  expect(days.map(({ growth }) => growth?.days)).toEqual([...Array.from({ length: 7 }, () => 17.5), 24.5]);
  expect(Number(days[0]?.growth?.amount)).toBeCloseTo(4.5 / 28, 6);
});

test('the last week comes again, and the mean of 28 days is of all of them', () => {
  const period = running('2026-11-01', [...weeks, 13], 1);
  expect(aheadOf('last_week_again', period, [])[0]).toMatchObject({
    from: [{ date: '2026-11-22', amount: '13' }],
    rest: null,
  });
  expect(aheadOf('run_rate_28_days', period, [])[0]?.from).toHaveLength(28);
});
