import { Cron } from 'croner';
import type { Json } from '@/api';
import { lineAndZone } from './trigger';

interface Schedule {
  status: string | null;
  triggers: readonly ({ type: string; params: Json } | null)[] | null;
}

/** When the schedules of an active workflow are due next, on the clocks that they name; null where none is. */
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
      // The service reads it, or it would not be stored; what is not read here is told as no time.
      return [];
    }
  });
  return times.sort()[0] ?? null;
}
