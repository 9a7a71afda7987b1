import type { Series } from './types';

/**
 * Upper edges of stacked bars, series by series. Credits stack downwards from 0, so a bar shows both what was charged and what
 * was given back. Drawing goes from the last series to the first, each bar from 0, and covers what lies below it.
 */
export function stack(series: readonly Series[], length: number): (number | null)[][] {
  const up = new Array<number>(length).fill(0);
  const down = new Array<number>(length).fill(0);
  return series.map(({ values }) =>
    Array.from({ length }, (_, i) => {
      const value = values[i];
      if (value === null || value === undefined) return null;
      const number = Number(value);
      const side = number < 0 ? down : up;
      const edge = (side[i] ?? 0) + number;
      side[i] = edge;
      return edge;
    }),
  );
}
