import type { Comparison, Row } from './row';

/** The normal range of a day of an anomaly. */
export interface Normal {
  low: number;
  high: number;
}

/**
 * From the numbers a verdict rests on, as a person works it out with a calculator: of the first day, or of another one.
 *
 * The bounds are for a drawing and for amounts with two decimals: doubles do.
 */
export function normalOf(row: Row, of: Comparison = row.reference): Normal {
  const expected = Number(of.expected);
  const least = Math.max((Math.abs(expected) * Number(of.min_percent)) / 100, Number(of.min_amount));
  // A new service is reported from a minimum amount on; negative cost is not expected.
  if (row.isNew) return { low: 0, high: least };
  if (of.low !== null && of.high !== null) {
    const margin = Number(of.margin ?? 0);
    return {
      low: Math.min(Number(of.low) - margin, expected - least),
      high: Math.max(Number(of.high) + margin, expected + least),
    };
  }
  const far = Math.max(Number(of.spread) * Number(of.factor), least);
  return { low: expected - far, high: expected + far };
}
