import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '@/api';
import { Root } from './Root';

const drawn = vi.hoisted(() => vi.fn());
vi.mock('./Frame', () => ({
  Frame: ({ children }: { children: ReactNode }) => {
    drawn();
    return children;
  },
}));
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the frame is not drawn anew with every page', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const root = createRootRoute({ component: Root });
  const page = (name: string) =>
    createRoute({ getParentRoute: () => root, path: `/${name}`, component: () => <p>{name}</p> });
  const router = createRouter({
    routeTree: root.addChildren([page('overview'), page('costs'), page('device')]),
    history: createMemoryHistory({ initialEntries: ['/overview'] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(sessionKey, { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('overview');
  drawn.mockClear();
  await act(() => router.navigate({ to: '/costs' }));
  screen.getByText('costs');
  expect(drawn).not.toHaveBeenCalled();
});
