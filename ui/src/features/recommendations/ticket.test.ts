import { expect, test } from 'vitest';
import { rowOf } from './row';
import { stored } from './stored.fixture';
import { markOf, textOf } from './ticket';

const row = rowOf({ ...stored, account_object_id: 'i-1', recommendation: { currency: 'EUR' } });

test('a ticket says what it is about and ends with the mark it is found by', () => {
  const text = textOf(row);
  expect(text).toContain('Resource: i-1\nAccount: Harbour');
  expect(text.endsWith(`\n\n${markOf(stored.id)}`)).toBe(true);
});

test('what is not known is left out', () => {
  const text = textOf(row);
  expect(text).not.toContain('Region');
  expect(text).not.toContain('saving');
});
