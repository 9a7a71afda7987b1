import type { Numeric } from '../decimal';
import type { Day } from '../format/date';

/** One series. `values` go along `days`; null is a gap, not zero. */
export interface Series {
  id: string;
  label: string;
  /** 1 to 8 in the order of the design, `other` for the grey rest, `total` for a sum. A series keeps its colour while it is on screen. */
  color: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 'other' | 'ink' | 'total';
  values: readonly (Numeric | null)[];
  dashed?: boolean;
  /** Lines only: a light fill down to 0, for the one series a page is about. */
  area?: boolean;
  /** Lines only: a dot at the last point, and this text over it. */
  end?: string;
}

/** The normal range for each day; days that are left out have no range. */
export interface Band {
  label: string;
  days: readonly { day: Day; low: Numeric; high: Numeric }[];
}

/** Days with a dot on the first line: filled for anomalous days, hollow for days shown as context. */
export interface Dots {
  label: string;
  days: readonly Day[];
  isOut: boolean;
}

export interface ChartProps {
  /** One sentence with content, scope and period of the chart. */
  label: string;
  /** The first day of each bar or point, oldest first, evenly spaced by unit. */
  days: readonly Day[];
  unit: 'day' | 'week' | 'month';
  kind: 'stacked' | 'lines';
  /** Bottom of the stack first. */
  series: readonly Series[];
  /** A dark tick over each bar (stacked) or a thin grey line: the compared period, along `days`. */
  comparison?: { label: string; days: readonly (Day | null)[]; values: readonly (Numeric | null)[] };
  /** A dotted line with its label in place, a budget for example. */
  level?: { label: string; value: Numeric };
  /** Days that are marked, each one of `days`. */
  marks?: readonly Mark[];
  /** Lines only: drawn behind them. */
  band?: Band | undefined;
  /** Lines only. */
  dots?: readonly Dots[];
  /** Exact value for the read-out and the table. */
  format: (value: Numeric | null) => string;
  /** Short value for the axis. */
  formatTick: (value: number) => string;
  height?: number;
  /** Press or Enter on a mark. */
  onPick?: (day: Day, index: number) => void;
  /** Dragging over the plot, from the first day to the last. There must be another way to choose them. */
  onZoom?: (from: Day, to: Day) => void;
}

/** An annotation of a day: drawn over its bar and included in its read-out. */
export interface Mark {
  day: Day;
  text: string;
}

/** Props of the plot. */
export interface PlotProps extends ChartProps {
  height: number;
  /** The index of the day in the read-out. */
  at: number | null;
  onAt: (at: { index: number; left: number } | null) => void;
}
