import { expect, test } from 'vitest';
import { isElsewhere } from './elsewhere';

test('rows of the tenant in front, or of an instance that does not tell, need no column for it', () => {
  expect(isElsewhere(undefined, 'Home')).toBe(false);
  expect(isElsewhere([{}, {}], 'Home')).toBe(false);
  expect(isElsewhere([{ tenant: 'Home' }], 'Home')).toBe(false);
  expect(isElsewhere([{ tenant: 'Umbrella' }, { tenant: 'Umbrella' }], 'Home')).toBe(true);
});
