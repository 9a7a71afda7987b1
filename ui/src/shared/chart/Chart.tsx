import { Suspense, lazy, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { sum } from '../decimal';
import { useToday } from '../now';
import { unitName } from './days';
import { seriesColor } from './palette';
import type Drawn from './Plot';
import type { ChartProps } from './types';
import { Values } from './Values';

// uPlot has a chunk of its own: pages without charts do not wait for it.
const load = () => import('./Plot');
const Plot = lazy(load);

/** The chart renderer, once preloaded. React delays a lazy component even if it is loaded, and shows it a third of a second later. */
let loaded: typeof Plot | typeof Drawn = Plot;

/** Preloads the chart renderer, so that the first chart appears together with its page. */
export async function preloadChart(): Promise<void> {
  loaded = (await load()).default;
}

/**
 * Stacked bars or lines over days, with legend, read-out on hover and focus, arrow keys, and the same values as a table for
 * those who cannot see it. Loads its drawing code when first shown.
 */
export function Chart(props: ChartProps) {
  const { days, height = 220 } = props;
  const [last, setAt] = useState<{ index: number; left: number; day: string | undefined } | null>(null);
  const [spoken, setSpoken] = useState('');
  const now = useToday();
  // The same for as long as the chart is there: another one would draw it anew.
  const [Drawing] = useState(() => loaded);
  // A chart that shows other days, as after zooming, has something else at that place.
  const at = last && last.day !== undefined && days[last.index] === last.day ? last : null;
  const index = at?.index ?? null;
  const move = (next: number) => {
    const to = Math.max(0, Math.min(days.length - 1, next));
    setAt({ index: to, left: (to + 0.5) / Math.max(1, days.length), day: days[to] });
    setSpoken(describe(props, to, now));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: (index ?? days.length) - 1,
      ArrowRight: (index ?? -1) + 1,
      Home: 0,
      End: days.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      move(next);
    } else if (event.key === 'Enter' && index !== null && props.onPick) {
      event.preventDefault();
      props.onPick(days[index] ?? '', index);
    } else if (event.key === 'Escape' && at) {
      event.preventDefault();
      setAt(null);
    }
  };
  return (
    <figure className="chart" aria-label={props.label}>
      <div
        className="plot"
        style={{ height }}
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${props.label} Use the arrow keys to read values.`}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setAt(null);
        }}
      >
        <Suspense fallback={null}>
          <Drawing
            {...props}
            height={height}
            at={index}
            onAt={(to) => {
              setAt(to && { ...to, day: days[to.index] });
            }}
          />
        </Suspense>
        {at && <ReadOut {...props} index={at.index} left={at.left} now={now} />}
      </div>
      <Legend {...props} />
      <span className="sr" aria-live="polite">
        {spoken}
      </span>
      <Values {...props} />
    </figure>
  );
}

function total(props: ChartProps, index: number) {
  return sum(props.series.map((s) => s.values[index]));
}

function describe(props: ChartProps, index: number, now: Date): string {
  const parts = props.series
    .filter((s) => s.values[index] != null)
    .map((s) => `${s.label} ${props.format(s.values[index] ?? null)}`);
  const all = props.kind === 'stacked' ? [`total ${props.format(total(props, index))}`] : [];
  return [unitName(props.days[index] ?? '', props.unit, now), ...all, ...parts, ...marksOf(props, index)].join(', ');
}

function marksOf({ marks, days, band, format }: ChartProps, index: number): string[] {
  const day = days[index] ?? '';
  const normal = band?.days.find((one) => one.day === day);
  return [
    ...(marks ?? []).filter((mark) => mark.day === day).map((mark) => mark.text),
    ...(band && normal ? [`${band.label} ${format(normal.low)} – ${format(normal.high)}`] : []),
  ];
}

function ReadOut(props: ChartProps & { index: number; left: number; now: Date }) {
  const { index, left, comparison, now } = props;
  const shown = props.series.filter((s) => s.values[index] != null);
  const compared = comparison?.days[index];
  return (
    <div
      className={`tip ${left > 0.5 ? 'before' : 'after'}`}
      style={{ left: `${String(left * 100)}%` }}
      aria-hidden="true"
    >
      <div className="split">
        <b>{unitName(props.days[index] ?? '', props.unit, now)}</b>
        {props.kind === 'stacked' && <b className="num">{props.format(total(props, index))}</b>}
      </div>
      {[...shown].reverse().map((s) => (
        <div key={s.id} className="split">
          <span className="row cut">
            <span className="swatch" style={{ background: seriesColor(s.color) }} />
            <span className="cut">{s.label}</span>
          </span>
          <span className="num">{props.format(s.values[index] ?? null)}</span>
        </div>
      ))}
      {shown.length === 0 && <div className="muted">No data</div>}
      {marksOf(props, index).map((text) => (
        <div key={text} className="marked">
          {text}
        </div>
      ))}
      {comparison && comparison.values[index] != null && (
        <div className="split compared">
          <span className="muted">{compared ? unitName(compared, props.unit, now) : comparison.label}</span>
          <span className="num muted">{props.format(comparison.values[index])}</span>
        </div>
      )}
    </div>
  );
}

function Legend({ series, comparison, kind, band, dots }: ChartProps) {
  return (
    <div className="legend" aria-hidden="true">
      {series.map((s) => (
        <span key={s.id}>
          {kind === 'stacked' ? (
            <span className="swatch" style={{ background: seriesColor(s.color) }} />
          ) : (
            <span className={s.dashed ? 'ln dash' : 'ln'} style={{ borderColor: seriesColor(s.color) }} />
          )}
          <span className="cut" title={s.label}>
            {s.label}
          </span>
        </span>
      ))}
      {band && (
        <span>
          <span className="swatch band" />
          {band.label}
        </span>
      )}
      {dots?.map(({ label, isOut }) => (
        <span key={label}>
          <span className={isOut ? 'pt out' : 'pt'} />
          {label}
        </span>
      ))}
      {comparison && (
        <span>
          <span className="ln" style={{ borderColor: kind === 'stacked' ? 'var(--ink)' : 'var(--ink-3)' }} />
          {comparison.label}
        </span>
      )}
    </div>
  );
}
