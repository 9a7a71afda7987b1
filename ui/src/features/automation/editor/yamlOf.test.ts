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
      cron: "*/5 * * * *"
      copies: 2
      "on": true
inputs: []
tasks:
  - id: ask
    type: integrations.http
    params:
      url: "{{ Inputs.url }}"
      headers: {}
  - id: say
    type: core.print
    depends_on:
      - ask
    params:
      message: "two\\nlines"
      note: "no"
`);
});
