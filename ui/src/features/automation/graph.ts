import type { Json } from '@/api';

/** A task as the picture needs it. */
export interface Step {
  id: string;
  type: string;
  dependsOn: readonly string[];
  params: Json;
  /** How many tasks are inside it. */
  inner: number;
}

export interface Node {
  id: string;
  /** The longest chain of tasks before it. */
  layer: number;
  /** Its place among those of its layer, from the top. */
  place: number;
  x: number;
  y: number;
}

export interface Edge {
  from: string;
  to: string;
  /** The result of a decision that leads along this edge. */
  label?: string;
}

export interface Picture {
  nodes: readonly Node[];
  edges: readonly Edge[];
  width: number;
  height: number;
}

/** The node of the trigger. Task ids contain no colon. */
export const start = 'trigger:';

export const size = { width: 190, height: 66, gapX: 44, gapY: 22, margin: 20 } as const;

function fields(value: Json | undefined): { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Where a decision may lead: to tasks by their ids, with its answer. */
function branches(step: Step): Edge[] {
  if (step.type !== 'core.switch') return [];
  const { cases, default_next: otherwise } = fields(step.params);
  const named = (Array.isArray(cases) ? cases : []).flatMap((one): Edge[] => {
    const { value, next } = fields(one);
    return targets(next).map((to) => ({ from: step.id, to, label: textOf(value) }));
  });
  return [...named, ...targets(otherwise).map((to) => ({ from: step.id, to, label: 'else' }))];
}

function targets(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** The edges. Tasks without dependencies start with the trigger. Names of missing tasks are dropped. */
export function edgesOf(steps: readonly Step[]): Edge[] {
  const ids = new Set(steps.map(({ id }) => id));
  const chosen = steps.flatMap(branches).filter(({ to, from }) => ids.has(to) && to !== from);
  const waits = steps.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((from) => ids.has(from) && from !== id).map((from) => ({ from, to: id })),
  );
  const both = [
    ...chosen,
    ...waits.filter((edge) => !chosen.some((one) => one.from === edge.from && one.to === edge.to)),
  ];
  const led = new Set(both.map(({ to }) => to));
  return [...steps.filter(({ id }) => !led.has(id)).map(({ id }) => ({ from: start, to: id })), ...both];
}

/** The layer of each task: one more than its furthest predecessor. Cycles are broken in the given order. */
function layersOf(ids: readonly string[], edges: readonly Edge[]): Map<string, number> {
  const before = new Map<string, string[]>();
  for (const { from, to } of edges) before.set(to, [...(before.get(to) ?? []), from]);
  const layers = new Map<string, number>([[start, 0]]);
  const open = new Set<string>();
  const layer = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    if (open.has(id)) return 0;
    open.add(id);
    const found = 1 + Math.max(0, ...(before.get(id) ?? []).map(layer));
    open.delete(id);
    layers.set(id, found);
    return found;
  };
  ids.forEach(layer);
  return layers;
}

/** Arranges tasks from left to right by layer; within a layer near their predecessors. */
export function pictureOf(steps: readonly Step[]): Picture {
  const edges = edgesOf(steps);
  const ids = [start, ...steps.map(({ id }) => id)];
  const layers = layersOf(ids, edges);
  const most = Math.max(0, ...layers.values());
  const places = new Map<string, number>();
  const columns: string[][] = [];
  for (let at = 0; at <= most; at += 1) {
    const here = ids.filter((id) => layers.get(id) === at);
    const middle = (id: string) => {
      const from = edges.filter(({ to }) => to === id).map((edge) => places.get(edge.from) ?? 0);
      return from.length === 0 ? 0 : from.reduce((sum, one) => sum + one, 0) / from.length;
    };
    const sorted = here
      .map((id, place) => ({ id, place, middle: middle(id) }))
      .sort((a, b) => a.middle - b.middle || a.place - b.place)
      .map(({ id }) => id);
    // Centred around the same line, so that chains stay level.
    sorted.forEach((id, place) => places.set(id, place - (sorted.length - 1) / 2));
    columns.push(sorted);
  }
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const height = rows * (size.height + size.gapY) - size.gapY + 2 * size.margin;
  const nodes = columns.flatMap((column, layer) =>
    column.map((id, place) => ({
      id,
      layer,
      place,
      x: size.margin + layer * (size.width + size.gapX),
      y: (height - size.height) / 2 + (places.get(id) ?? 0) * (size.height + size.gapY),
    })),
  );
  return { nodes, edges, width: 2 * size.margin + columns.length * (size.width + size.gapX) - size.gapX, height };
}

/** The node in the direction of an arrow key; the same node if there is none. */
export function neighbour(picture: Picture, id: string, key: string): string {
  const node = picture.nodes.find((one) => one.id === id);
  if (!node) return id;
  const level = (ids: readonly string[]) => {
    const found = picture.nodes.filter((one) => ids.includes(one.id));
    return [...found].sort((a, b) => Math.abs(a.y - node.y) - Math.abs(b.y - node.y))[0]?.id ?? id;
  };
  if (key === 'ArrowRight') return level(picture.edges.filter(({ from }) => from === id).map(({ to }) => to));
  if (key === 'ArrowLeft') return level(picture.edges.filter(({ to }) => to === id).map(({ from }) => from));
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  return picture.nodes.find((one) => one.layer === node.layer && one.place === node.place + step)?.id ?? id;
}
