import type { Row } from './row';

/** What would still have been normal on the first day of an anomaly. */
export interface Normal {
  low: number;
  high: number;
}

/**
 * From the numbers the verdict of the first day rests on, as a person works it out with a calculator. Other days of the anomaly were compared with
 * other days; of them only what was expected is kept.
 *
 * The bounds are for a drawing and for amounts with two decimals: doubles do.
 */
export function normalOf({ reference, isNew }: Row): Normal {
  const expected = Number(reference.expected);
  const least = Math.max((Math.abs(expected) * Number(reference.min_percent)) / 100, Number(reference.min_amount));
  // A new service is told from an amount on; less than nothing is not expected of it.
  if (isNew) return { low: 0, high: least };
  if (reference.low !== null && reference.high !== null) {
    const margin = Number(reference.margin ?? 0);
    return {
      low: Math.min(Number(reference.low) - margin, expected - least),
      high: Math.max(Number(reference.high) + margin, expected + least),
    };
  }
  const far = Math.max(Number(reference.spread) * Number(reference.factor), least);
  return { low: expected - far, high: expected + far };
}
