import { expect, test } from 'vitest';
import { withSign } from './sentence';

test('amounts of a notice have the sign of the one currency of the page', () => {
  expect(withSign('USD 154.94 more than expected, USD 1234.50 in all', 'USD')).toBe(
    '$154.94 more than expected, $1,234.50 in all',
  );
  expect(withSign('USD 1,234.50 of EUR 9.00', 'USD')).toBe('$1,234.50 of EUR 9.00');
  // Several currencies on the page, or none that has a sign: the code says which it is.
  for (const currency of ['', 'TOKENS']) expect(withSign('USD 154.94', currency)).toBe('USD 154.94');
});
