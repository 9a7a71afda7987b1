import { expect, test } from 'vitest';
import { knownOf, offerAt } from './completion';

const known = knownOf({ inputs: [{ id: 'url' }], tasks: [{ id: 'ask' }, { id: 'store-event' }, null] }, [
  'core.print',
  'core.wait',
  'events.store',
]);

test.each([
  ['      type: core.', 12, ['core.print', 'core.wait']],
  ['    - depends_on: [ask, st', 24, ['store-event']],
  ['  message: "{{ In', 15, ['Inputs']],
  ['  message: "{{ Inputs.u', 22, ['url']],
  ['  if: "{{ Tasks.', 16, ['ask']],
  ['  if: "{{ Tasks[\'', 17, ['ask', 'store-event']],
  ["  if: \"{{ Tasks['store-event'].st", 31, ['status']],
  ['  message: "{{ Inputs.url | upp', 28, ['upper']],
])('%s is gone on with', (before, from, options) => {
  expect(offerAt(before, known)).toEqual({ from, options });
});

test('outside a template, and of what nobody knows, nothing is offered', () => {
  expect(offerAt('  message: "{{ Inputs.url }} In', known)).toBeNull();
  expect(offerAt('  message: Ta', known)).toBeNull();
  expect(offerAt('  message: "{{ Tasks.ask.output.bo', known)).toBeNull();
});
