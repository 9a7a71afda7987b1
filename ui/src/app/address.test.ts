import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { parseSearch, stringifySearch } from './address';

const texts = [
  '2026-08-01',
  '2026',
  '-3',
  '1.5',
  '1e5',
  '007',
  'true',
  'null',
  'Amazon EC2',
  '"quoted"',
  '[1]',
  '',
  ' 5',
];

test('addresses are those of the router, whatever stands in them', () => {
  for (const text of texts) {
    const search = { text, list: [text], filters: [{ field: 'service', values: [text] }], count: 3, is: true };
    expect(stringifySearch(search)).toBe(defaultStringifySearch(search));
    expect(parseSearch(stringifySearch(search))).toEqual(search);
    const typed = `?text=${encodeURIComponent(text)}`;
    expect(parseSearch(typed)).toEqual(defaultParseSearch(typed));
  }
});

test('a day is known to be no JSON without being read as such', () => {
  const read = vi.spyOn(JSON, 'parse');
  stringifySearch({ from: '2026-08-01', by: 'service' });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});
