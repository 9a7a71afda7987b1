import { expect, test } from 'vitest';
import { withPin } from './pin';

const yaml = `name: Nightly
definition:
  inputs:
    - id: ask
  tasks:
    - depends_on: [look]
      id: ask
      type: integrations.http
      params:
        id: ask
    - id: look
      type: core.print
  version: v1
`;

test('an output is pinned at its task, and taken away again', () => {
  const pinned = withPin(yaml, 'ask', { code: 503, list: ['a: b', null] });
  expect(pinned?.split('\n').slice(5, 9)).toEqual([
    '    - depends_on: [look]',
    '      id: ask',
    '      pinned_output: {"code":503,"list":["a: b",null]}',
    '      type: integrations.http',
  ]);
  expect(withPin(pinned ?? '', 'ask', undefined)).toBe(yaml);
  const last = withPin(yaml, 'look', { data: 'x' });
  expect(last?.split('\n').slice(10, 14)).toEqual([
    '    - id: look',
    '      pinned_output: {"data":"x"}',
    '      type: core.print',
    '  version: v1',
  ]);
  expect(withPin(last ?? '', 'look', undefined)).toBe(yaml);
});

test('a pinned output is replaced, however it is written', () => {
  const long = yaml.replace(
    '      id: ask\n',
    '      id: ask\n      pinned_output:\n        code: 200\n        list:\n        - 1\n',
  );
  expect(withPin(long, 'ask', { code: 1 })).toBe(
    yaml.replace('      id: ask\n', '      id: ask\n      pinned_output: {"code":1}\n'),
  );
  const before = yaml.replace(
    '    - id: look\n',
    '    - depends_on: []\n      pinned_output: {a: 1}\n      id: look\n',
  );
  expect(withPin(before, 'look', undefined)).toBe(
    yaml.replace('    - id: look\n', '    - depends_on: []\n      id: look\n'),
  );
});

test('what is no task of the workflow is left alone', () => {
  expect(withPin(yaml, 'gone', {})).toBeUndefined();
  expect(withPin('name: x', 'ask', {})).toBeUndefined();
});
