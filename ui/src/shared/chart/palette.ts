import type { Series } from './types';

/** The CSS variable of a series colour, for swatches: `style={{ background: seriesColor(1) }}`. */
export function seriesColor(color: Series['color']): string {
  const named = { other: 'var(--cx)', ink: 'var(--ink-3)', total: 'var(--accent)' };
  return typeof color === 'string' ? named[color] : `var(--c${String(color)})`;
}

/** The colour of the n-th series of a list, from 0; beyond eight there is only Other. */
export function nthColor(index: number): Series['color'] {
  return index < 8 ? ((index + 1) as Series['color']) : 'other';
}
