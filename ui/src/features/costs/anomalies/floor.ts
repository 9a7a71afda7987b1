import { exactOf } from './amount';
import type { Comparison, Row } from './row';

/** Scales a median of differences to a standard deviation. */
const consistency = 1.4826;

/** How the floor of the spread was calculated: the largest of four values. */
export function floorOf(row: Row, of: Comparison = row.reference): string {
  const { isHourly, kind } = row;
  const floor = Number(of.floor);
  const weighed = of.values.map(({ value, weight }) => Number(value) * Number(weight));
  const range = Math.max(...weighed) - Math.min(...weighed);
  const level = Math.abs(Number(of.expected));
  const is = (value: number) => value > 0 && Math.abs(value - floor) <= 1e-6 * floor;
  if (is(level * 0.04)) return '4% of the expected value';
  if (of.rule.endsWith('14 days') && is(level * 0.05)) return '5% of the expected value';
  if (is(range * 0.02)) return '2% of the range from lowest to highest';
  if (is(kind === 'events' ? 1 : 0.01)) return 'the minimum';
  if (of.ordinary && is(Number(of.ordinary.floor))) return 'the floor of the same day among its weekdays';
  if (of.unrest && of.rule.endsWith('month starts')) return 'half the spread of its ordinary days over four weeks';
  const middle = exactOf(row, floor / consistency);
  if (isHourly) return `1.4826 × ${middle}, the usual difference of its hours from the median of their hour`;
  if (of.rule.endsWith('weekday'))
    return `1.4826 × ${middle}, the usual difference of its days from the median of their weekday`;
  return 'the spread of its days over four weeks';
}
