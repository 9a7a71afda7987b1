import type uPlot from 'uplot';
import type { Numeric } from '../decimal';
import type { PlotProps } from './types';

/** Colours and font of the chart overlay. */
export interface Inks {
  ink: string;
  surface: string;
  line: string;
  warn: string;
  bad: string;
  text: string;
  font: string;
}

/** A triangle over every marked day; its point is on the highest value of the day. */
export function flags(u: uPlot, { marks, days, kind, comparison }: PlotProps, inks: Inks): void {
  if (!marks) return;
  const { ctx } = u;
  const px = devicePixelRatio;
  const lines = u.data.slice(1, comparison ? -1 : undefined);
  ctx.save();
  ctx.fillStyle = inks.bad;
  for (const day of new Set(marks.map((mark) => mark.day))) {
    const index = days.indexOf(day);
    const values = lines.map((values) => values[index]).filter((value) => typeof value === 'number');
    if (index < 0 || values.length === 0) continue;
    const top = kind === 'stacked' ? Math.max(...values, 0) : Math.max(...values);
    const [x, y] = [u.valToPos(index, 'x', true), Math.max(u.bbox.top + 8 * px, u.valToPos(top, 'y', true) - 3 * px)];
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x - 5 * px, y - 8 * px);
    ctx.lineTo(x + 5 * px, y - 8 * px);
    ctx.closePath();
    ctx.fill();
  }
  ctx.restore();
}

/** Shades the anomalous days and, behind the lines, the normal range. */
export function backdrop(u: uPlot, { days, band, dots }: PlotProps, inks: Inks, line: string | undefined): void {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const column = (day: string): [from: number, width: number] | undefined => {
    const index = days.indexOf(day);
    if (index < 0) return undefined;
    const from = Math.max(left, u.valToPos(index - 0.5, 'x', true));
    return [from, Math.min(left + width, u.valToPos(index + 0.5, 'x', true)) - from];
  };
  ctx.save();
  // Colours are six hex digits; two more set their opacity.
  ctx.fillStyle = `${inks.warn}1a`;
  for (const day of (dots ?? []).filter(({ isOut }) => isOut).flatMap(({ days: out }) => out)) {
    const at = column(day);
    if (at) ctx.fillRect(at[0], top, at[1], height);
  }
  ctx.fillStyle = `${line ?? inks.ink}4d`;
  if (band) {
    const at = (value: Numeric) => Math.min(top + height, Math.max(top, u.valToPos(Number(value), 'y', true)));
    for (const { day, low, high } of band.days) {
      const along = column(day);
      // The band stays visible even if the normal range is almost empty.
      if (along) ctx.fillRect(along[0], at(high), along[1], Math.max(2 * devicePixelRatio, at(low) - at(high)));
    }
  }
  ctx.restore();
}

/** The dots of the first line. */
export function dotted(u: uPlot, { days, dots, series }: PlotProps, inks: Inks): void {
  const { ctx } = u;
  const px = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = 1.5 * px;
  for (const { days: these, isOut } of dots ?? [])
    for (const day of these) {
      const index = days.indexOf(day);
      const value = series[0]?.values[index];
      if (value == null) continue;
      ctx.beginPath();
      ctx.arc(u.valToPos(index, 'x', true), u.valToPos(Number(value), 'y', true), (isOut ? 4 : 3) * px, 0, 7);
      ctx.fillStyle = isOut ? inks.warn : inks.surface;
      ctx.strokeStyle = isOut ? inks.surface : inks.text;
      ctx.fill();
      ctx.stroke();
    }
  ctx.restore();
}

/** Shades the bar that is read out. */
export function highlight(u: uPlot, { at, kind }: PlotProps, color: string): void {
  if (at === null || kind !== 'stacked') return;
  const [from, to] = [u.valToPos(at - 0.5, 'x', true), u.valToPos(at + 0.5, 'x', true)];
  u.ctx.save();
  u.ctx.fillStyle = color;
  u.ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
  u.ctx.restore();
}

/** Draws the zero line, the comparison, the threshold with its label, and the points of the read-out. */
export function overlay(u: uPlot, { comparison, kind, days, level, at, series, format }: PlotProps, inks: Inks): void {
  const { ctx } = u;
  const px = devicePixelRatio;
  ctx.save();
  if (kind === 'stacked') {
    const y = Math.round(u.valToPos(0, 'y', true));
    ctx.fillStyle = inks.line;
    ctx.fillRect(u.bbox.left, y, u.bbox.width, px);
  }
  if (comparison && kind === 'stacked') {
    const half = Math.min(0.44 * (u.valToPos(1, 'x', true) - u.valToPos(0, 'x', true)), 32 * px);
    days.forEach((_, i) => {
      const value = comparison.values[i];
      if (value == null) return;
      const [x, y] = [u.valToPos(i, 'x', true), u.valToPos(Number(value), 'y', true)];
      for (const [color, width] of [
        [inks.surface, 4],
        [inks.ink, 2],
      ] as const) {
        ctx.strokeStyle = color;
        ctx.lineWidth = width * px;
        ctx.beginPath();
        ctx.moveTo(x - half, y);
        ctx.lineTo(x + half, y);
        ctx.stroke();
      }
    });
  }
  if (level) {
    const y = u.valToPos(Number(level.value), 'y', true);
    ctx.strokeStyle = inks.warn;
    ctx.lineWidth = 1.5 * px;
    ctx.setLineDash([2 * px, 4 * px]);
    ctx.beginPath();
    ctx.moveTo(u.bbox.left, y);
    ctx.lineTo(u.bbox.left + u.bbox.width, y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = inks.text;
    ctx.font = inks.font.replace('11px', `${String(11 * px)}px`);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText(level.label, u.bbox.left + 8 * px, y - 6 * px);
  }
  if (days.length === 1 && kind === 'lines') {
    ctx.fillStyle = inks.text;
    ctx.font = inks.font.replace('11px', `${String(11 * px)}px`);
    ctx.textBaseline = 'middle';
    for (const { values } of series) {
      const value = values[0];
      if (value != null)
        ctx.fillText(format(value), u.valToPos(0, 'x', true) + 9 * px, u.valToPos(Number(value), 'y', true));
    }
  }
  if (at !== null && kind === 'lines') {
    series.forEach((s) => {
      const value = s.values[at];
      if (value == null) return;
      ctx.fillStyle = inks.ink;
      ctx.beginPath();
      ctx.arc(u.valToPos(at, 'x', true), u.valToPos(Number(value), 'y', true), 3.5 * px, 0, 7);
      ctx.fill();
    });
  }
  ctx.restore();
}

/** A dot at the last point of each line that has an `end`, and that text over it. */
export function ends(u: uPlot, { series, kind }: PlotProps, inks: Inks): void {
  if (kind !== 'lines') return;
  const { ctx } = u;
  const px = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${inks.font.replace('11px', `${String(11 * px)}px`)}`;
  ctx.textBaseline = 'alphabetic';
  ctx.lineJoin = 'round';
  series.forEach(({ end, values }, at) => {
    const index = values.findLastIndex((value) => value != null);
    if (end === undefined || index < 0) return;
    const [x, y] = [u.valToPos(index, 'x', true), u.valToPos(Number(values[index]), 'y', true)];
    const half = ctx.measureText(end).width / 2;
    const middle = Math.min(Math.max(x, u.bbox.left + half), u.bbox.left + u.bbox.width - half);
    const over = Math.max(y - 10 * px, u.bbox.top + 6 * px);
    const line = u.series[at + 1]?.stroke;
    ctx.strokeStyle = inks.surface;
    ctx.lineWidth = 3 * px;
    ctx.textAlign = 'center';
    ctx.strokeText(end, middle, over);
    ctx.fillStyle = inks.ink;
    ctx.fillText(end, middle, over);
    ctx.beginPath();
    ctx.arc(x, y, 4.5 * px, 0, 7);
    ctx.fillStyle = typeof line === 'function' ? String(line(u, at + 1)) : inks.ink;
    ctx.fill();
    ctx.lineWidth = 2 * px;
    ctx.stroke();
  });
  ctx.restore();
}
