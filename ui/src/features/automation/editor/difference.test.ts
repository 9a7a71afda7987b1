import { expect, test } from 'vitest';
import { differenceOf } from './difference';

const shown = (before: string, after: string) => differenceOf(before, after).map(({ sign, text }) => `${sign}${text}`);

test('what was taken away and what was added stands between lines that stayed', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\ny\n')).toEqual([' a', '-b', '+x', ' c', '+y']);
  expect(shown('a\n', 'a\n')).toEqual([]);
});

test('lines far from a change are left out', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${String(at)}`);
  const after = before.map((line, at) => (at === 10 ? 'other' : line));
  expect(shown(before.join('\n'), after.join('\n'))).toEqual([
    '…',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+other',
    ' line 11',
    ' line 12',
    ' line 13',
    '…',
  ]);
});
