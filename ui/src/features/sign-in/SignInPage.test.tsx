import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  RouterProvider,
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '@/api';
import { SignInPage } from './SignInPage';

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** The page at /sign-in before a service that takes the code `fresh` alone; the codes that were sent to it. */
async function show() {
  const sent: string[] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (path !== '/api/auth/link') return Promise.resolve(Response.json({ version: '1', sign_in: {} }));
    const { code } = JSON.parse(init?.body as string) as { code: string };
    sent.push(code);
    return Promise.resolve(
      code === 'fresh'
        ? Response.json({ email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] })
        : Response.json({ error: 'link_spent', message: 'spent' }, { status: 401 }),
    );
  });
  window.history.replaceState(null, '', '/sign-in');
  const root = createRootRoute();
  const pages = [
    createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage }),
    createRoute({ getParentRoute: () => root, path: '/overview', component: () => <p>overview</p> }),
  ];
  const router = createRouter({ routeTree: root.addChildren(pages), history: createBrowserHistory() });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(sessionKey, null);
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('Sign in to Quarterdeck');
  return sent;
}

/** What a browser does with a link to the page that it shows. */
function paste(code: string) {
  act(() => {
    window.location.hash = `code=${code}`;
  });
}

test('a link pasted into the tab of this page signs in', async () => {
  const sent = await show();
  paste('fresh');
  await screen.findByText('overview');
  expect(sent).toEqual(['fresh']);
  expect(window.location.href).not.toContain('fresh');
});

test('after a link that was used before, the next one signs in', async () => {
  const sent = await show();
  paste('used');
  await screen.findByText('This sign-in link is not valid');
  await waitFor(() => {
    expect(window.location.hash).toBe('');
  });
  paste('fresh');
  await screen.findByText('overview');
  expect(sent).toEqual(['used', 'fresh']);
});

test('a check of the connection says how long the service took', async () => {
  await show();
  await screen.findByText('Reachable');
  fireEvent.click(screen.getByText('Check connection'));
  expect(await screen.findByText(/^Reachable, \d+ ms$/)).toBeTruthy();
});
