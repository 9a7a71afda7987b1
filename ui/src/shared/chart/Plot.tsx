import { useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../theme';
import { labelled, tickName } from './days';
import { comeBack, leave } from './drawing';
import type { Drawing, Latest } from './drawing';
import { isolatedPoints } from './isolatedPoints';
import { backdrop, dotted, ends, flags, highlight, overlay } from './overlay';
import type { Inks } from './overlay';
import { seriesColor } from './palette';
import { stack } from './stack';
import type { PlotProps, Series } from './types';

/** Draws a chart on a canvas. Bars stand on whole numbers (their index), so weeks and months are as even as days. */
export default function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const latest = useRef(props);
  const theme = useTheme().shown;
  useEffect(() => {
    latest.current = props;
  });

  const { days, series, comparison, kind, unit, height, level, marks, band, dots } = props;
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    // Its axis says the currency.
    const axis = latest.current.formatTick(1);
    const looks = JSON.stringify({
      days,
      series,
      comparison,
      kind,
      unit,
      height,
      level,
      marks,
      band,
      dots,
      theme,
      axis,
    });
    drawing.current = comeBack(looks, latest, root);
    // Its first call comes behind the layout of the page and before it is painted: a chart that were drawn now would have the browser lay out twice.
    const observer = new ResizeObserver(() => {
      const width = root.clientWidth;
      if (width === 0) return;
      const plot = drawing.current?.plot;
      if (!plot) drawing.current = draw(latest, looks, width, root);
      else if (plot.width !== width) plot.setSize({ width, height: latest.current.height });
    });
    observer.observe(root);
    return () => {
      observer.disconnect();
      if (!drawing.current) return;
      // A chart with a mark under the pointer would be restored with that mark.
      if (latest.current.at === null) leave(drawing.current);
      else drawing.current.plot.destroy();
      drawing.current = null;
    };
  }, [days, series, comparison, kind, unit, height, level, marks, band, dots, theme]);

  const marked = useRef(props.at);
  useEffect(() => {
    if (marked.current === props.at) return;
    marked.current = props.at;
    drawing.current?.plot.redraw(false);
  }, [props.at]);

  return <div ref={box} className="canvasbox" aria-hidden="true" />;
}

function draw(latest: Latest, looks: string, width: number, box: HTMLElement): Drawing {
  const made: Pick<Drawing, 'looks' | 'latest'> = { looks, latest };
  // The component that shows the chart; later calls go to it.
  const shower: Latest = {
    get current() {
      return made.latest.current;
    },
  };
  const plot = new uPlot(options(shower, width), data(latest.current));
  // It draws in a microtask. Then only it comes into the page: a canvas there has the browser work out the styles of the page before it takes a font.
  queueMicrotask(() => {
    box.append(plot.root);
  });
  return Object.assign(made, { plot });
}

function data({ days, series, comparison, kind }: PlotProps): uPlot.AlignedData {
  const xs = days.map((_, i) => i);
  const length = days.length;
  const numbers = (values: Series['values']) => days.map((_, i) => (values[i] == null ? null : Number(values[i])));
  const ys = kind === 'stacked' ? stack(series, length).reverse() : series.map((s) => numbers(s.values));
  return [xs, ...ys, ...(comparison ? [numbers(comparison.values)] : [])];
}

function options(latest: Latest, width: number): uPlot.Options {
  const { days, series, comparison, kind, unit, height } = latest.current;
  // Of the page as a whole, and read now: asked while the chart is drawn, every name would have the browser work out all styles anew.
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const hovered = color('--hover');
  const colorOf = (s: Series) => color(seriesColor(s.color).slice(4, -1));
  const font = `11px ${color('--sans')}`;
  const bars = uPlot.paths.bars?.({ size: [0.76, 56], align: 0 });
  const drawn = kind === 'stacked' ? [...series].reverse() : [...series];
  const axis = { font, stroke: color('--ink-3'), ticks: { show: false } };
  const inks: Inks = {
    ink: color('--ink'),
    surface: color('--surface'),
    line: color('--line-2'),
    warn: color('--warn-mark'),
    bad: color('--bad'),
    text: color('--ink-2'),
    font,
  };
  const lines = drawn.map((s): uPlot.Series =>
    kind === 'stacked'
      ? {
          fill: colorOf(s),
          stroke: color('--surface'),
          width: 1,
          points: { show: false },
          ...(bars ? { paths: bars } : {}),
        }
      : {
          stroke: colorOf(s),
          width: s.area ? 2.5 : 2,
          points: {
            show: false,
            size: 7,
            width: 0,
            fill: colorOf(s),
            filter: (u, at) => isolatedPoints(u.data[at] ?? []),
          },
          ...(s.dashed ? { dash: [6, 4] } : {}),
          // Series colours are six hex digits; two more set the opacity to a tenth.
          ...(s.area ? { fill: `${colorOf(s)}1a` } : {}),
        },
  );
  const compared: uPlot.Series =
    kind === 'stacked'
      ? { stroke: 'transparent', paths: () => null, points: { show: false } }
      : { stroke: color('--ink-3'), width: 1.5, points: { show: false } };
  return {
    width,
    height,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: {
      points: { show: false },
      drag: { x: latest.current.onZoom !== undefined, y: false, setScale: false, dist: least },
      y: false,
      x: kind === 'lines',
    },
    scales: {
      x: {
        time: false,
        // A single day is centred; a line runs from edge to edge.
        range: () => (kind === 'stacked' || days.length === 1 ? [-0.5, days.length - 0.5] : [0, days.length - 1]),
      },
      y: { range: (_, low, high) => span(low, high, latest.current) },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        grid: { show: false },
        splits: (u) => labelled(days, u.bbox.width / devicePixelRatio),
        values: (_, splits) =>
          splits.map((i, n) => tickName(days[i] ?? '', n === 0 ? null : (days[splits[n - 1] ?? 0] ?? null), unit)),
      },
      {
        ...axis,
        size: (_, values) => axisWidth(values ?? [], kind === 'lines' ? tickName(days[0] ?? '', null, unit) : ''),
        gap: 4,
        space: 48,
        grid: { stroke: color('--grid'), width: 1 },
        values: (_, splits) => splits.map((value) => latest.current.formatTick(value)),
      },
    ],
    series: [{}, ...lines, ...(comparison ? [compared] : [])],
    hooks: {
      drawClear: [
        (u) => {
          highlight(u, latest.current, hovered);
          backdrop(u, latest.current, inks, series[0] && colorOf(series[0]));
        },
      ],
      draw: [
        (u) => {
          overlay(u, latest.current, inks);
          dotted(u, latest.current, inks);
          ends(u, latest.current, inks);
          flags(u, latest.current, inks);
        },
      ],
      setCursor: [
        (u) => {
          hover(u, latest.current);
        },
      ],
      setSelect: [
        (u) => {
          zoom(u, latest.current);
        },
      ],
      ready: [
        (u) => {
          let pressed = 0;
          u.over.addEventListener('mousedown', (event) => {
            pressed = event.clientX;
          });
          u.over.addEventListener('click', (event) => {
            // The end of a drag is not a click.
            if (Math.abs(event.clientX - pressed) > least) return;
            const index = u.cursor.idx;
            if (index != null) latest.current.onPick?.(latest.current.days[index] ?? '', index);
          });
          u.over.addEventListener('mouseleave', () => {
            latest.current.onAt(null);
          });
        },
      ],
    },
  };
}

/** Bars start at 0; lines too, unless all values are far from it. A threshold line is always in view. */
function span(low: number, high: number, { level, band }: PlotProps): [number, number] {
  const top = Math.max(high, level ? Number(level.value) : 0, ...(band?.days ?? []).map((day) => Number(day.high)), 0);
  const bottom = Math.min(low, 0);
  if (!Number.isFinite(top) || !Number.isFinite(bottom) || (top === 0 && bottom === 0)) return [0, 1];
  return [bottom < 0 ? bottom * 1.08 : 0, top * 1.08];
}

/** Pointer movements shorter than this many px are clicks. */
const least = 6;

/** Reports the selected days of a drag and removes the selection. */
function zoom(u: uPlot, { days, onZoom }: PlotProps): void {
  const { left, width } = u.select;
  if (width <= least) return;
  const at = (x: number) => Math.max(0, Math.min(days.length - 1, Math.round(u.posToVal(x, 'x'))));
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const [from, to] = [days[at(left)], days[at(left + width)]];
  if (from !== undefined && to !== undefined) onZoom?.(from, to);
}

/** As wide as its longest label, and as half the first name below: a line begins at the axis, with its name in the middle. 11 px digits are about 6.5 px. */
function axisWidth(labels: readonly string[], first: string): number {
  return Math.max(
    32,
    Math.ceil((first.length * 6.5) / 2),
    ...labels.map((label) => Math.ceil(label.length * 6.5) + 12),
  );
}

function hover(u: uPlot, { days, onAt, at }: PlotProps): void {
  const index = u.cursor.idx;
  if (index == null || u.cursor.left == null || u.cursor.left < 0) return;
  if (index === at) return;
  const left = (u.valToPos(index, 'x') + u.bbox.left / devicePixelRatio) / u.width;
  if (index < days.length) onAt({ index, left });
}
