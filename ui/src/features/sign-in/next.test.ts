import { expect, test } from 'vitest';
import { singleSignOn } from './next';

test('single sign-on returns to the page that was asked for', () => {
  expect(singleSignOn('/costs/explorer?by=region')).toBe('/api/auth/saml/login?next=%2Fcosts%2Fexplorer%3Fby%3Dregion');
  expect(singleSignOn('/sign-in?refused=7')).toBe('/api/auth/saml/login');
});
