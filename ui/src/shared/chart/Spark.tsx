import type { Numeric } from '../decimal';

/** A tiny line without axis, for a table cell; its numbers stand elsewhere, so it is hidden from screen readers. */
export function Spark({
  values,
  width = 70,
  height = 18,
}: {
  values: readonly (Numeric | null)[];
  width?: number;
  height?: number;
}) {
  const numbers = values.map((value) => (value === null ? 0 : Number(value)));
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const scale = high - low || 1;
  const x = (i: number) => (numbers.length < 2 ? width / 2 : (i / (numbers.length - 1)) * (width - 2) + 1);
  const y = (value: number) => height - 2 - ((value - low) / scale) * (height - 4);
  const points = numbers.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      aria-hidden="true"
    >
      <polyline points={points} />
    </svg>
  );
}
