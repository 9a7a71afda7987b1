import { expect, test } from 'vitest';
import type { RunTask, RunWithTasks } from './queries';
import {
  culprit,
  documentText,
  innerTasks,
  keptWords,
  momentsOf,
  question,
  stateOf,
  took,
  tookWords,
  waitsFor,
} from './run';

function task(more: Partial<RunTask>): RunTask {
  return {
    id: 'a',
    type: 'core.print',
    status: 'COMPLETED',
    attempt: 1,
    input: null,
    output: null,
    error: null,
    start_time: null,
    end_time: null,
    children: null,
    ...more,
  };
}

function run(tasks: RunTask[], more: Partial<RunWithTasks> = {}): RunWithTasks {
  return {
    id: 'r',
    status: 'RUNNING',
    start_time: '2026-11-20T05:00:00Z',
    close_time: null,
    error: null,
    inputs: null,
    workflow_result: null,
    triggered_by: null,
    tasks,
    ...more,
  };
}

test.each([
  [20, '20 ms'],
  [400, '0.4 s'],
  [12_000, '12 s'],
  [125_000, '2 min 5 s'],
  [120_000, '2 min'],
  [6_060_000, '1 h 41 min'],
  [183_600_000, '2 d 3 h'],
])('%i ms are told as %s', (ms, words) => {
  expect(tookWords(ms)).toBe(words);
});

test('what goes on has taken until now, and what has not begun nothing', () => {
  const now = new Date('2026-11-20T05:01:00Z');
  expect(took('2026-11-20T05:00:00Z', null, now)).toBe('1 min');
  expect(took('2026-11-20T05:00:00Z', '2026-11-20T05:00:20Z', now)).toBe('20 s');
  expect(took(null, null, now)).toBeUndefined();
});

test('a run is told in the order of its instants', () => {
  const first = task({ id: 'one', start_time: '2026-11-20T05:00:01Z', end_time: '2026-11-20T05:00:03Z' });
  const other = task({ id: 'two', start_time: '2026-11-20T05:00:02Z' });
  const told = momentsOf(run([first, other])).map(({ task, what }) => `${task?.id ?? 'run'} ${what}`);
  expect(told).toEqual(['run began', 'one began', 'two began', 'one ended']);
});

test('the task that failed and the one that asks are found', () => {
  const asks = task({ id: 'ask', type: 'core.approval', status: 'STARTED' });
  const failed = task({ id: 'send', status: 'TIMED_OUT' });
  expect(question(run([task({}), asks]))?.id).toBe('ask');
  expect(culprit(run([task({}), asks]))).toBeUndefined();
  expect(culprit(run([asks, failed]))?.id).toBe('send');
});

test('a run that waits for a person does not say that it runs', () => {
  expect(stateOf('RUNNING')?.name).toBe('Running');
  expect(stateOf('RUNNING', 'approval')?.name).toBe('Waits for approval');
  expect(stateOf('RUNNING', 'decision')?.name).toBe('Needs a decision');
  const asks = task({ id: 'ask', type: 'core.approval', status: 'STARTED' });
  expect(waitsFor(run([task({}), asks]), undefined)).toBe('approval');
  expect(waitsFor(run([task({}), asks]), asks)).toBe('approval');
  expect(waitsFor(run([task({}), asks]), task({}))).toBeNull();
  expect(waitsFor(run([task({})]), undefined)).toBeNull();
});

test('tasks inside another are read as far as they are told', () => {
  expect(innerTasks([{ id: 'send', path: 'loop/0/send', status: 'FAILED', error: 'no' }, 3])).toEqual([
    { id: 'send', path: 'loop/0/send', status: 'FAILED', error: 'no' },
  ]);
  expect(innerTasks(null)).toEqual([]);
});

test('an empty document is none', () => {
  expect(documentText(null)).toBeUndefined();
  expect(documentText({})).toBeUndefined();
  expect(documentText('text')).toBe('text');
  expect(documentText({ a: 1 })).toBe('{\n  "a": 1\n}');
});

test('a list of runs says how many there are and for how long they are kept', () => {
  expect(keptWords(0, 90)).toBe('');
  expect(keptWords(12, 90)).toBe('12 in all, kept 90 days');
  expect(keptWords(200, 1)).toBe('the latest 200, kept 1 day');
  expect(keptWords(3, 0)).toBe('3 in all');
});
