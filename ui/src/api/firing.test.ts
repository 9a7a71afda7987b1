import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { firingOf } from './firing';

test('what fires is counted by priority; without one it is information', () => {
  const rows = [
    { priority: 'HIGH', event_count: 2 },
    { priority: null, event_count: '1' },
    { priority: 'MEDIUM', event_count: 4 },
  ];
  expect(firingOf(rows)).toEqual({
    count: 7,
    byPriority: new Map([
      ['HIGH', 2],
      ['INFO', 1],
      ['MEDIUM', 4],
    ]),
  });
  expect(firingOf([]).count).toBe(0);
});

test('every page counts what fires by the one rule', () => {
  const own = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/generated|\.test\./.test(name))
    // The newest grave ones that nobody has taken are fewer by intent.
    .filter((name) => !/overview.queries\.ts$|api.firing\.ts$/.test(name))
    .filter((name) => /status: \{ _eq: ['"]?FIRING/.test(readFileSync(`src/${name}`, 'utf8')));
  expect(own).toEqual([]);
});
