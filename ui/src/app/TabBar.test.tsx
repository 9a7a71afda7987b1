import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TabBar } from './TabBar';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  ['narrow', true, 1],
  ['wide', false, 0],
])('a %s window has the bar below: %s', async (_, narrow, bars) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(null)));
  const media = window.matchMedia('(max-width: 760px)');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...media, matches: narrow });
  const root = createRootRoute({
    component: () => (
      <>
        <TabBar />
        <p>page</p>
      </>
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('page');
  expect(screen.queryAllByRole('navigation', { name: 'Pages' })).toHaveLength(bars);
});
