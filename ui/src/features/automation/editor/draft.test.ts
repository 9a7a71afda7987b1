import { expect, test } from 'vitest';
import { draftOf } from './draft';

test('what a model wrote becomes a workflow in YAML, named by the wish', () => {
  const written =
    '{"triggers": [{"type": "manual"}], "tasks": [{"id": "say", "type": "core.print", "params": {"message": "hi"}}]}';
  expect(draftOf(written, 'Say "hi" every day: to the team that is on call this week and next week')).toBe(
    `name: Say hi every day to the team that is on call this
definition:
  triggers:
    - type: manual
  tasks:
    - id: say
      type: core.print
      params:
        message: hi
`,
  );
  expect(draftOf('{}', '!?')).toBe('name: Drafted workflow\ndefinition:\n  {}\n');
});
