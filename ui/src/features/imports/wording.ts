import type { ImportReport, ImportState } from '@/api';
import { addDays, count, money, parseTime, plural, range, toDay } from '@/shared';
import type { Tone } from '@/shared';
import type { Work } from './work';
import { isOpen, timeLeft } from './progress';

/** Icon tone and word of an import. `refused`: a failed one because of the file, not because of the service. */
export function standing(state: ImportState, refused = true): { tone: Tone; word: string } {
  switch (state) {
    case 'done':
      return { tone: 'ok', word: 'Done' };
    case 'done_with_skips':
      return { tone: 'warn', word: 'Imported, some rows skipped' };
    case 'unchanged':
      return { tone: 'off', word: 'Unchanged' };
    case 'nothing_read':
      return { tone: 'bad', word: 'No row read' };
    case 'needs_decision':
      return { tone: 'warn', word: 'Needs a decision' };
    case 'waiting_for_parts':
      return { tone: 'warn', word: 'Waits for parts' };
    case 'undone':
      return { tone: 'off', word: 'Undone' };
    case 'failed':
      return { tone: 'bad', word: refused ? 'Cannot read' : 'Failed' };
    case 'waiting':
      return { tone: 'off', word: 'Waiting' };
    case 'running':
      return { tone: 'info', word: 'Importing' };
  }
}

/** Tone and text of a running file, with the time left. */
export function workStanding(work: Work): { tone: Tone; word: string } {
  const left = timeLeft(work.left);
  // The service keeps the file and resumes the import, so this is not a failure.
  if (work.trouble !== null && work.id !== null && isOpen(work)) return { tone: 'warn', word: 'Interrupted' };
  switch (work.phase) {
    case 'queued':
    case 'waiting':
      return { tone: 'off', word: 'Waiting' };
    case 'sending':
      return { tone: 'info', word: left ? `Uploading, ${left}` : 'Uploading' };
    case 'running':
      return { tone: 'info', word: left ? `Importing, ${left}` : 'Importing' };
    case 'stopping':
      return { tone: 'info', word: 'Stopping' };
    case 'stopped':
      return { tone: 'off', word: 'Stopped' };
    case 'refused':
      return { tone: 'bad', word: 'Not uploaded' };
    case 'ended':
      return standing(work.report?.state ?? 'failed', isRefused(work.report));
  }
}

/** True if the file is invalid: the service then reports what it found. */
export function isRefused(report: ImportReport | null): boolean {
  return Boolean(report?.error?.found);
}

/** Whether the file lists the files of an export, and has no rows of its own. */
export function isManifest(report: ImportReport): boolean {
  return report.format?.id === 'manifest';
}

/** The result of a file in one sentence: "Imported 218,406 rows, 14 skipped". */
export function outcome(state: ImportState, report: ImportReport | null): string {
  if (!report) return standing(state).word;
  if (state === 'unchanged') return report.delivery?.manifest ? 'No changes' : 'Already imported, no changes';
  if (state === 'failed') return 'Nothing was imported';
  if (state === 'nothing_read') return 'No readable rows; no changes';
  if (state === 'needs_decision') return 'Nothing changes until someone decides';
  if (state === 'waiting_for_parts') return waitingFor(report.delivery?.parts ?? []);
  if (state === 'undone') return 'Undone; none of its data is stored';
  if (isManifest(report)) return `Lists ${plural(report.delivery?.parts.length ?? 0, 'file')}; all are imported`;
  const written = report.rows_written === 0 ? 'No row was imported' : `Imported ${plural(report.rows_written, 'row')}`;
  return report.rows_skipped > 0 ? `${written}, ${count(report.rows_skipped)} skipped` : written;
}

/** The last part of a path. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** "Waits for b.csv and c.csv": the parts that a manifest names and that are not there. */
export function waitingFor(parts: readonly { file_name: string; is_present: boolean }[]): string {
  const missing = parts.filter((part) => !part.is_present).map((part) => nameOf(part.file_name));
  if (missing.length === 0) return 'Its files wait for a decision';
  if (missing.length > 4) return `Waits for ${list(missing.slice(0, 3))} and ${count(missing.length - 3)} more parts`;
  return `Waits for ${list(missing)}`;
}

/** Whether an import can be undone: one that changed something, or that waits for a decision or for further files. */
export function isUndoable(state: string): boolean {
  return ['done', 'done_with_skips', 'needs_decision', 'waiting_for_parts'].includes(state);
}

/** The days of a period with an exclusive end. */
export function daysOf(period: { start: string; end: string }): { from: string; to: string } {
  const from = period.start.slice(0, 10);
  const end = parseTime(period.end);
  const to = toDay(new Date(end.getTime() - 1));
  return { from, to: to < from ? from : to };
}

/** "September 2024" */
export function periodOf(period: { start: string; end: string }): string {
  const { from, to } = daysOf(period);
  return range(from, to);
}

/** "line 12", "lines 4,118 to 4,126", or "between lines 12 and 90,002" if other rows are between them. */
export function linesOf(reason: {
  count: number;
  first_line: number;
  last_line: number;
  first_place?: string;
}): string {
  if (reason.first_place) return reason.count === 1 ? reason.first_place : `first at ${reason.first_place}`;
  if (reason.count === 1) return `line ${count(reason.first_line)}`;
  const [first, last] = [count(reason.first_line), count(reason.last_line)];
  const gapless = reason.last_line - reason.first_line + 1 === reason.count;
  return gapless ? `lines ${first} to ${last}` : `between lines ${first} and ${last}`;
}

const kinds: Record<string, [one: string, many: string]> = {
  recommendations: ['recommendation', 'recommendations'],
  checks_passed: ['check passed', 'checks passed'],
  resources: ['new resource', 'new resources'],
  accounts: ['account', 'accounts'],
  events: ['event', 'events'],
  metrics: ['measurement', 'measurements'],
  log_lines: ['log line', 'log lines'],
  clusters: ['cluster', 'clusters'],
  cluster_objects: ['object of a cluster', 'objects of a cluster'],
  insights: ['insight', 'insights'],
  namespaces: ['namespace', 'namespaces'],
  nodes: ['node', 'nodes'],
  pods: ['pod', 'pods'],
  workloads: ['workload', 'workloads'],
};

/** "36 recommendations, 37 checks passed": the imported objects of a document, by kind. */
export function writtenOf(written: Record<string, number>): string {
  return Object.entries(written)
    .map(([kind, number]) => {
      const [one, many] = kinds[kind] ?? [kind, kind];
      return `${count(number)} ${number === 1 ? one : many}`;
    })
    .join(', ');
}

const places = [
  { of: ['pods', 'workloads', 'nodes', 'namespaces'], to: '/inventory/kubernetes', label: 'Show clusters' },
  { of: ['events'], to: '/events', label: 'Show events' },
  { of: ['log_lines'], to: '/events/logs', label: 'Show logs' },
] as const;

/** The pages that show the imported objects. */
export function placesOf(written: Record<string, number>) {
  return places.filter(({ of }) => of.some((kind) => (written[kind] ?? 0) > 0));
}

/** "Empty", "Not a number": the reason as the beginning of a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1,000 rows of September 2024": the rows an import replaced. Periods are months, or days if one starts within a month. */
export function replacedOf(replaced: { rows: number; periods: string[] }): string {
  const periods = replaced.periods.map((period) => {
    if (period.length > 7) return `the period from ${period}`;
    const from = `${period}-01`;
    return range(from, addDays(nextMonth(from), -1));
  });
  return `${plural(replaced.rows, 'row')} of ${list(periods)}`;
}

/** "a, b and c" */
function list(words: readonly string[]): string {
  const [last, ...rest] = [...words].reverse();
  return rest.length > 0 ? `${rest.reverse().join(', ')} and ${last ?? ''}` : (last ?? '');
}

function nextMonth(first: string): string {
  return `${addDays(first, 31).slice(0, 7)}-01`;
}

/** The imported amounts by currency; at most `limit` of them. */
export function amounts(
  totals: readonly { currency: string; amount: string | null }[],
  limit = 2,
  write: (amount: string | null, currency: string, several: boolean) => string = (amount, currency, several) =>
    money(amount, currency, { several }),
): string {
  if (totals.length === 0) return '–';
  const several = totals.length > 1;
  const shown = totals.slice(0, limit).map(({ currency, amount }) => write(amount, currency, several));
  const more = totals.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${String(more)} more` : shown.join(', ');
}

/** How to fix a file that cannot be read; the service reports what it found. */
export function howToFix(report: ImportReport): string {
  const found = report.error?.found ?? '';
  const lacking = /\blacks\b|twice/.test(found);
  if (lacking) {
    return 'Export the file again with all columns of the standard and without renaming any, then import it again.';
  }
  if (/^gzip data|damaged|cut short/.test(found)) {
    return 'Download the file again: it seems to have arrived incomplete. Then import it again.';
  }
  if (/Parquet/.test(found)) {
    return 'Choose CSV instead of Parquet in the settings of the export; the next delivery can then be imported.';
  }
  if (/Excel|UTF-16/.test(found)) {
    return 'Save it as “CSV UTF-8”, with the names of the columns in the first line, then import that file.';
  }
  if (/ZIP|compress/.test(found)) return 'Unpack it, then import the CSV files in it.';
  if (/PDF/.test(found)) {
    return 'An invoice document cannot be imported. Export the costs as a table, as “Where the files come from” shows.';
  }
  if (/empty file|blank lines/.test(found)) return 'Download the file again: this one is empty.';
  if (found === '') return 'Import the file again. If it fails again, Settings, Health & about shows what is missing.';
  return 'Export the costs in the FOCUS format, as “Where the files come from” shows, then import that file.';
}

/** What dropping does: in general, or for the files dragged over the page. */
export function invitation(files: number | null): string {
  if (files === null) return 'Drop cost files anywhere on this page';
  return `Drop ${plural(files, 'file')} to import ${files === 1 ? 'it' : 'them'}`;
}
