import type { Graph } from './thing';

export interface Point {
  x: number;
  y: number;
}

const ideal = 118;
const rounds = 260;

/**
 * Places of things so that related ones stand close and none on another: springs along relations, a push between all, a pull to
 * the middle (Fruchterman and Reingold). The same graph always gives the same places.
 */
export function placesOf({ things, relations }: Graph, middle: string | undefined): Map<string, Point> {
  const points = things.map((_, at) => start(at, things.length));
  const index = new Map(things.map(({ id }, at) => [id, at]));
  const pairs = relations.flatMap(({ from, to }): [number, number][] => {
    const [one, other] = [index.get(from), index.get(to)];
    return one === undefined || other === undefined ? [] : [[one, other]];
  });
  const fixed = middle === undefined ? undefined : index.get(middle);
  // Fewer rounds where there is much to move: the picture is there at once.
  const many = Math.min(rounds, Math.ceil(9e6 / Math.max(1, points.length * points.length)));
  for (let round = 0; round < many; round += 1) {
    const heat = ideal * (1 - round / many) * 0.6 + 1;
    const moves = pushes(points);
    for (const [one, other] of pairs) pull(points, moves, one, other);
    points.forEach((point, at) => {
      const move = moves[at];
      if (!move) return;
      if (at === fixed) {
        point.x = 0;
        point.y = 0;
        return;
      }
      move.x -= point.x * 0.035;
      move.y -= point.y * 0.05;
      const length = Math.hypot(move.x, move.y) || 1;
      point.x += (move.x / length) * Math.min(length, heat);
      point.y += (move.y / length) * Math.min(length, heat);
    });
  }
  return new Map(things.map(({ id }, at) => [id, points[at] ?? { x: 0, y: 0 }]));
}

/** On a spiral, so that no two begin at the same place. */
function start(at: number, many: number): Point {
  const angle = at * 2.399963;
  const radius = ideal * 0.55 * Math.sqrt(at + (many > 1 ? 0.5 : 0));
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) * 0.8 };
}

function pushes(points: readonly Point[]): Point[] {
  const moves = points.map(() => ({ x: 0, y: 0 }));
  for (let a = 0; a < points.length; a += 1)
    for (let b = a + 1; b < points.length; b += 1) {
      const [one, other] = [points[a], points[b]];
      const [moveOne, moveOther] = [moves[a], moves[b]];
      if (!one || !other || !moveOne || !moveOther) continue;
      const x = one.x - other.x;
      // Names stand under the things: they need more room above each other.
      const y = (one.y - other.y) * 0.9;
      const square = Math.max(64, x * x + y * y);
      const force = (ideal * ideal) / square;
      moveOne.x += x * force * 0.9;
      moveOne.y += y * force * 0.9;
      moveOther.x -= x * force * 0.9;
      moveOther.y -= y * force * 0.9;
    }
  return moves;
}

function pull(points: readonly Point[], moves: readonly Point[], a: number, b: number): void {
  const [one, other] = [points[a], points[b]];
  const [moveOne, moveOther] = [moves[a], moves[b]];
  if (!one || !other || !moveOne || !moveOther) return;
  const x = one.x - other.x;
  const y = one.y - other.y;
  const force = Math.hypot(x, y) / ideal / 2;
  moveOne.x -= x * force;
  moveOne.y -= y * force;
  moveOther.x += x * force;
  moveOther.y += y * force;
}

/** A path in one row, from the left to the right. */
export function inARow({ things }: Graph): Map<string, Point> {
  return new Map(things.map(({ id }, at) => [id, { x: at * ideal * 1.4, y: (at % 2) * 46 }]));
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
