import { nthColor, seriesColor } from '@/shared';
import type { Bars } from './content';

const width = 500;
const height = 120;

/** The bars of a report, small; the table below has their figures. */
export function ReportChart({ bars }: { bars: Bars }) {
  const sums = bars.labels.map((_, bar) => {
    const values = bars.series.map(({ values }) => Number(values[bar] ?? 0));
    const side = (sign: number) => values.reduce((sum, value) => sum + Math.max(0, value * sign), 0);
    return { up: side(1), down: side(-1) };
  });
  const top = Math.max(0, ...sums.map(({ up }) => up));
  const span = top + Math.max(0, ...sums.map(({ down }) => down));
  if (span === 0) return null;
  const step = width / bars.labels.length;
  const y = (value: number) => ((top - value) / span) * height;
  const drawing = (
    <svg className="report-chart" viewBox={`0 0 ${String(width)} ${String(height + 16)}`} aria-hidden="true">
      {bars.labels.map((label, bar) => {
        let [above, below] = [0, 0];
        const parts = bars.series.map(({ name, values }, series) => {
          const value = Number(values[bar] ?? 0);
          const from = value < 0 ? below : above;
          if (value < 0) below += value;
          else above += value;
          const [start, end] = [y(from), y(from + value)];
          return (
            <rect
              key={name}
              x={bar * step + step * 0.2}
              width={Math.min(step * 0.6, 48)}
              y={Math.min(start, end)}
              height={Math.abs(start - end)}
              fill={seriesColor(nthColor(series))}
            />
          );
        });
        return (
          <g key={`${label} ${String(bar)}`}>
            {parts}
            <text x={bar * step + step * 0.2} y={height + 12}>
              {label.length * 6 > step ? `${label.slice(0, Math.max(1, Math.floor(step / 7)))}…` : label}
            </text>
          </g>
        );
      })}
      <line x1="0" x2={width} y1={y(0)} y2={y(0)} />
    </svg>
  );
  return bars.series.length > 1 ? (
    <>
      {drawing}
      <div className="legend" aria-hidden="true">
        {bars.series.map(({ name }, series) => (
          <span key={name}>
            <span className="swatch" style={{ background: seriesColor(nthColor(series)) }} />
            {name}
          </span>
        ))}
      </div>
    </>
  ) : (
    drawing
  );
}
