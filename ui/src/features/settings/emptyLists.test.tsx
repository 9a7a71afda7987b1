import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest } from './drawForTest';
import { NotificationsPage } from './notifications/NotificationsPage';
import { TrackersPage } from './trackers/TrackersPage';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An administrator of a tenant that has neither channels nor trackers. */
function stub() {
  const tenant = { id: 'own', name: 'Acme' };
  const session = { email: 'a@example.com', name: 'A', tenant, roles: ['tenant_admin'] };
  const data = {
    notice_channel: [],
    notice_window: [],
    notice: [],
    tenant: [{ jira_configurations: [], tickets: [] }],
  };
  vi.stubGlobal('fetch', (path: string) => {
    if (path.startsWith('/api/auth/session')) return Promise.resolve(Response.json(session));
    if (path.startsWith('/api/graphql')) return Promise.resolve(Response.json({ data }));
    return new Promise(() => undefined);
  });
}

test.each([
  ['/settings/notifications', NotificationsPage, 'Add a channel', 'Kind'],
  ['/settings/trackers', TrackersPage, 'Connect a tracker', 'Tracker'],
])('the empty list of %s leads into its form', async (path, page, action, first) => {
  stub();
  drawForTest(path, page);
  fireEvent.click(await screen.findByRole('button', { name: action }));
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByLabelText(first));
  });
});
