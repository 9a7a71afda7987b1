import { graphlib, layout } from '@dagrejs/dagre';
import { packed, partsOf } from './parts';
import type { Graph } from './thing';

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** Node positions by id. */
  places: Map<string, Point>;
  /** Where a relation turns between its ends, by id. */
  turns: Map<string, readonly Point[]>;
}

/** Names are below the nodes, so a node needs more space below than beside it. */
const box = { width: 32, height: 56 };
const nameBelow = 12;

/** Between parts that nothing relates. */
const gap = 48;
/** A picture is about so many times as wide as it is high. */
const ratio = 1.5;
/** Nodes without relations are arranged in rows with room for their names. */
const cell = { width: 150, height: 68 };

/** Connected parts in layers, next to each other, followed by nodes without relations. */
export function layersOf(graph: Graph): Layout {
  const { parts, alone } = partsOf(graph);
  const laid = [...parts.map(inLayers), ...(alone.length > 0 ? [inRows(alone)] : [])];
  const bounds = laid.map(({ places, turns }) => {
    const points = [...places.values(), ...[...turns.values()].flat()];
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return {
      left,
      top,
      width: Math.max(...xs) - left + cell.width + gap,
      height: Math.max(...ys) - top + cell.height + gap,
    };
  });
  const corners = packed(bounds, ratio);
  const all: Layout = { places: new Map(), turns: new Map() };
  laid.forEach(({ places, turns }, at) => {
    const [corner, bound] = [corners[at] ?? { x: 0, y: 0 }, bounds[at] ?? { left: 0, top: 0 }];
    const moved = ({ x, y }: Point) => ({ x: x - bound.left + corner.x, y: y - bound.top + corner.y });
    for (const [id, place] of places) all.places.set(id, moved(place));
    for (const [id, points] of turns) all.turns.set(id, points.map(moved));
  });
  return all;
}

function inRows(things: Graph['things']): Layout {
  const across = Math.ceil(Math.sqrt((things.length * ratio * cell.height) / cell.width));
  const place = (at: number) => ({ x: (at % across) * cell.width, y: Math.floor(at / across) * cell.height });
  return { places: new Map(things.map(({ id }, at) => [id, place(at)])), turns: new Map() };
}

/**
 * What needs a thing stands left of it, what it needs right of it, in layers, with few crossings (Sugiyama's method, by dagre).
 * The same graph always gives the same places.
 */
function inLayers({ things, relations }: Graph): Layout {
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
      // The first and last points are on the boxes; relations end at the nodes.
      return [id, points.slice(1, -1).map(({ x, y }) => ({ x, y: y - nameBelow }))];
    }),
  );
  return { places, turns };
}

/** A path in one row, from left to right. */
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

/** The closest node in the direction of an arrow key; the same node if there is none. */
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
