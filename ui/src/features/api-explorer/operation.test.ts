import { expect, test } from 'vitest';
import { operationAt, prettify, titleOf } from './operation';

const two = 'query First { a }\nquery Second { b }';

test('of several operations the one with the cursor runs', () => {
  expect(operationAt(two, two.indexOf('b'))).toBe('Second');
  expect(operationAt(two, 0)).toBe('First');
  expect(operationAt('query Only { a }', 3)).toBeUndefined();
  expect(operationAt('query {', 3)).toBeUndefined();
});

test('a query is called after its operation or its first field', () => {
  expect(titleOf(two)).toBe('First');
  expect(titleOf('{ spends { id } }')).toBe('spends');
  expect(titleOf('{')).toBeUndefined();
});

test('a query is laid out', () => {
  expect(prettify('{a(x:1){b}}')).toBe('{\n  a(x: 1) {\n    b\n  }\n}');
});

test('comments and block strings survive', () => {
  const text = '# all\n{\na(x: """\n keep\n""") { # rows\nb\n}\n}';
  expect(prettify(text)).toBe('# all\n{\n  a(x: """\n keep\n""") { # rows\n    b\n  }\n}');
});

test('a broken query is refused with its place', () => {
  expect(() => prettify('{ a(')).toThrow(/Syntax Error/);
});
