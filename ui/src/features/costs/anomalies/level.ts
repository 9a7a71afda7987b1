import type { Days } from './AnomalyChart';
import { normalOf } from './normal';
import type { Row } from './row';

/** The daily cost of a series since an anomaly ended, if it is outside the normal range of the first day. */
export interface Level {
  /** How many days were looked at. */
  days: number;
  /** The middle one of them. */
  amount: number;
  /** The expected value of the first day of the anomaly. */
  before: number;
}

/** Days checked after an anomaly, and the minimum number needed for a result. */
const most = 7;
const least = 3;

/**
 * An anomaly ends when its own last weeks have become what is expected. This tells whether the cost has gone back, too; none where it has, where the
 * anomaly goes on, or where too few days are known after it.
 */
export function newLevelOf(row: Row, days: Days): Level | null {
  const [first] = row.reference.run;
  if (row.isOpen || row.isNew || row.isHourly || !first) return null;
  const after = days.filter(({ date }) => date > row.to).slice(0, most);
  if (after.length < least) return null;
  const sorted = after.map(({ amount }) => Number(amount)).sort((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return null;
  const amount = (low + high) / 2;
  const before = Number(first.expected);
  const normal = normalOf(row);
  const isOut = Number(first.actual) >= before ? amount > normal.high : amount < normal.low;
  return isOut ? { days: after.length, amount, before } : null;
}
