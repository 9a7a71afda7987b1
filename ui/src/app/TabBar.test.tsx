import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { instancesKey } from '@/api';
import { dialog } from './dialogs';
import { TabBar } from './TabBar';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The bar under a page of that width, on a computer that knows these instances. */
async function show(narrow: boolean, instances: unknown = null, address = '/') {
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
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: [address] }) });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(instancesKey, instances);
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('page');
}

test.each([
  ['narrow', true, 1],
  ['wide', false, 0],
])('a %s window has the bar below: %s', async (_, narrow, bars) => {
  await show(narrow);
  expect(screen.queryAllByRole('navigation', { name: 'Pages' })).toHaveLength(bars);
});

test('under More the switcher is opened, where there is something to choose', async () => {
  await show(true, { here: { version: '1' }, instances: [] });
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Switch instance' }));
  expect(dialog.get()).toBe('instances');
});

test('under More a phone searches', async () => {
  await show(true);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Search or run' }));
  expect(dialog.get()).toBe('palette');
});

test('a service that knows no other instance, and one tenant, offers no switcher', async () => {
  await show(true);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await screen.findAllByRole('menuitem');
  expect(screen.queryByText(/Switch/)).toBeNull();
});

test.each([
  ['/costs/anomalies', 'Costs'],
  ['/events/triage-rules', 'Events'],
  ['/inventory/accounts', 'More'],
])('at %s the bar marks %s', async (address, name) => {
  await show(true, null, address);
  const marked = screen.getByRole('navigation', { name: 'Pages' }).querySelectorAll('[aria-current]');
  expect([...marked].map((one) => one.textContent)).toEqual([name]);
});
