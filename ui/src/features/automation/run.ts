import type { Json } from '@/api';
import { parseTime, plural } from '@/shared';
import type { Tone } from '@/shared';
import type { RunTask, RunWithTasks } from './queries';
import { runStates, waitStates } from './words';

/** The state of a run or task; `waitsFor` is the input it needs from a person. */
export function stateOf(
  status: string | null,
  waitsFor: string | null = null,
): { name: string; tone: Tone } | undefined {
  return waitStates[waitsFor ?? ''] ?? runStates[status ?? ''];
}

/** Whether something still happens in a run. */
export function isOpen(status: string | null): boolean {
  return status === 'SCHEDULED' || status === 'RUNNING';
}

/** "12 in all, kept 90 days": the number of runs, and how long finished ones are stored; 0 days means forever. */
export function keptWords(count: number, days: number): string {
  if (count === 0) return '';
  const many = count === 200 ? 'the latest 200' : `${String(count)} in all`;
  return days === 0 ? many : `${many}, kept ${plural(days, 'day')}`;
}

/** "20 ms", "0.4 s", "12 s", "2 min 5 s", "1 h 41 min", "2 d 3 h" for milliseconds. */
export function tookWords(ms: number): string {
  if (ms < 100) return `${String(Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  if (minutes === 0) return `${String(seconds)} s`;
  if (hours === 0) return parts(minutes, 'min', seconds % 60, 's');
  if (days === 0) return parts(hours, 'h', minutes % 60, 'min');
  return parts(days, 'd', hours % 24, 'h');
}

function parts(more: number, unit: string, less: number, smaller: string): string {
  return less === 0 ? `${String(more)} ${unit}` : `${String(more)} ${unit} ${String(less)} ${smaller}`;
}

/** The duration, up to now if it is still running; undefined before it starts. */
export function took(start: string | null, end: string | null, now: Date): string | undefined {
  if (start === null) return undefined;
  return tookWords(Math.max(0, (end === null ? now : parseTime(end)).getTime() - parseTime(start).getTime()));
}

/** A task inside another, by its path. */
export interface InnerTask {
  id: string;
  path: string;
  status: string;
  error: string | null;
}

/** The tasks that ran inside one. */
export function innerTasks(children: Json): InnerTask[] {
  if (!Array.isArray(children)) return [];
  return children.flatMap((child): InnerTask[] => {
    if (typeof child !== 'object' || child === null || Array.isArray(child)) return [];
    const text = (name: string) => (typeof child[name] === 'string' ? child[name] : null);
    return [
      { id: text('id') ?? '', path: text('path') ?? '', status: text('status') ?? 'UNKNOWN', error: text('error') },
    ];
  });
}

/** The first failed task, whose error is shown. */
export function culprit(run: RunWithTasks): RunTask | undefined {
  return tasksOf(run).find(({ status }) => status === 'FAILED' || status === 'TIMED_OUT' || status === 'UNKNOWN');
}

/** The task that waits for a person's answer, if one does. */
export function question(run: RunWithTasks): RunTask | undefined {
  return tasksOf(run).find(asks);
}

function asks({ type, status }: RunTask): boolean {
  return type === 'core.approval' && status === 'STARTED';
}

/** The input that a run, or one of its tasks, needs from a person. */
export function waitsFor(run: RunWithTasks, task: RunTask | undefined): string | null {
  return (task === undefined ? question(run) !== undefined : asks(task)) ? 'approval' : null;
}

export function tasksOf(run: RunWithTasks): RunTask[] {
  return (run.tasks ?? []).filter((task) => task !== null);
}

/** One entry of a run's timeline. */
export interface Moment {
  time: string;
  task: RunTask | null;
  what: 'began' | 'ended';
}

/** The timeline of a run: start and end of the run and its tasks, in order. */
export function momentsOf(run: RunWithTasks): Moment[] {
  const all: Moment[] = tasksOf(run).flatMap((task): Moment[] => [
    ...(task.start_time === null ? [] : [{ time: task.start_time, task, what: 'began' as const }]),
    ...(task.end_time === null ? [] : [{ time: task.end_time, task, what: 'ended' as const }]),
  ]);
  // A stable sort: at the same time, a task starts before it ends.
  all.sort((a, b) => parseTime(a.time).getTime() - parseTime(b.time).getTime());
  return [
    ...(run.start_time === null ? [] : [{ time: run.start_time, task: null, what: 'began' as const }]),
    ...all,
    ...(run.close_time === null ? [] : [{ time: run.close_time, task: null, what: 'ended' as const }]),
  ];
}

/** A document as the person reads it; an empty one as undefined. */
export function documentText(value: Json): string | undefined {
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
