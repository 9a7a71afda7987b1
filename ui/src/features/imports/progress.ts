import { bytes, count, plural } from '@/shared';
import type { Work } from './work';

/** No rate is shown before this time, in ms. */
const tellAfter = 2000;

/** Seconds left when `done` of `total` took from `since` to `now` (ms); null while unknown. */
export function secondsLeft(done: number, total: number, since: number, now: number): number | null {
  const took = now - since;
  if (took < tellAfter || done <= 0 || total <= 0) return null;
  return Math.max(0, ((total - done) * took) / done / 1000);
}

/** "2 min left"; empty while unknown. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 1.5) return 'almost done';
  if (seconds < 90) return `${String(Math.round(seconds))} s left`;
  if (seconds < 90 * 60) return `${String(Math.round(seconds / 60))} min left`;
  return `${String(Math.round(seconds / 3600))} h left`;
}

/** Progress of the current step: uploading or importing. */
export function fraction(work: Work): number {
  if (work.size <= 0) return 0;
  if (work.phase === 'sending') return Math.min(1, work.sent / work.size);
  return work.read ? Math.min(1, work.read.bytes / work.size) : 0;
}

/** How many rows were read, of about how many. */
export function rowsOf(work: Work): string {
  if (work.phase === 'sending') return `${bytes(work.sent)} of ${bytes(work.size)} sent`;
  const rows = work.read?.rows ?? 0;
  const done = fraction(work);
  if (rows === 0) return 'Reading the first rows';
  if (done >= 1) return `${plural(rows, 'row')} read, being written`;
  if (done < 0.02) return `${plural(rows, 'row')} read`;
  return `${count(rows)} of about ${count(roundish(rows / done))} rows`;
}

/** An estimate with the digits it deserves. */
function roundish(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.round(value / step) * step;
}

/**
 * The one line of the status bar for everything that runs; null when nothing does. One file shows the step at hand, as its row on the page
 * does; of several each counts once sent and once imported.
 */
export function overall(all: readonly Work[]): { title: string; done: number } | null {
  const open = all.filter(isOpen);
  const [first] = open;
  if (!first) return null;
  if (open.length === 1) {
    return { title: `${first.phase === 'sending' ? 'Uploading' : 'Importing'} ${first.name}`, done: fraction(first) };
  }
  // Files that ended since the first open one was added stay in the sum, so that the bar does not jump back.
  const batch = all.filter((work) => work.batch === first.batch || isOpen(work));
  const total = batch.reduce((sum, work) => sum + 2 * work.size, 0);
  const done = batch.reduce((sum, work) => sum + doneBytes(work), 0);
  return { title: `Importing ${String(open.length)} files`, done: total > 0 ? Math.min(1, done / total) : 0 };
}

/** True until the file is imported, refused or stopped. */
export function isOpen(work: Work): boolean {
  return ['queued', 'sending', 'waiting', 'running', 'stopping'].includes(work.phase);
}

function doneBytes(work: Work): number {
  if (!isOpen(work)) return 2 * work.size;
  if (work.phase === 'queued') return 0;
  if (work.phase === 'sending') return work.sent;
  return work.size + (work.read?.bytes ?? 0);
}
