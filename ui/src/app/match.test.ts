import { expect, test } from 'vitest';
import { match } from './match';

test('the beginning of a word is found before its middle, and both before scattered letters', () => {
  const scores = ['Costs, Explorer', 'Accosted', 'Copy last result'].map(
    (title) => match(title, 'cost')?.score ?? Infinity,
  );
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
});

test('letters that do not occur in order do not match', () => {
  expect(match('Imports', 'tsi')).toBeNull();
});

test('the letters found are marked', () => {
  expect(match('Import cost files', 'cost')?.marks).toEqual([7, 8, 9, 10]);
});
