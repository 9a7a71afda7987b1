import { graphlib, layout } from '@dagrejs/dagre';
import type { Graph } from './thing';

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** Where each thing stands, by id. */
  places: Map<string, Point>;
  /** Where a relation turns between its ends, by id. */
  turns: Map<string, readonly Point[]>;
}

/** Names stand under the things: a thing needs more room below than beside it. */
const box = { width: 32, height: 56 };
const nameBelow = 12;

/**
 * What needs a thing stands left of it, what it needs right of it, in layers, with few crossings (Sugiyama's method, by dagre).
 * The same graph always gives the same places.
 */
export function layersOf({ things, relations }: Graph): Layout {
  const layered = new graphlib.Graph({ multigraph: true });
  layered.setGraph({ rankdir: 'LR', ranksep: 120, nodesep: 14, edgesep: 14 });
  for (const { id } of things) layered.setNode(id, { ...box });
  for (const { id, from, to } of relations) layered.setEdge(from, to, {}, id);
  layout(layered);
  const places = new Map(
    things.map(({ id }) => {
      const { x = 0, y = 0 } = layered.node(id) as Partial<Point>;
      return [id, { x, y: y - nameBelow }];
    }),
  );
  const turns = new Map(
    relations.map(({ id, from, to }) => {
      const { points = [] } = layered.edge(from, to, id) as { points?: Point[] };
      // The first and the last lie on the boxes; relations end at the things.
      return [id, points.slice(1, -1).map(({ x, y }) => ({ x, y: y - nameBelow }))];
    }),
  );
  return { places, turns };
}

/** A path in one row, from the left to the right. */
export function inARow({ things }: Graph): Layout {
  const places = new Map(things.map(({ id }, at) => [id, { x: at * 165, y: (at % 2) * 46 }]));
  return { places, turns: new Map() };
}

/** A line through some points that bends instead of turning, as the path of an SVG. */
export function bent(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const bends = rest.slice(0, -1).map((point, place) => {
    const next = rest[place + 1] ?? last;
    const end = place === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join('')}`;
}

/** The thing that lies in the direction of an arrow key, the closest; the same where there is none. */
export function towards(places: ReadonlyMap<string, Point>, id: string, key: string): string {
  const from = places.get(id);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!from || !way) return id;
  const [dx = 0, dy = 0] = way;
  let best = { id, cost: Infinity };
  for (const [other, point] of places) {
    const along = (point.x - from.x) * dx + (point.y - from.y) * dy;
    const across = Math.abs((point.x - from.x) * dy) + Math.abs((point.y - from.y) * dx);
    const cost = along + 2 * across;
    if (other !== id && along > 1 && cost < best.cost) best = { id: other, cost };
  }
  return best.id;
}
