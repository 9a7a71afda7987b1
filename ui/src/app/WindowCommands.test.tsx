import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { windowKey } from '@/api';
import { useCommands } from '@/shared';
import { WindowCommands } from './WindowCommands';

const told = vi.hoisted(() => ({ listeners: new Map<string, (detail: string) => void>(), toast: vi.fn() }));
vi.mock('@/host', () => ({
  host: {
    kind: 'browser',
    listen: (event: string, listener: (detail: string) => void) => {
      told.listeners.set(event, listener);
      return () => undefined;
    },
  },
}));
vi.mock('@/shared', async (original) => ({ ...(await original<object>()), toast: told.toast }));

const run = vi.fn();

function Page() {
  useCommands([
    { id: 'go /costs', title: 'Costs', group: 'Go to', run },
    { id: 'go /memory', title: 'Memory', group: 'Go to', disabled: 'Plant has version 0.1, which lacks it', run },
  ]);
  return <p>page</p>;
}

beforeEach(() => {
  sessionStorage.clear();
});

/** Opens a page of the window, while a file waits; where it leads. */
async function opened(): Promise<string> {
  const root = createRootRoute({ component: WindowCommands, notFoundComponent: WindowCommands });
  const history = createMemoryHistory({ initialEntries: ['/costs'] });
  const router = createRouter({ routeTree: root, history });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(windowKey, { files: [{ id: '1', name: 'bill.csv', size_bytes: 4 }] });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await waitFor(() => {
    expect(router.state.status).toBe('idle');
  });
  await Promise.resolve();
  unmount();
  return history.location.pathname;
}

test('files that wait are shown once, and leave whoever goes elsewhere there', async () => {
  expect(await opened()).toBe('/imports');
  expect(await opened()).toBe('/costs');
});

test('the menu of the window runs what the page offers, and says why it cannot', async () => {
  const root = createRootRoute({
    component: () => (
      <>
        <WindowCommands />
        <Page />
      </>
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('page');
  const choose = told.listeners.get('command');
  choose?.('go /costs');
  expect(run).toHaveBeenCalledTimes(1);
  choose?.('go /memory');
  expect(run).toHaveBeenCalledTimes(1);
  expect(told.toast).toHaveBeenCalledExactlyOnceWith({ tone: 'bad', text: 'Plant has version 0.1, which lacks it' });
});
