import { addDays, divide, subtract, sum } from '@/shared';
import type { Day, Numeric } from '@/shared';
import type { Budget } from './queries';

/** Days that forecasts learn from, and from the middle of them to the same weekday of the next week. */
const learned = 28;
const fromMiddle = 17.5;
/** Below this, an amount is the rounding of sums to cents. */
const rounding = 0.02;

/** The forecast of a day and its basis. */
export interface Ahead {
  date: Day;
  expected: Numeric;
  /** The days it is the mean of, the oldest first; null if one of them is unknown. */
  from: readonly { date: Day; amount: Numeric }[] | null;
  /** The daily increase, and for how many days it applies. */
  growth: { amount: Numeric; days: number } | null;
  /** The part that mean and growth do not explain; null if it is zero. */
  rest: Numeric | null;
}

type Running = Budget['days'];

/** The daily costs of a period, from its running sum. */
export function amountsOf(days: Running): { date: Day; amount: Numeric }[] {
  return days.map(({ date, running }, at) => ({ date, amount: subtract(running, days[at - 1]?.running ?? 0) }));
}

/** The basis of each future day for the forecast method; `before` adds the billed cost of earlier periods. */
export function aheadOf(method: string, days: Running, before: readonly Running[]): Ahead[] {
  const isBilled = new Set(days.filter((day) => !day.is_forecast).map(({ date }) => date));
  const all = amountsOf(days);
  const earlier = before.flatMap((of) => amountsOf(of.filter((day) => !day.is_forecast)));
  const billed = new Map(
    [...earlier, ...all.filter(({ date }) => isBilled.has(date))].map((of) => [of.date, of.amount]),
  );
  const last = days.findLast((day) => !day.is_forecast)?.date;
  if (last === undefined) return [];
  const growth = method === 'weekday_trend_8_weeks' ? growthOf(billed, last) : null;
  return all
    .filter(({ date }) => !isBilled.has(date))
    .map(({ date, amount }, at) => {
      const from = known(billed, sources(method, last, at));
      const more = growth === null ? null : { amount: growth, days: fromMiddle + 7 * Math.floor(at / 7) };
      const told = from && Number(meanOf(from)) + (more ? Number(more.amount) * more.days : 0);
      const rest = told === null ? 0 : Number(amount) - told;
      return { date, expected: amount, from, growth: more, rest: Math.abs(rest) < rounding ? null : rest };
    });
}

/** The mean of daily costs. */
export function meanOf(days: readonly { amount: Numeric }[]): Numeric {
  return divide(sum(days.map(({ amount }) => amount)), days.length);
}

/** The days that one so many days after the first one ahead rests on, the oldest first. */
function sources(method: string, last: Day, at: number): Day[] {
  if (method === 'run_rate_28_days')
    return Array.from({ length: learned }, (_, back) => addDays(last, back + 1 - learned));
  const same = addDays(last, (at % 7) - 6);
  if (method === 'last_week_again') return [same];
  return [21, 14, 7, 0].map((back) => addDays(same, -back));
}

function known(billed: ReadonlyMap<Day, Numeric>, dates: readonly Day[]): { date: Day; amount: Numeric }[] | null {
  const found = dates.map((date) => ({ date, amount: billed.get(date) }));
  const whole = found.filter((one): one is { date: Day; amount: Numeric } => one.amount !== undefined);
  return whole.length === dates.length ? whole : null;
}

/** The daily increase: the last four weeks compared with the four before. */
function growthOf(billed: ReadonlyMap<Day, Numeric>, last: Day): Numeric | null {
  const weeks = (end: Day) => known(billed, sources('run_rate_28_days', end, 0));
  const [now, then] = [weeks(last), weeks(addDays(last, -learned))];
  return now && then && divide(subtract(meanOf(now), meanOf(then)), learned);
}
