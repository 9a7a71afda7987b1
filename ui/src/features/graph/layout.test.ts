import { expect, test } from 'vitest';
import { inARow, placesOf, towards } from './layout';
import type { Graph } from './thing';

function star(many: number): Graph {
  const id = (at: number) => `n${String(at)}`;
  const thing = (at: number) => ({
    id: id(at),
    kind: 'Pod',
    name: id(at),
    namespace: undefined,
    account: '',
    labels: [],
    source: '',
    properties: {},
    updatedAt: '',
  });
  return {
    things: Array.from({ length: many }, (_, at) => thing(at)),
    relations: Array.from({ length: many - 1 }, (_, at) => ({
      id: `e${String(at)}`,
      from: id(0),
      to: id(at + 1),
      kind: 'RUNS',
      source: '',
      detail: '',
    })),
  };
}

test('no thing stands on another, and the same graph has the same places', () => {
  const graph = star(40);
  const places = placesOf(graph, 'n0');
  const points = [...places.values()];
  const gaps = points.flatMap((one, at) =>
    points.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  expect(Math.min(...gaps)).toBeGreaterThan(24);
  expect(places.get('n0')).toEqual({ x: 0, y: 0 });
  expect(placesOf(graph, 'n0')).toEqual(places);
  expect(placesOf({ things: [], relations: [] }, undefined).size).toBe(0);
});

test('a path goes from the left to the right', () => {
  const xs = [...inARow(star(4)).values()].map(({ x }) => x);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(new Set(xs).size).toBe(4);
});

test('an arrow key leads to the closest thing in its direction, and nowhere where there is none', () => {
  const places = new Map([
    ['middle', { x: 0, y: 0 }],
    ['right', { x: 100, y: 10 }],
    ['far', { x: 300, y: 0 }],
    ['below', { x: 5, y: 90 }],
  ]);
  expect(towards(places, 'middle', 'ArrowRight')).toBe('right');
  expect(towards(places, 'middle', 'ArrowDown')).toBe('below');
  expect(towards(places, 'middle', 'ArrowLeft')).toBe('middle');
  expect(towards(places, 'far', 'ArrowLeft')).toBe('right');
});
