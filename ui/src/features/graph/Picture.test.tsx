import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { layersOf } from './layout';
import { namedAt, reachAt } from './names';
import { Picture } from './Picture';
import type { Graph } from './thing';

/** A cluster with nodes, which nothing fits into a small frame in its own size. */
function graphOfNodes(many: number): Graph {
  const thing = (id: string) => ({
    id,
    kind: 'Node',
    name: id,
    namespace: undefined,
    account: 'a',
    labels: [],
    source: 'file',
    properties: {},
    updatedAt: '2026-11-30T00:00:00Z',
  });
  const nodes = Array.from({ length: many }, (_, at) => `node-with-a-long-name-${String(at)}`);
  return {
    things: [...nodes, 'cluster'].map(thing),
    relations: nodes.map((from) => ({ id: from, from, to: 'cluster', kind: 'PART_OF', source: 'file', detail: '' })),
  };
}

let frame = { width: 600, height: 300 };
let changes: (() => void)[] = [];

beforeEach(() => {
  frame = { width: 600, height: 300 };
  changes = [];
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(() => frame.width);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(() => frame.height);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onChange: () => void) {
        changes.push(onChange);
      }
      observe() {}
      disconnect() {}
    },
  );
  HTMLElement.prototype.scrollTo = vi.fn();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('all nodes are inside the frame at first sight, when it changes its size, and again with Fit', () => {
  const { container } = render(
    <Picture graph={graphOfNodes(60)} middle={undefined} open={undefined} isPath={false} onOpen={() => undefined} />,
  );
  const size = () =>
    ['width', 'height'].map((side) => Number(container.querySelector('.kg-scroll > svg')?.getAttribute(side)));
  const fits = () => {
    const [width = NaN, height = NaN] = size();
    // One side is filled; the buttons that zoom have 52 px below.
    expect(Math.max(width / frame.width, height / (frame.height - 52))).toBeCloseTo(1, 6);
  };
  fits();
  frame = { width: 900, height: 700 };
  act(() => {
    for (const change of changes) change();
  });
  fits();

  fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
  expect(size()[1]).toBeGreaterThan(frame.height);
  fireEvent.click(screen.getByRole('button', { name: 'Fit' }));
  fits();
});

test('a small picture names those with the most relations, and no two names lie on each other', () => {
  const graph = graphOfNodes(60);
  const layout = layersOf(graph);
  const all = { x: -1000, width: 2000 };
  expect(namedAt(graph, layout, 1, all).size).toBe(61);
  const named = namedAt(graph, layout, 0.2, all);
  expect(named.has('cluster')).toBe(true);
  expect(named.size).toBeLessThan(10);
  // A name that the edge of the picture would cut is none.
  const cluster = layout.places.get('cluster') ?? { x: NaN };
  expect(namedAt(graph, layout, 0.2, { x: cluster.x - 5, width: 1000 }).has('cluster')).toBe(false);
});

test('things of a small picture are pressed on 24 px, up to the next one', () => {
  expect([reachAt(1), reachAt(0.5) * 0.5, reachAt(0.1)]).toEqual([18, 12, 28]);
});
