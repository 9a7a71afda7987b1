import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '@/api';
import { NoCosts } from './NoCosts';
import { ReportsPage } from './reports/ReportsPage';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page for whoever has a role over single accounts; what was asked for it. */
async function open(path: string, component: FunctionComponent) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (_: string, init: RequestInit = {}) => {
    asked.push(String(init.body));
    return new Promise(() => undefined);
  });
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const tenant = { id: 'home', name: 'Home' };
  client.setQueryData(sessionKey, { email: 'a@example.com', name: 'A', tenant, roles: ['account_admin'] });
  await router.load();
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return asked;
}

test('who may not import is not sent to Imports where no bill names their accounts', async () => {
  await open('/costs/explorer', NoCosts);
  expect(await screen.findByText('No imported bill contains an account that you can see.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('reports are of the whole tenant: that is said, and nothing is asked in vain', async () => {
  const asked = await open('/costs/reports', ReportsPage);
  expect(await screen.findByText(/your role covers single accounts/)).toBeTruthy();
  expect(asked.some((query) => query.includes('scheduled_report'))).toBe(false);
});
