import { expect, test } from 'vitest';
import { edgesOf, neighbour, pictureOf, start } from './graph';
import type { Step } from './graph';

function step(id: string, dependsOn: string[] = [], more: Partial<Step> = {}): Step {
  return { id, type: 'core.print', dependsOn, params: null, inner: 0, ...more };
}

const layer = (steps: Step[]) => Object.fromEntries(pictureOf(steps).nodes.map(({ id, layer }) => [id, layer]));

test('a task stands behind everything it waits for', () => {
  const steps = [step('join', ['left', 'right']), step('left'), step('right', ['ask']), step('ask')];
  expect(layer(steps)).toEqual({ [start]: 0, left: 1, ask: 1, right: 2, join: 3 });
});

test('a decision leads to its answers with their labels, and they do not begin with the trigger', () => {
  const params = {
    expression: 'x',
    cases: [
      { value: 'yes', next: 'send' },
      { value: 3, next: ['wait'] },
    ],
    default_next: 'stop',
  };
  const steps = [step('choose', [], { type: 'core.switch', params }), step('send'), step('wait'), step('stop')];
  expect(edgesOf(steps)).toEqual([
    { from: start, to: 'choose' },
    { from: 'choose', to: 'send', label: 'yes' },
    { from: 'choose', to: 'wait', label: '3' },
    { from: 'choose', to: 'stop', label: 'else' },
  ]);
});

test('a circle, a task that waits for itself and one that is not there are drawn all the same', () => {
  const { nodes, edges } = pictureOf([step('a', ['b']), step('b', ['a']), step('c', ['c', 'gone'])]);
  expect(nodes.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', start]);
  expect(edges).toContainEqual({ from: start, to: 'c' });
});

test('no two tasks of a picture cover each other', () => {
  const { nodes } = pictureOf([step('a'), step('b'), step('c', ['a']), step('d', ['a']), step('e', ['b', 'c'])]);
  expect(new Set(nodes.map(({ x, y }) => `${String(x)} ${String(y)}`)).size).toBe(nodes.length);
});

test('arrow keys follow the edges, and stay where there is none', () => {
  const picture = pictureOf([step('a'), step('b'), step('c', ['a'])]);
  expect(neighbour(picture, 'a', 'ArrowRight')).toBe('c');
  expect(neighbour(picture, 'c', 'ArrowLeft')).toBe('a');
  expect(neighbour(picture, 'a', 'ArrowDown')).toBe('b');
  expect(neighbour(picture, 'c', 'ArrowRight')).toBe('c');
  expect(neighbour(picture, 'a', 'ArrowLeft')).toBe(start);
});
