import { utcTimeHere } from '@/shared';
import type { Window } from './queries';
import { weekdays } from './words';

/** The days of a window: 1 is Monday. */
export function daysOf({ days }: Pick<Window, 'days'>): number[] {
  const found: unknown = days;
  return Array.isArray(found) ? found.filter((day): day is number => typeof day === 'number') : [];
}

/** A window in words: "Saturday and Sunday at 22:00 UTC, for 4 h", with the time in the user's zone. */
export function windowText(window: Pick<Window, 'days' | 'starts_at' | 'minutes'>, now: Date): string {
  const names = daysOf(window).map((day) => weekdays[day - 1] ?? '');
  const days =
    names.length === 7
      ? 'Every day'
      : `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1) ?? ''}`;
  const [hours, minutes] = [Math.floor(window.minutes / 60), window.minutes % 60];
  const length = [hours > 0 && `${String(hours)} h`, minutes > 0 && `${String(minutes)} min`].filter(Boolean).join(' ');
  const here = utcTimeHere(window.starts_at, now);
  return `${days} at ${window.starts_at} UTC${here === undefined ? '' : ` (${here})`}, for ${length}`;
}
