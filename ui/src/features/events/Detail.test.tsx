import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '@/shared/keyboard/keys';
import { Detail } from './Detail';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

const event = {
  id: 'e1',
  title: 'Node is not ready',
  priority: 'HIGH',
  status: 'FIRING',
  nb_status: 'OPEN',
  starts_at: '2026-11-25T06:03:00',
  created_at: '2026-11-25T06:03:00',
  cluster: 'plant-4',
  cloud_account: null,
};
let stop: () => void;

beforeEach(() => {
  stop = listen(window);
  vi.stubGlobal('fetch', (_path: string, init?: { body?: string }) => {
    const query = init?.body ?? '';
    if (query.includes('query OneEvent')) return Promise.resolve(Response.json({ data: { events_by_pk: event } }));
    if (query.includes('query EventTickets')) return Promise.resolve(Response.json({ data: { tenant: [] } }));
    return Promise.resolve(Response.json(null));
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test('T opens the tickets of an event, and the next key is meant for them', async () => {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <button type="button">A row of the list</button>
      <Detail
        id="e1"
        row={undefined}
        acts={{ reason: undefined, busy: false, run: () => Promise.resolve() }}
        onAct={() => undefined}
        onClose={() => undefined}
        onPrevious={undefined}
        onNext={undefined}
      />
    </QueryClientProvider>,
  );
  await screen.findByRole('tabpanel', { name: 'Cause and evidence' });
  const row = screen.getByRole('button', { name: 'A row of the list' });
  row.focus();
  fireEvent.keyDown(row, { key: 't' });
  expect(document.activeElement).toBe(screen.getByRole('tabpanel', { name: 'Tickets' }));
  expect(await screen.findByRole('button', { name: 'Create ticket' })).toBeTruthy();
});
