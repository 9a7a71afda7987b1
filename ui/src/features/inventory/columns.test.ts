import { expect, test } from 'vitest';
import { exportedColumns } from './columns';

test('a file says of which days and in which currency costs are', () => {
  const days = { from: '2026-10-01', to: '2026-10-30' };
  const headers = exportedColumns(['USD'], days, new Date('2026-11-01')).map(({ header }) => header);
  expect(headers).toContain('Billed cost 2026-10-01 to 2026-10-30, USD');
  expect(headers).toContain('Identifier');
});
