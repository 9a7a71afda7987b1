import type { Graph } from './thing';

/** A graph in parts that no relation leads between, those with the most things first, and the things without any relation. */
export function partsOf({ things, relations }: Graph): { parts: Graph[]; alone: Graph['things'] } {
  const near = new Map<string, string[]>();
  for (const { from, to } of relations) {
    if (from === to) continue;
    near.set(from, [...(near.get(from) ?? []), to]);
    near.set(to, [...(near.get(to) ?? []), from]);
  }
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { id } of things) {
    if (partOf.has(id) || !near.has(id)) continue;
    const reached = new Set([id]);
    for (const one of reached) for (const other of near.get(one) ?? []) reached.add(other);
    for (const one of reached) partOf.set(one, count);
    count += 1;
  }
  const parts = Array.from({ length: count }, (_, at) => ({
    things: things.filter(({ id }) => partOf.get(id) === at),
    relations: relations.filter(({ from }) => partOf.get(from) === at),
  }));
  return {
    parts: parts.sort((a, b) => b.things.length - a.things.length),
    alone: things.filter(({ id }) => !partOf.has(id)),
  };
}

export interface Size {
  width: number;
  height: number;
}

/** Positions of rectangles in rows from the left, with an overall aspect ratio of about `ratio`. */
export function packed(sizes: readonly Size[], ratio: number): { x: number; y: number }[] {
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(Math.sqrt(area * ratio), ...sizes.map(({ width }) => width));
  let [x, y, high] = [0, 0, 0];
  return sizes.map(({ width, height }) => {
    if (x > 0 && x + width > widest) [x, y, high] = [0, y + high, 0];
    const place = { x, y };
    x += width;
    high = Math.max(high, height);
    return place;
  });
}
