import { expect, test } from 'vitest';
import { bodyOf, faultOfVariables } from './ask';

test('variables are sent as they were typed', () => {
  expect(bodyOf('{ a }', ' {"n": 0.1000000000000000000001} ', 'A')).toBe(
    '{"query":"{ a }","variables":{"n": 0.1000000000000000000001},"operationName":"A"}',
  );
  expect(bodyOf('{ "é" }', '', undefined)).toBe('{"query":"{ \\"é\\" }"}');
});

test('variables are one JSON object', () => {
  for (const good of ['', ' \n', '{}', '{"a":[1]}']) expect(faultOfVariables(good)).toBeUndefined();
  for (const other of ['[]', '1', 'null', '"a"']) expect(faultOfVariables(other)).toMatch(/one JSON object/);
  expect(faultOfVariables('{a:1}')).toMatch(/^Variables are not JSON: /);
});
