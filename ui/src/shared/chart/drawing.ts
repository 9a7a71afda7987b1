import type uPlot from 'uplot';
import type { PlotProps } from './types';

export type Latest = { readonly current: PlotProps };

/** A chart on its canvas. `latest` leads to what the component that shows it was given last. */
export interface Drawing {
  plot: uPlot;
  /** Equal for charts that look the same. */
  looks: string;
  latest: Latest;
}

/** Of so many charts that were left the canvas is kept. */
const most = 2;
const left: Drawing[] = [];

/** Takes a chart off its page and keeps it: who comes back to the page finds it drawn. */
export function leave(drawing: Drawing): void {
  drawing.plot.root.remove();
  left.unshift(drawing);
  for (const { plot } of left.splice(most)) plot.destroy();
}

/** A chart that was left and looks like this, in `box` again. */
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
