import { expect, test } from 'vitest';
import { parseExact } from './json';

test('fractions and long numbers keep their digits as text', () => {
  expect(parseExact('{"a":20.52022672899,"b":12345678901234567,"c":-1e-7}')).toEqual({
    a: '20.52022672899',
    b: '12345678901234567',
    c: '-1e-7',
  });
});

test('small whole numbers stay numbers', () => {
  expect(parseExact('[0,-5,1000]')).toEqual([0, -5, 1000]);
});

test('digits inside strings and names are left alone', () => {
  expect(parseExact(String.raw`{"1.5":"say \"2.5\" or 1e9\\","n":3.5}`)).toEqual({
    '1.5': 'say "2.5" or 1e9\\',
    n: '3.5',
  });
});
