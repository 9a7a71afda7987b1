import { expect, test } from 'vitest';
import { versionsOf } from './versions';

const saved = (id: string, state: unknown) => ({
  id,
  event_time: '2026-11-01T00:00:00Z',
  event_actor: 'ada@example.com',
  event_state: JSON.stringify(state),
});

test('a save that changed the definition is a version, however the trail keeps it', () => {
  const versions = versionsOf([
    saved('c', { definition: { tasks: [{ id: 'b' }] }, revision: 2 }),
    saved('b', { status: 'PAUSED' }),
    saved('a', { name: 'x', definition: '{"tasks":[{"id":"a"}]}' }),
    null,
  ]);
  expect(versions.map(({ id, by, yaml }) => [id, by, yaml])).toEqual([
    ['c', 'ada@example.com', 'tasks:\n  - id: b\n'],
    ['a', 'ada@example.com', 'tasks:\n  - id: a\n'],
  ]);
});
