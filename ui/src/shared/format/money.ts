import { isZero } from '../decimal';
import type { Numeric } from '../decimal';
import { locale } from './locale';

const cache = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions, value: Numeric): string {
  const key = JSON.stringify(options);
  let formatter = cache.get(key);
  if (!formatter) cache.set(key, (formatter = new Intl.NumberFormat(locale, options)));
  // Intl reads a decimal string digit by digit, so rounding is exact; its types require a literal.
  return formatter.format(value as Intl.StringNumericLiteral).replace('-', '−');
}

export interface MoneyOptions {
  /** Key figures leave out the decimals. */
  whole?: boolean;
  /** True when more than one currency is on the page: every amount then carries its code. */
  several?: boolean;
  /** Up to four decimals, for a price of an hour. */
  rate?: boolean;
  /** `+` in front of an increase, for changes. */
  sign?: boolean;
}

/**
 * "$51,144.19"; "EUR 1,204.00" when several currencies are on the page. A missing value is an en dash, and what rounds to nothing without being nothing is
 * "<$0.01", or ">−$0.01" below zero.
 */
export function money(value: Numeric | null | undefined, currency: string | null, options: MoneyOptions = {}): string {
  if (value === null || value === undefined) return '–';
  const digits = options.whole ? 0 : 2;
  const most = options.rate ? 4 : digits;
  const least = 10 ** -most;
  if (Math.abs(Number(value)) < least / 2 && !isZero(value))
    return Number(value) > 0
      ? `<${written(least, currency, most, options)}`
      : `>${written(-least, currency, most, options)}`;
  return written(value, currency, most, options, digits);
}

/** An amount with at most so many decimals. */
function written(value: Numeric, currency: string | null, most: number, options: MoneyOptions, digits = most): string {
  const shape: Intl.NumberFormatOptions = {
    minimumFractionDigits: digits,
    maximumFractionDigits: most,
    signDisplay: options.sign ? 'exceptZero' : 'negative',
  };
  if (!currency) return format(shape, value);
  // Providers also bill in units that are not ISO currencies ("TOKENS"); those are written in front.
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency} ${format(shape, value)}`;
  const currencyDisplay = options.several ? 'code' : 'narrowSymbol';
  return format({ ...shape, style: 'currency', currency, currencyDisplay }, value).replace('\u00a0', ' ');
}

/** An estimate: "≈ $1,682". The page states the period. */
export function estimate(
  value: Numeric | null | undefined,
  currency: string | null,
  options: MoneyOptions = {},
): string {
  return value === null || value === undefined ? '–' : `≈ ${money(value, currency, { whole: true, ...options })}`;
}

/** Axis labels may shorten: "$30k". */
export function moneyTick(value: number, currency: string | null): string {
  const small = value !== 0 && Math.abs(value) < 1;
  const shape: Intl.NumberFormatOptions = {
    notation: 'compact',
    ...(small ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 0, maximumFractionDigits: 1 }),
  };
  const known = currency && /^[A-Z]{3}$/.test(currency);
  return format(
    known ? { ...shape, style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : shape,
    value,
  ).replace('K', 'k');
}
