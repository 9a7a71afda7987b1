import { Cron } from 'croner';
import type { Json } from '@/api';
import { lineAndZone } from './trigger';

interface Schedule {
  status: string | null;
  triggers: readonly ({ type: string; params: Json } | null)[] | null;
}

/** The next run of an active workflow's schedules, in their time zones; null if there is none. */
export function nextRun({ status, triggers }: Schedule, now: Date): string | null {
  if (status !== 'ACTIVE') return null;
  const times = (triggers ?? []).flatMap((trigger) => {
    if (trigger?.type !== 'schedule') return [];
    const { params } = trigger;
    const schedule = lineAndZone(params);
    if (schedule === undefined) return [];
    try {
      const next = new Cron(schedule.line, { timezone: schedule.zone ?? 'UTC', paused: true }).nextRun(now);
      return next ? [next.toISOString()] : [];
    } catch {
      // The service accepted the schedule; one this library cannot parse is shown without a time.
      return [];
    }
  });
  return times.sort()[0] ?? null;
}
