import { expect, test } from 'vitest';
import { printExact, readExact } from './json';

function printed(text: string): string | undefined {
  const value = readExact(text);
  return value && printExact(value);
}

test('every digit, escape and order of names stays as it came', () => {
  const sums =
    '{"data":{"b":{"sum":{"billed_cost":20.520226728990000001,"n":6.123E-7,"big":123456789012345678901234567890}},"a":"\\u00e9\\n"}}';
  expect(printed(sums)).toBe(`{
  "data": {
    "b": {
      "sum": {
        "billed_cost": 20.520226728990000001,
        "n": 6.123E-7,
        "big": 123456789012345678901234567890
      }
    },
    "a": "\\u00e9\\n"
  }
}`);
});

test('what is short stands in one line', () => {
  expect(printed('{"rows":[{"id":1,"of":{"count":5814}},[],{}]}')).toBe(
    '{\n  "rows": [{ "id": 1, "of": { "count": 5814 } }, [], {}]\n}',
  );
});

test('printing changes nothing but space', () => {
  const text = '{"a":[1,2,{"b":null,"c":"x y, z: {1}"}],"long":"' + 'x'.repeat(80) + '","t":true}';
  expect(JSON.parse(printed(text) ?? '')).toEqual(JSON.parse(text));
});

test('a text that is no JSON has no value', () => {
  for (const text of ['', '{', '{"a":}', '[1,]', '{"a":1} x', '<!doctype html>', 'nul', '01']) {
    expect(readExact(text), text).toBeUndefined();
  }
});
