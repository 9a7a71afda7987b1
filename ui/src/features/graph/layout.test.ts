import { expect, test } from 'vitest';
import { bent, inARow, layersOf, towards } from './layout';
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
  const { places } = layersOf(graph);
  const points = [...places.values()];
  const gaps = points.flatMap((one, at) =>
    points.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  expect(Math.min(...gaps)).toBeGreaterThan(40);
  expect(layersOf(graph).places).toEqual(places);
  expect(layersOf({ things: [], relations: [] }).places.size).toBe(0);
});

test('what needs a thing stands left of it, and a relation over several layers turns in between', () => {
  const chain = star(3);
  const [first, second] = chain.relations;
  if (!first || !second) throw new Error('two relations');
  // n0 → n1 → n2, and n0 → n2.
  const relations = [first, { ...second, from: 'n1', to: 'n2' }, { ...second, id: 'long', from: 'n0', to: 'n2' }];
  const { places, turns } = layersOf({ ...chain, relations });
  const xs = ['n0', 'n1', 'n2'].map((id) => places.get(id)?.x ?? 0);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(turns.get('long')?.length).toBeGreaterThan(0);
});

test('a path goes from the left to the right', () => {
  const xs = [...inARow(star(4)).places.values()].map(({ x }) => x);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(new Set(xs).size).toBe(4);
});

test('a line begins and ends at its points', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 5 },
    { x: 20, y: 0 },
  ];
  expect(bent(points)).toBe('M0.0 0.0Q10.0 5.0 20.0 0.0');
  expect(bent(points.slice(0, 2))).toBe('M0.0 0.0L10.0 5.0');
  expect(bent([...points, { x: 30, y: 0 }])).toMatch(/ 30\.0 0\.0$/);
  expect(bent([])).toBe('');
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
