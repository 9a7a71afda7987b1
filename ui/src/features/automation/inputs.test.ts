import { expect, test } from 'vitest';
import { readInput, readInputs } from './inputs';

const field = (type: string | null) => ({ id: 'x', type, default: null, description: null });

test('what is typed is read by the type of the input', () => {
  expect(readInput(field('string'), '12')).toEqual({ value: '12' });
  expect(readInput(field('integer'), '12')).toEqual({ value: 12 });
  expect(readInput(field('boolean'), 'false')).toEqual({ value: false });
  expect(readInput(field('array'), '[1]')).toEqual({ value: [1] });
  expect(readInput(field(null), '{"a":1}')).toEqual({ value: { a: 1 } });
  expect(readInput(field(null), 'prod')).toEqual({ value: 'prod' });
});

test('what is left empty is left to its default', () => {
  expect(readInput(field('integer'), ' ')).toBe('default');
});

test.each([
  ['integer', '1.5'],
  ['number', 'many'],
  ['boolean', 'yes'],
  ['array', '{"a":1}'],
  ['object', '[1]'],
  ['object', 'nothing'],
])('a wrong %s is named: %s', (type, typed) => {
  expect(readInput(field(type), typed)).toHaveProperty('problem');
});

test('all inputs are read, each with its own problem', () => {
  const fields = [
    { ...field('integer'), id: 'count' },
    { ...field('string'), id: 'name' },
    { ...field('boolean'), id: 'sure' },
  ];
  expect(readInputs(fields, { count: 'x', name: 'prod' })).toEqual({
    values: { name: 'prod' },
    problems: { count: 'Enter a whole number; “x” is none' },
  });
});
