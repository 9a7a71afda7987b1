import type { Numeric } from '../decimal';

/** A tiny line chart without axes, for a table cell. Its numbers are elsewhere, so it is hidden from screen readers. Null is a gap. */
export function Spark({
  values,
  width = 70,
  height = 18,
}: {
  values: readonly (Numeric | null)[];
  width?: number;
  height?: number;
}) {
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      aria-hidden="true"
    >
      <path d={pathOf(values, width, height)} />
    </svg>
  );
}

/** Paths, cached as long as their values exist: a table draws the same ones again when the user returns to it. */
const paths = new WeakMap<readonly (Numeric | null)[], { width: number; height: number; path: string }>();

function pathOf(values: readonly (Numeric | null)[], width: number, height: number): string {
  const known = paths.get(values);
  if (known?.width === width && known.height === height) return known.path;
  const path = drawn(values, width, height);
  paths.set(values, { width, height, path });
  return path;
}

function drawn(values: readonly (Numeric | null)[], width: number, height: number): string {
  const numbers = thinned(values, width / 2);
  const known = numbers.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const scale = high - low || 1;
  const x = (i: number) => (numbers.length < 2 ? width / 2 : (i / (numbers.length - 1)) * (width - 2) + 1);
  const y = (value: number) => height - 2 - ((value - low) / scale) * (height - 4);
  // Every gap starts a new stroke; a value between two gaps is a dot.
  return numbers
    .map((value, i) => {
      if (value === null) return '';
      const point = `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
      if (i > 0 && numbers[i - 1] !== null) return `L${point}`;
      return numbers[i + 1] == null ? `M${point}h1` : `M${point}`;
    })
    .join('');
}

/** At most so many points: neighbours are drawn as their mean. */
function thinned(values: readonly (Numeric | null)[], points: number): (number | null)[] {
  const step = Math.ceil(values.length / points);
  const thin: (number | null)[] = [];
  for (let from = 0; from < values.length; from += step) {
    const known = values.slice(from, from + step).filter((value) => value !== null);
    thin.push(known.length === 0 ? null : known.reduce<number>((sum, value) => sum + Number(value), 0) / known.length);
  }
  return thin;
}
