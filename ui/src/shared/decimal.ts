/**
 * Exact decimals as the service sends them.
 *
 * `api/json.ts` leaves a JSON number that a double may not hold (a fraction, an exponent, more than 15 digits) as its text, so
 * `Numeric` is a number for small whole values and a string of digits otherwise. Sums and comparisons here lose no digit.
 */
export type Numeric = number | string;

interface Parts {
  digits: bigint;
  scale: number;
}

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** As nearly all are written. Thousands are read for a page: what a match hands out would be most of what the page leaves to be swept up. */
const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

function parts(value: Numeric): Parts {
  const written = String(value);
  if (plain.test(written)) {
    const dot = written.indexOf('.');
    if (dot < 0) return { digits: BigInt(written), scale: 0 };
    return { digits: BigInt(written.slice(0, dot) + written.slice(dot + 1)), scale: written.length - dot - 1 };
  }
  const match = pattern.exec(written.trim());
  if (!match || (!match[2] && !match[3])) throw new RangeError(`not a decimal number: ${written}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function text({ digits, scale }: Parts): string {
  const sign = digits < 0n ? '-' : '';
  const plain = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  if (scale === 0) return sign + plain;
  const fraction = plain.slice(-scale).replace(/0+$/, '');
  return sign + plain.slice(0, -scale) + (fraction && `.${fraction}`);
}

function align(a: Parts, b: Parts): [bigint, bigint, number] {
  if (a.scale === b.scale) return [a.digits, b.digits, a.scale];
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
}

/** Exact sum; missing values count as nothing. */
export function sum(values: Iterable<Numeric | null | undefined>): Numeric {
  let digits = 0n;
  let scale = 0;
  for (const value of values) {
    if (value === null || value === undefined) continue;
    const next = parts(value);
    if (next.scale > scale) {
      digits = digits * 10n ** BigInt(next.scale - scale) + next.digits;
      scale = next.scale;
    } else digits += next.scale === scale ? next.digits : next.digits * 10n ** BigInt(scale - next.scale);
  }
  return text({ digits, scale });
}

/** `a - b`, exact. */
export function subtract(a: Numeric, b: Numeric): Numeric {
  const [x, y, scale] = align(parts(a), parts(b));
  return text({ digits: x - y, scale });
}

/** `value / divisor` for an average, cut after six decimals more than the value has. */
export function divide(value: Numeric, divisor: number): Numeric {
  const { digits, scale } = parts(value);
  return text({ digits: (digits * 1_000_000n) / BigInt(divisor), scale: scale + 6 });
}

/** Below, at or above 0 as `a` is less than, equal to or more than `b`. */
export function compare(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Rounding to a double turns no order around: where the doubles differ, so do the decimals.
  const near = Number(a);
  const other = Number(b);
  if (near < other) return -1;
  if (near > other) return 1;
  const [x, y] = align(parts(a), parts(b));
  return x < y ? -1 : x > y ? 1 : 0;
}

export function isZero(value: Numeric): boolean {
  return parts(value).digits === 0n;
}

/** `part` of `whole` as a fraction for shares and changes; null when there is no whole to compare with. */
export function ratio(part: Numeric, whole: Numeric): number | null {
  const divisor = Number(whole);
  return divisor === 0 ? null : Number(part) / divisor;
}
