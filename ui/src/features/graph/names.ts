import type { Layout } from './layout';
import type { Graph, Thing } from './thing';

/** Names are cut to so many letters; the whole name is in the title. */
const longest = 24;
/** Of a name, in px of the window. */
const letter = { width: 6.2, height: 14 };
/** From this scale on, nodes are far enough apart for all names. */
const roomForAll = 0.85;

/** Half the width of a thing, in points of the picture. */
export const radius = 12;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The part of the plane that is drawn. */
interface Bounds {
  x: number;
  width: number;
}

/** The least distance of two things of a layer, in points of the picture. */
const apart = 56;

/** Click radius of a node in units of the graph: 24 px across, as far as neighbours leave room for it. */
export function reachAt(scale: number): number {
  return Math.max(radius + 6, Math.min(12 / scale, apart / 2));
}

/** A name as it is drawn. */
export function shortName({ name }: Thing): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}

/** Distance of a name below its node in units of the graph: text keeps its size when the graph shrinks. */
export function nameBelow(scale: number): number {
  return radius + 5 + 12 / Math.min(1, scale);
}

/**
 * The things whose names are drawn at a scale: all of them where there is room, or else those with the most relations whose names lie on no other name
 * and on no thing, and are whole in the picture.
 */
export function namedAt(
  { things, relations }: Graph,
  { places }: Layout,
  scale: number,
  bounds: Bounds,
): ReadonlySet<string> {
  if (scale >= roomForAll) return new Set(things.map(({ id }) => id));
  const many = new Map<string, number>();
  for (const id of relations.flatMap(({ from, to }) => [from, to])) many.set(id, (many.get(id) ?? 0) + 1);
  const size = radius * scale;
  const taken = things.flatMap(({ id }) => {
    const place = places.get(id);
    return place ? [around(place.x * scale, place.y * scale, size, size)] : [];
  });
  const named = new Set<string>();
  for (const thing of things.toSorted((a, b) => (many.get(b.id) ?? 0) - (many.get(a.id) ?? 0))) {
    const place = places.get(thing.id);
    if (!place) continue;
    const box = around(
      place.x * scale,
      (place.y + nameBelow(scale)) * scale - letter.height / 3,
      (shortName(thing).length * letter.width) / 2,
      letter.height / 2,
    );
    const isWhole = box.left >= bounds.x * scale && box.right <= (bounds.x + bounds.width) * scale;
    if (!isWhole || taken.some((other) => overlap(box, other))) continue;
    named.add(thing.id);
    taken.push(box);
  }
  return named;
}

function around(x: number, y: number, halfWidth: number, halfHeight: number): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
