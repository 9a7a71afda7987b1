import { expect, test } from 'vitest';
import { newPilot, problemsOf } from './draft';
import { coversWords, notRunning, outcome, playbookTrigger, scheduleWords, taskWords, wayWords } from './pilot';
import { pilotsSearch } from './search';

test('an auto-pilot says what it looks after and when', () => {
  expect(coversWords([{ namespace: 'shop', type: 'Deployment', name: '' }, null])).toEqual([
    'shop / Deployment / *',
    '* / * / *',
  ]);
  expect(scheduleWords('0 5 * * *')).toBe('Every day, 05:00');
  expect(scheduleWords('CRON_TZ=Europe/Berlin 0 5 * * *')).toBe('Every day, 05:00 (Europe/Berlin)');
  expect(scheduleWords(null)).toBe('By hand');
});

test('what it took up is told in words', () => {
  expect(taskWords('container_rightsizing of web/Deployment/search')).not.toContain('_');
  expect(taskWords('too much memory of web/Deployment/search')).toBe('too much memory of web/Deployment/search');
  expect(taskWords('restart')).toBe('restart');
});

test('why it does not run is a sentence', () => {
  expect(notRunning({ not_running: 'automation is off' })).toBe('Automation is off');
  expect(notRunning({ a: 1 })).toBeUndefined();
  expect(notRunning(null)).toBeUndefined();
});

test('how it carries things out follows from its settings', () => {
  expect(wayWords({ ticket_config: { enabled: true } })).toBe('By ticket');
  expect(wayWords({ git_ops_config: { enabled: true } })).toBe('By pull request');
  expect(wayWords({})).toBe('By command, after approval');
});

test('what starts a playbook stands in its trigger or in params of it', () => {
  expect(playbookTrigger({ type: 'event', event_type: 'oom' })).toBe('Event: oom');
  expect(playbookTrigger({ type: 'Schedule', params: { frequency: '0 5 * * *' } })).toBe('Every day, 05:00');
  expect(playbookTrigger({})).toBe('By hand');
});

test('what is not known is told as it is', () => {
  expect(outcome('Executed', 'task')).toEqual({ name: 'Done, not verified yet', tone: 'ok' });
  expect(outcome('COMPLETE_WITH_ERROR', 'run').tone).toBe('warn');
  expect(outcome('in_progress', 'run')).toEqual({ name: 'in_progress', tone: 'off' });
});

test('broken addresses show the whole page', () => {
  expect(pilotsSearch({ show: 'dry', q: 7, pilot: ['x'], playbook: '' })).toEqual({ show: 'dry', q: '7' });
  expect(pilotsSearch({ show: 'all' })).toEqual({});
});

test('a new auto-pilot is a dry run with a schedule that can be read', () => {
  const draft = { ...newPilot(), account: 'a1' };
  expect(draft.isDry).toBe(true);
  expect(problemsOf(draft)).toEqual({});
  expect(problemsOf({ ...draft, line: 'CRON_TZ=Europe/Berlin 0 5 * * *' })).toEqual({});
  expect(problemsOf({ ...draft, line: 'daily' }).line).toContain('Enter a cron line');
  expect(problemsOf({ ...draft, line: '' }).line).toContain('no default schedule');
  expect(problemsOf({ ...draft, line: '', category: 'pvc_rightsize' })).toEqual({});
  expect(problemsOf({ ...draft, account: '' }).account).toContain('Import');
});
