import { expect, test } from 'vitest';
import { exportedColumns } from './columns';

test('a file says of which days and in which currency costs are, and which account it is', () => {
  const headers = (currencies: string[]) =>
    exportedColumns(currencies, { from: '2026-10-01', to: '2026-10-30' }).map(({ header }) => header);
  expect(headers(['USD'])).toContain('Billed cost 2026-10-01 to 2026-10-30, USD');
  expect(headers(['', 'EUR'])).toEqual(
    expect.arrayContaining([
      'Billed cost 2026-10-01 to 2026-10-30, no currency',
      'Billed cost 2026-10-01 to 2026-10-30, EUR',
      'Account number',
    ]),
  );
});
