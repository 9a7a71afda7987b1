import { expect, test } from 'vitest';
import { match } from './match';

test('the beginning of a word is found before its middle, and both before beginnings of several', () => {
  const scores = ['Costs, Explorer', 'Accosted', 'Copy of stored results'].map(
    (title) => match(title, 'cost')?.score ?? Infinity,
  );
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
});

test('letters that do not occur in order do not match', () => {
  expect(match('Imports', 'tsi')).toBeNull();
});

test('beginnings of words are enough, letters strewn about are not', () => {
  expect(match('Inventory, Export', 'iex')?.marks).toEqual([0, 11, 12]);
  expect(match('Switch to This computer', 'stc')?.marks).toEqual([0, 7, 15]);
  expect(match('Switch to This computer', 'shop')).toBeNull();
});

test('the letters found are marked', () => {
  expect(match('Import cost files', 'cost')?.marks).toEqual([7, 8, 9, 10]);
});
