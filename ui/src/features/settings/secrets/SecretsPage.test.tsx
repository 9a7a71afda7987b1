import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { SecretsPage } from './SecretsPage';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('who has a role over single accounts is told that secrets are not for it', async () => {
  const session = {
    email: 'a@example.com',
    name: 'A',
    tenant: { id: 'home', name: 'Home' },
    roles: ['account_admin'],
  };
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/auth/session' ? Promise.resolve(Response.json(session)) : new Promise(() => undefined),
  );
  drawForTest('/settings/workflow-secrets', SecretsPage);
  expect(await screen.findByText('For administrators')).toBeTruthy();
});
