import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { SessionTable } from './SessionsPage';
import type { SessionRow } from '../sessions';

afterEach(() => {
  vi.unstubAllGlobals();
});

const session: SessionRow = {
  id: 's1',
  way: 'link',
  agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
  tenant: 'Sample data',
  user: { id: 'u1', name: 'Ana', email: 'somebody.with.a.long.name@example.com' },
  created_at: '2026-11-30T07:25:00Z',
  seen_at: '2026-11-30T07:25:00Z',
  expires_at: '2026-12-01T07:25:00Z',
  current: true,
};

test('the button that ends a session is in view at 1280 px, with the columns of tenants and users too', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ tenant: { id: 't', name: 'Personal workspace' }, roles: [], user: {} })),
  );
  drawForTest('/settings/sessions', () => <SessionTable rows={[session]} error={null} retry={() => undefined} users />);
  await screen.findByRole('columnheader', { name: 'Tenant' });
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
  const fixed = Number.parseInt(screen.getByRole('table').style.getPropertyValue('--widths'), 10);
  // Beside the rail and the pages of Settings 860 px are left, of which a browser takes 240.
  expect(fixed).toBeGreaterThan(0);
  expect(fixed).toBeLessThanOrEqual(860 - 240);
  // How somebody signed in stands with the browser.
  expect(screen.getByText('One-time link').closest('td')?.textContent).toContain('Chromium 148 on Linux');
});
