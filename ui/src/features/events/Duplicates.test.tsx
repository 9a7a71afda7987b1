import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Duplicates } from './Duplicates';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The part of the detail, at the address of events. */
function draw(id: string) {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/events', component: () => <Duplicates id={id} /> });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/events'] }),
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

const event = (id: string, title: string, triage: string) => ({
  id,
  title,
  status: 'FIRING',
  nb_status: triage,
  starts_at: '2026-11-19T06:00:00',
  created_at: '2026-11-19T06:00:00',
});

test('an event shows its duplicates, and not one that was opened again since', async () => {
  const pairs = [
    { event_id: 'e2', linked_event_id: 'e1' },
    { event_id: 'e3', linked_event_id: 'e1' },
  ];
  const events = [
    event('e1', 'Requests fail', 'OPEN'),
    event('e2', 'cart is slow', 'DUPLICATE'),
    event('e3', 'Disk is full', 'OPEN'),
  ];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) =>
    Promise.resolve(
      Response.json({ data: body.includes('EventsNamed') ? { events } : { event_classification: pairs } }),
    ),
  );
  draw('e1');
  expect((await screen.findByRole('list', { name: 'Duplicates' })).textContent).toContain('cart is slow');
  expect(screen.queryByText('Disk is full')).toBeNull();
  expect(screen.queryByText('Duplicate of')).toBeNull();
});

test('a duplicate leads to the event that stays', async () => {
  const events = [event('e1', 'Requests fail', 'OPEN'), event('e2', 'cart is slow', 'DUPLICATE')];
  const pairs = [{ event_id: 'e2', linked_event_id: 'e1' }];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) =>
    Promise.resolve(
      Response.json({ data: body.includes('EventsNamed') ? { events } : { event_classification: pairs } }),
    ),
  );
  draw('e2');
  const link = await screen.findByRole('link', { name: 'Requests fail' });
  expect(link.getAttribute('href')).toBe('/events?id=e1');
});
