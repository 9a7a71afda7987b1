import type { Numeric } from '../decimal';
import { locale } from './locale';

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "218,406"; a missing value is an en dash, zero is 0. */
export function count(value: Numeric | null | undefined): string {
  return value === null || value === undefined ? '–' : whole.format(Number(value)).replace('-', '−');
}

/** "1 row", "2 rows": `plural(2, 'row')`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share: "35.2%" of the fraction 0.352. */
export function share(fraction: number | null): string {
  return fraction === null ? '–' : `${oneDecimal.format(fraction * 100).replace('-', '−')}%`;
}

/** A change with its sign: "+6.5%", "−5.5%". */
export function change(fraction: number | null): string {
  if (fraction === null) return '–';
  const text = oneDecimal.format(Math.abs(fraction) * 100);
  return Number(text.replaceAll(',', '')) === 0 ? '0.0%' : `${fraction > 0 ? '+' : '−'}${text}%`;
}

/** The class that colours a change of cost: only from 10% up. */
export function changeTone(fraction: number | null): 'up' | 'down' | '' {
  if (fraction === null || Math.abs(fraction) < 0.1) return '';
  return fraction > 0 ? 'up' : 'down';
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Sizes of files in powers of ten: "38 MB", "1.4 GB". */
export function bytes(value: Numeric): string {
  let size = Number(value);
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit > 0 && size < 10 ? oneDecimal.format(size) : whole.format(size)} ${units[unit] ?? 'B'}`;
}

/** "about 9 min left". */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return `about ${String(Math.max(seconds, 1))} s left`;
  if (seconds < 5400) return `about ${String(Math.round(seconds / 60))} min left`;
  return `about ${String(Math.round(seconds / 3600))} h left`;
}
