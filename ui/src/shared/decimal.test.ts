import { expect, test } from 'vitest';
import { compare, divide, ratio, subtract, sum } from './decimal';

test('a sum keeps every digit', () => {
  expect(sum(['0.1', '0.2', 3])).toBe('3.3');
  expect(sum(['20.52022672899', '0.00000000000000000001'])).toBe('20.52022672899000000001');
});

test('a missing value counts as nothing, and no value at all is 0', () => {
  expect(sum([null, '1.50', undefined])).toBe('1.5');
  expect(sum([])).toBe('0');
});

test('exponents are read', () => {
  expect(sum(['1.5e-7', '2E3'])).toBe('2000.00000015');
});

test('signs and points stand where they may', () => {
  expect(sum(['+.5', '-0.25', '3.', ' 1e0 ', '-00.50'])).toBe('3.75');
  for (const text of ['', '-', '.', '1.2.3', '0x10']) expect(() => sum([text])).toThrow('not a decimal number');
});

test('a difference may be negative', () => {
  expect(subtract('1.00', '2.25')).toBe('-1.25');
});

test('comparison looks at value, not at spelling', () => {
  expect(compare('1.50', '1.5')).toBe(0);
  expect(compare('-3', 2)).toBeLessThan(0);
  expect(compare('1e-7', '0.00000011')).toBe(-1);
  // A double cannot represent either number.
  expect(compare('9007199254740993', '9007199254740992')).toBe(1);
  expect(compare('1e400', '1e401')).toBe(-1);
});

test('a share of nothing is not a number', () => {
  expect(ratio('5', '0')).toBeNull();
});

test('an average is cut, never a double', () => {
  expect(divide('20.52022672899', 30)).toBe('0.684007557633');
  expect(divide('-1', 3)).toBe('-0.333333');
});
