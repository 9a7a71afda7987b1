import { screen } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { NotForYou } from './NotForYou';
import { drawForTest } from './drawForTest';
import { SettingsPage } from './SettingsPage';

const own = { id: 'own', name: 'Acme', roles: ['tenant_admin'], current: false };
const sample = { id: 'sample', name: 'Sample data', roles: ['tenant_admin'], current: true };

function draw(
  tenant: { id: string; name: string },
  roles = ['tenant_admin'],
  page: FunctionComponent = NotForYou,
  at = '/settings/backup',
) {
  vi.stubGlobal('fetch', (path: string) => {
    if (path.startsWith('/api/auth/session')) {
      const session = {
        email: 'ana@example.com',
        name: 'Ana',
        tenant,
        roles,
        tenants: [own, sample],
      };
      return Promise.resolve(Response.json(session));
    }
    if (path.startsWith('/api/sample')) {
      const state = { tenant: 'sample', state: 'ready', reason: null, may_change: true, home: 'own' };
      return Promise.resolve(Response.json(state));
    }
    return new Promise(() => undefined);
  });
  drawForTest(at, page);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('beside sample data it says where the page is, and asks for no role', async () => {
  draw(sample);
  expect(await screen.findByText(/Choose your own data at the top left/)).toBeTruthy();
  expect(screen.queryByText(/give you the role/)).toBeNull();
});

test('a phone has the choice of data under More', async () => {
  const media = window.matchMedia('(max-width: 760px)');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...media, matches: true });
  draw(sample);
  expect(await screen.findByText(/Choose your own data under More/)).toBeTruthy();
});

test('in a tenant of their own, people are told who can give them the role', async () => {
  draw(own);
  expect(await screen.findByText(/give you the role Administrator/)).toBeTruthy();
});

test('pages of the whole tenant are not for roles over accounts alone, others are', async () => {
  const page = () => <SettingsPage title="Notifications">the channels</SettingsPage>;
  draw(own, ['account_admin_readonly'], page, '/settings/notifications');
  expect(await screen.findByText(/give you the role Administrator/)).toBeTruthy();
  expect(screen.queryByText('the channels')).toBeNull();
  draw(own, ['account_admin_readonly'], page, '/settings/sessions');
  expect(await screen.findByText('the channels')).toBeTruthy();
});
