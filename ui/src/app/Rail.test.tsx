import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '@/api';
import { Rail } from './Rail';

const session = { email: 'ada@example.com', name: 'Ada', tenant: { id: 'home', name: 'Home' }, roles: [] };

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(null)));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a section leads to its first page without a detour, and only that page is the current one', async () => {
  const root = createRootRoute({
    component: () => (
      <>
        <Rail session={session as unknown as Session} />
        <Outlet />
      </>
    ),
  });
  const explorer = createRoute({ getParentRoute: () => root, path: '/costs/explorer', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([explorer]),
    history: createMemoryHistory({ initialEntries: ['/costs/explorer'] }),
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  const section = await screen.findByTitle('Costs');
  expect(section.getAttribute('href')).toBe('/costs/explorer');
  expect(section.className).toContain('open');
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current'));
  expect(current.map(({ textContent }) => textContent)).toEqual(['Explorer']);
});

test('a pointer over a place loads its page ahead, and not the editor of the API explorer', async () => {
  const root = createRootRoute({ component: () => <Rail session={session as unknown as Session} /> });
  const asked: string[] = [];
  const page = (path: string) =>
    createRoute({
      getParentRoute: () => root,
      path,
      loader: () => {
        asked.push(path);
      },
    });
  const router = createRouter({
    routeTree: root.addChildren([page('/imports'), page('/api-explorer')]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultPreload: 'intent',
    defaultPreloadDelay: 0,
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await userEvent.hover(await screen.findByTitle('API explorer'));
  await userEvent.hover(screen.getByTitle('Imports'));
  await vi.waitFor(() => {
    expect(asked).toContain('/imports');
  });
  expect(asked).toEqual(['/imports']);
});
