import { expect, test } from 'vitest';
import type { RunWithTasks } from '../queries';
import { previewOf, shownOf } from './preview';

const task = (id: string, status: string, output: unknown) => ({ id, status, output, error: null }) as never;
const run = {
  tasks: [task('ask', 'COMPLETED', { status_code: 200 }), task('say', 'SKIPPED', null)],
} as unknown as RunWithTasks;

test('the tasks of a past run give what they gave, and one writes the template', () => {
  const { tasks } = previewOf(run, '{{ Tasks.ask.output.status_code }}');
  expect(tasks?.map((one) => [one?.id, one?.pinned_output, one?.params])).toEqual([
    ['ask', { status_code: 200 }, { message: '' }],
    ['template-preview', undefined, { message: '{{ Tasks.ask.output.status_code }}' }],
  ]);
  expect(tasks?.at(-1)?.depends_on).toEqual(['ask']);
});

test('what it comes to is told, or why it does not', () => {
  const answer = (one: object | null, error: string | null = null) =>
    ({ status: 'COMPLETED', error, output: null, tasks: one === null ? [] : [one] }) as never;
  expect(
    shownOf(answer({ id: 'template-preview', status: 'COMPLETED', output: { data: '200' }, error: null })),
  ).toEqual({ text: '200' });
  expect(shownOf(answer({ id: 'template-preview', status: 'FAILED', output: null, error: 'no such filter' }))).toEqual({
    problem: 'no such filter',
  });
  expect(shownOf(answer(null, 'a mistake'))).toEqual({ problem: 'a mistake' });
});
