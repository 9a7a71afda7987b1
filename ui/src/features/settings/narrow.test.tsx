import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListPage } from './ListPage';
import { settingsPages } from './pages';
import { SettingsPage } from './SettingsPage';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(null)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show(isNarrow: boolean, at: string) {
  const media = window.matchMedia('(max-width: 760px)');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...media, matches: isNarrow });
  const root = createRootRoute();
  const list = createRoute({ getParentRoute: () => root, path: '/settings', component: ListPage });
  const pages = settingsPages.map(({ address, title }) =>
    createRoute({
      getParentRoute: () => root,
      path: address,
      component: () => <SettingsPage title={title}>content</SettingsPage>,
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren([list, ...pages]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}
const nav = () => screen.findByRole('navigation', { name: 'Settings' });

test('on a phone a page of Settings leads back to the list of all, and a line of that opens its page', async () => {
  show(true, '/settings/health');
  const links = within(await nav()).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([['All settings', null]]);
  await userEvent.click(screen.getByRole('link', { name: 'All settings' }));
  await screen.findByRole('heading', { name: 'Settings' });
  await userEvent.click(within(await nav()).getByRole('link', { name: 'Sessions' }));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Sessions');
});

test('where there is room the pages stand beside the one in front, and the list leads to the first', async () => {
  show(false, '/settings');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Single sign-on');
  const current = within(await nav()).getByRole('link', { current: 'page' });
  expect(current.textContent).toBe('Single sign-on');
  expect(screen.queryByRole('link', { name: 'All settings' })).toBeNull();
});
