import { expect, test } from 'vitest';
import { nextRun } from './next';

const now = new Date('2026-11-20T05:30:00Z');
const every = (...crons: string[]) => crons.map((cron) => ({ type: 'schedule', params: { cron } }));

test('the earliest of the schedules of an active workflow is its next run', () => {
  expect(nextRun({ status: 'ACTIVE', triggers: every('0 5 * * *') }, now)).toBe('2026-11-21T05:00:00.000Z');
  expect(nextRun({ status: 'ACTIVE', triggers: every('0 5 * * *', '0 0 6 * * *') }, now)).toBe(
    '2026-11-20T06:00:00.000Z',
  );
});

test('a schedule is due by the clock of its time zone', () => {
  const triggers = [{ type: 'schedule', params: { cron: '0 5 * * *', timezone: 'America/New_York' } }];
  expect(nextRun({ status: 'ACTIVE', triggers }, now)).toBe('2026-11-20T10:00:00.000Z');
});

test('what is paused, starts otherwise or is not read has no next run', () => {
  expect(nextRun({ status: 'PAUSED', triggers: every('0 5 * * *') }, now)).toBeNull();
  expect(nextRun({ status: 'ACTIVE', triggers: [{ type: 'webhook', params: {} }] }, now)).toBeNull();
  expect(nextRun({ status: 'ACTIVE', triggers: every('never') }, now)).toBeNull();
});
