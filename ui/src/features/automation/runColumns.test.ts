import { expect, test } from 'vitest';
import type { Run } from './queries';
import { runColumns } from './RunTable';

test('a file of runs says when each began, how it ended, how long it took and who began it', () => {
  const run = {
    id: 'r',
    status: 'COMPLETED',
    start_time: '2026-11-01T00:00:00Z',
    close_time: '2026-11-01T00:00:02Z',
    trigger_type: 'manual',
    triggered_by: 'u',
    waits_for: null,
  } as Run;
  const columns = runColumns(new Map([['u', 'Ada']]), new Date('2026-11-02T00:00:00Z'));
  expect(columns.map(({ value }) => value(run))).toEqual(['2026-11-01T00:00:00Z', 'Completed', '2.0 s', 'Ada']);
  expect(columns.at(-1)?.value({ ...run, triggered_by: null, trigger_type: 'schedule' })).toBe('Schedule');
});
