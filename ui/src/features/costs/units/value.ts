import { money } from '@/shared';
import type { Numeric } from '@/shared';

/** A number as files write it: digits, a point, a sign, an exponent. Undefined for anything else. */
export function parseDecimal(text: string): string | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?$/.test(text) ? text : undefined;
}

/** Cost per unit. Below one unit of the currency, cents are too coarse, so three significant digits are kept. */
export function perUnit(value: Numeric | null, currency: string | null): string {
  const number = Number(value);
  if (value === null || number === 0 || Math.abs(number) >= 1) return money(value, currency);
  const places = 2 - Math.floor(Math.log10(Math.abs(number)));
  // The symbol and its place are those of whole amounts.
  return money(0, currency, { whole: true }).replace('0', number.toFixed(places)).replace('-', '−');
}

/** Along the values, each as a percentage of the first one above zero: two of a different kind on one scale. */
export function indexed(values: readonly (Numeric | null)[]): (number | null)[] {
  const first = values.find((value) => value !== null && Number(value) > 0);
  if (first === undefined || first === null) return values.map(() => null);
  return values.map((value) => (value === null ? null : Math.round((Number(value) / Number(first)) * 1000) / 10));
}
