import type { CertificateShown, Look } from '@/api';
import type { Tone } from '@/shared';

/** The state of an instance, in words, from the last connection check. */
export function standing(look: Look | undefined, keptIn: string | null): { tone: Tone; word: string } {
  if (!look) return { tone: 'info', word: 'Checking' };
  if (look.trouble === 'instance_unreachable') return { tone: 'off', word: 'Not reachable' };
  if (look.trouble === 'certificate') return { tone: 'bad', word: 'Not trusted' };
  if (look.trouble) return { tone: 'bad', word: 'Not compatible' };
  return keptIn ? { tone: 'ok', word: 'Connected' } : { tone: 'warn', word: 'Signed out' };
}

/** How two versions differ: features missing in one of them cannot be used. */
export function versionNote(there: string | null | undefined, here: string): string | null {
  if (!there || there === here) return null;
  const numbers = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number);
  const [a, b] = [numbers(there), numbers(here)];
  const at = [0, 1, 2].find((i) => (a[i] ?? 0) !== (b[i] ?? 0));
  if (at === undefined) return 'another build';
  return (a[at] ?? 0) > (b[at] ?? 0) ? 'newer than this' : 'older than this';
}

/** How long a certificate counts yet, for a status and the line below it. */
export function validity({ state, days_left }: CertificateShown, isOwn: boolean): { tone: Tone; note: string } {
  const own = isOwn ? 'own authority' : '';
  if (state === 'error') return { tone: 'bad', note: 'expired' };
  if (state === 'not_yet_valid') return { tone: 'bad', note: 'not valid yet' };
  if (state === 'warning')
    return { tone: 'warn', note: days_left === 1 ? '1 day left' : `${String(days_left)} days left` };
  return { tone: 'ok', note: own };
}
