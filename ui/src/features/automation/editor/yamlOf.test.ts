import { expect, test } from 'vitest';
import type { Json } from '@/api';
import { yamlOf } from './yamlOf';

test('a definition becomes YAML that reads as the same', () => {
  const definition: Json = {
    triggers: [{ type: 'schedule', params: { cron: '*/5 * * * *', copies: 2, on: true } }],
    inputs: [],
    tasks: [
      { id: 'ask', type: 'integrations.http', params: { url: '{{ Inputs.url }}', headers: {} } },
      { id: 'say', type: 'core.print', depends_on: ['ask'], params: { message: 'two\nlines', note: 'no' } },
    ],
  };
  expect(yamlOf(definition)).toBe(`triggers:
  - type: schedule
    params:
      copies: 2
      cron: "*/5 * * * *"
      "on": true
inputs: []
tasks:
  - id: ask
    type: integrations.http
    params:
      headers: {}
      url: "{{ Inputs.url }}"
  - id: say
    type: core.print
    depends_on:
      - ask
    params:
      message: "two\\nlines"
      note: "no"
`);
});

test('fields in another order are the same text', () => {
  const task = { id: 'a', type: 'core.print', params: { message: 'x' }, timeout: '1s' };
  const other = { timeout: '1s', params: { message: 'x' }, type: 'core.print', id: 'a' };
  expect(yamlOf({ tasks: [other], version: 'v1' })).toBe(yamlOf({ version: 'v1', tasks: [task] }));
  expect(yamlOf(other)).toBe('id: a\ntype: core.print\nparams:\n  message: x\ntimeout: "1s"\n');
});
