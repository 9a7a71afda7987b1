import { expect, test } from 'vitest';
import type { Json } from '@/api';
import { inputsOf, lineOf, requestOf, startsOf, stepsOf } from './definition';
import { freeId, neededOf, withTask } from './insert';

const print = { name: 'core.print', schema: { required: ['message'], properties: { message: { type: 'string' } } } };

test('a task is put at the end of the list, before what follows it', () => {
  const yaml =
    'name: Nightly\ndefinition:\n  tasks:\n    - id: one\n      type: core.wait\n      params:\n        duration: 1s\n  output: {}\n';
  const added = withTask(yaml, print);
  expect(added.yaml.split('\n').slice(6, 12)).toEqual([
    '        duration: 1s',
    '    - id: print',
    '      type: core.print',
    '      params:',
    '        message: ""',
    '  output: {}',
  ]);
  expect(added.line).toBe(8);
});

test('lists that are not indented, that are empty and that are not there yet take a task, too', () => {
  expect(withTask('tasks:\n- id: print\n  type: core.print\noutput: {}\n', print).yaml).toBe(
    'tasks:\n- id: print\n  type: core.print\n- id: print-2\n  type: core.print\n  params:\n    message: ""\noutput: {}\n',
  );
  expect(withTask('triggers:\n  - type: manual\ntasks: []\n', print).yaml).toBe(
    'triggers:\n  - type: manual\ntasks:\n  - id: print\n    type: core.print\n    params:\n      message: ""\n',
  );
  expect(withTask('', print)).toEqual({
    yaml: 'tasks:\n  - id: print\n    type: core.print\n    params:\n      message: ""\n',
    line: 2,
  });
});

test('an id is new and has three letters at least', () => {
  expect(freeId('core.print', '- id: print\n- id: "print-2"\n')).toBe('print-3');
  expect(freeId('notifications.im', '')).toBe('im-task');
  expect(neededOf(null)).toEqual([]);
});

const definition: Json = {
  triggers: [{ type: 'schedule', params: { cron: '0 5 * * *' } }],
  inputs: [{ id: 'most', type: 'integer', default: 5 }],
  layout: { x: 1 },
  tasks: [
    { id: 'one', type: 'core.print', layout: { x: 1 } },
    { id: 'loop', type: 'core.foreach', depends_on: ['one'], params: { tasks: [{ id: 'in' }] } },
    { type: 'core.print' },
  ],
};

test('a definition that is being written is drawn as far as it is there', () => {
  expect(stepsOf(definition).map(({ id, dependsOn, inner }) => ({ id, dependsOn, inner }))).toEqual([
    { id: 'one', dependsOn: [], inner: 0 },
    { id: 'loop', dependsOn: ['one'], inner: 1 },
  ]);
  expect(stepsOf(null)).toEqual([]);
  expect(startsOf(definition)).toBe('Every day, 05:00');
  expect(inputsOf(definition)).toEqual([{ id: 'most', type: 'integer', default: '5', description: null }]);
});

test('a dry run is asked without what its request has no place for', () => {
  const request = JSON.stringify(requestOf(definition));
  expect(request).not.toContain('layout');
  expect(request).toContain('"depends_on":["one"]');
});

test('a mistake leads to its line', () => {
  const yaml = 'triggers:\n  - type: schedule\ntasks:\n  - id: one\n    type: core.prnt\n  - id: "loop"\n    type: x\n';
  expect(lineOf('line 7: found a tab', yaml, null)).toBe(7);
  expect(lineOf('tasks[1].type: "x" is no known task', yaml, definition)).toBe(6);
  expect(lineOf('triggers[0].params: needs cron', yaml, definition)).toBe(1);
  expect(lineOf('tasks: expected at least one', yaml, null)).toBe(3);
  expect(lineOf('output.x: nothing', yaml, definition)).toBeUndefined();
});
