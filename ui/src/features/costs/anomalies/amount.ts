import { bytes, longDay, money } from '@/shared';
import type { Numeric } from '@/shared';
import type { Row } from './row';

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** A formatted value of a series: money for costs; for metrics the number with its unit. */
export function amountOf(
  { kind, currency, unit }: Pick<Row, 'kind' | 'currency' | 'unit'>,
  value: Numeric | null,
): string {
  if (kind === 'cost') return money(value, currency);
  if (value === null) return '—';
  const lower = unit.toLowerCase();
  if (lower === 'bytes') return bytes(value);
  const text = number.format(Number(value));
  if (lower === '%' || lower === 'percent') return `${text}%`;
  return unit === '' ? text : `${text} ${unit}`;
}

/** The same with up to four decimals, so that recomputed values match the shown ones. */
export function exactOf(row: Pick<Row, 'kind' | 'currency' | 'unit'>, value: Numeric | null): string {
  return row.kind === 'cost' ? money(value, row.currency, { rate: true }) : amountOf(row, value);
}

/** A day, or a day with the start time of an hour. */
export function stepName(step: string, now?: Date): string {
  const day = longDay(step.slice(0, 10), now);
  return step.length > 10 ? `${day}, ${step.slice(11, 16)} UTC` : day;
}
