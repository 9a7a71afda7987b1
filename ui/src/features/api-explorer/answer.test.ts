import { expect, test } from 'vitest';
import { readAnswer } from './answer';

const faults = (status: number, text: string) => readAnswer({ status, text, ms: 1, bytes: text.length }).faults;

test('errors of GraphQL are told with place and code', () => {
  const text =
    '{"errors":[{"message":"field \\"x\\" not found","extensions":{"path":"$.selectionSet.x","code":"validation-failed"},"locations":[{"line":2,"column":3}]},{"message":"no","path":["spends",0,"id"]}]}';
  expect(faults(200, text)).toEqual([
    { message: 'field "x" not found', path: '$.selectionSet.x', code: 'validation-failed', line: 2, column: 3 },
    { message: 'no', path: 'spends.0.id' },
  ]);
});

test('a refusal and a silent service are told in words', () => {
  expect(faults(401, '{"error":"not_authenticated","message":"Sign in first"}')).toEqual([
    { message: 'Sign in first', code: 'not_authenticated' },
  ]);
  expect(faults(502, '<html>')).toEqual([{ message: 'The service returned status 502.' }]);
  expect(faults(0, '')[0]?.message).toMatch(/does not answer/);
});

test('an answer without errors has no faults', () => {
  expect(faults(200, '{"data":{"a":1}}')).toEqual([]);
});
