import type uPlot from 'uplot';
import type { PlotProps } from './types';

export type Latest = { readonly current: PlotProps };

/** A chart on its canvas. `latest` refers to the current props of the component that shows it. */
export interface Drawing {
  plot: uPlot;
  /** Equal for charts that look the same. */
  looks: string;
  latest: Latest;
}

/** The canvases of this many closed charts are cached. */
const most = 2;
const left: Drawing[] = [];

/** Detaches a chart from its page and caches it, so that it is already drawn when the user returns. */
export function leave(drawing: Drawing): void {
  drawing.plot.root.remove();
  left.unshift(drawing);
  for (const { plot } of left.splice(most)) plot.destroy();
}

/** Moves a cached chart with the same appearance into `box`; null if there is none. */
export function comeBack(looks: string, latest: Latest, box: HTMLElement): Drawing | null {
  const at = left.findIndex((drawing) => drawing.looks === looks);
  const [drawing] = at < 0 ? [] : left.splice(at, 1);
  if (!drawing) return null;
  drawing.latest = latest;
  box.append(drawing.plot.root);
  // Its place on the screen may be another one.
  drawing.plot.syncRect(true);
  return drawing;
}
