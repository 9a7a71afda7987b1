import { expect, test } from 'vitest';
import { severalTenants } from './tenants';

test('rows of one tenant, or of an instance that does not tell, need no column for it', () => {
  expect(severalTenants(undefined)).toBe(false);
  expect(severalTenants([{}, {}])).toBe(false);
  expect(severalTenants([{ tenant: 'Home' }, { tenant: 'Home' }])).toBe(false);
  expect(severalTenants([{ tenant: 'Home' }, { tenant: 'Umbrella' }])).toBe(true);
});
