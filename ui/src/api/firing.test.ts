import { expect, test } from 'vitest';
import { firingOf } from './firing';

test('what triage has put aside does not count as firing; the rest is counted by priority', () => {
  const rows = [
    { priority: 'HIGH', nb_status: 'OPEN', event_count: 2 },
    { priority: 'HIGH', nb_status: null, event_count: '1' },
    { priority: 'LOW', nb_status: 'SNOOZED', event_count: 5 },
    { priority: 'MEDIUM', nb_status: 'ACKNOWLEDGED', event_count: 4 },
  ];
  expect(firingOf(rows)).toEqual({
    count: 7,
    byPriority: new Map([
      ['HIGH', 3],
      ['MEDIUM', 4],
    ]),
  });
  expect(firingOf([]).count).toBe(0);
});
