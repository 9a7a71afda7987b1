import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from './drawForTest';
import { Windows } from './notifications/Windows';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('who may only read notifications sees why nothing can be added', async () => {
  vi.stubGlobal('fetch', (path: string) => {
    if (!path.startsWith('/api/auth/session')) return new Promise(() => undefined);
    const tenant = { id: 'own', name: 'Acme' };
    return Promise.resolve(
      Response.json({ email: 'a@example.com', name: 'A', tenant, roles: ['tenant_admin_readonly'] }),
    );
  });
  drawForTest('/settings/notifications', () => <Windows rows={[]} />);
  await vi.waitFor(async () => {
    const add = await screen.findByRole('button', { name: 'Add window…' });
    expect(add.getAttribute('aria-disabled') ?? (add as HTMLButtonElement).disabled).toBeTruthy();
    expect(document.body.textContent + add.title).toContain('An administrator of the tenant can change this');
  });
});
