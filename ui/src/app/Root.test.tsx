import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { call, endSession, sessionKey, useAbout, useSignOut } from '@/api';
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
  vi.useRealTimers();
});

/** The gate before pages of that look, with Ada signed in, or before it is known who is. */
function show(pages: Record<string, () => ReactNode>, isKnown = true) {
  const root = createRootRoute({ component: Root });
  const routes = Object.entries(pages).map(([path, component]) =>
    createRoute({ getParentRoute: () => root, path, component }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: ['/overview'] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  if (isKnown)
    client.setQueryData(sessionKey, { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { client, router };
}

test('the frame is not drawn anew with every page', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const { router } = show({ '/overview': () => <p>overview</p>, '/costs': () => <p>costs</p>, '/device': () => null });
  await screen.findByText('overview');
  drawn.mockClear();
  await act(() => router.navigate({ to: '/costs' }));
  screen.getByText('costs');
  expect(drawn).not.toHaveBeenCalled();
});

function Costs() {
  const signOut = useSignOut();
  const costs = useQuery({ queryKey: ['costs'], queryFn: () => '$32.88' });
  return (
    <button
      type="button"
      onClick={() => {
        signOut.mutate();
      }}
    >
      {costs.data}
    </button>
  );
}

test('who signs out is shown the sign-in page, and nothing that was answered stays', async () => {
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/auth/sign-out' ? Promise.resolve(new Response(null, { status: 204 })) : new Promise(() => undefined),
  );
  const { client } = show({ '/overview': Costs });
  fireEvent.click(await screen.findByText('$32.88'));
  expect(await screen.findByText('Sign in to Quarterdeck')).toBeTruthy();
  expect(screen.queryByText('$32.88')).toBeNull();
  expect(client.getQueryData(['costs'])).toBeUndefined();
});

test('who signs out leaves nothing behind, also where another question has told the end before', async () => {
  const { client } = show({ '/overview': Costs });
  vi.stubGlobal('fetch', (path: string) => {
    if (path !== '/api/auth/sign-out') return new Promise(() => undefined);
    endSession(client);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  fireEvent.click(await screen.findByText('$32.88'));
  expect(await screen.findByText('Sign in to Quarterdeck')).toBeTruthy();
  expect(document.body.textContent).not.toContain('$32.88');
});

test('who signs out in another tab leaves nothing behind in this one, whichever is told first', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const { client } = show({ '/overview': Costs });
  await screen.findByText('$32.88');
  act(() => {
    endSession(client);
  });
  expect(document.body.textContent).toContain('$32.88');
  const otherTab = new BroadcastChannel('quarterdeck.signed-out');
  otherTab.postMessage(null);
  await waitFor(() => {
    expect(document.body.textContent).not.toContain('$32.88');
  });
  otherTab.close();
  expect(client.getQueryData(['costs'])).toBeUndefined();
});

test('who signs in again after the session has ended goes on with what was typed, and nobody else finds it', async () => {
  const people = ['ada@example.com', 'bob@example.com'];
  let session: object | null = { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] };
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit = {}) => {
    if (path !== '/api/auth/session') return Promise.resolve(Response.json({ sign_in: {} }));
    if (method === 'POST') {
      const { email } = JSON.parse(body as string) as { email: string };
      session = { email, tenant: { id: 'home', name: 'Home' }, roles: [] };
    }
    const status = session === null ? 401 : 200;
    return Promise.resolve(Response.json(session ?? { error: 'not_authenticated', message: 'Sign in' }, { status }));
  });
  const { client } = show({ '/overview': () => <input aria-label="Name of the channel" /> });
  const name = await screen.findByLabelText('Name of the channel');
  name.focus();
  fireEvent.change(name, { target: { value: 'Night shift' } });
  const values: string[] = [];
  const hadFocus: boolean[] = [];
  for (const email of people) {
    session = null;
    act(() => {
      endSession(client);
    });
    await screen.findByText('Sign in again');
    expect(screen.queryByRole('textbox', { name: 'Name of the channel' })).toBeNull();
    fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: email } });
    fireEvent.change(screen.getByLabelText('API secret'), { target: { value: 'secret' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name of the channel' });
    values.push(field.value);
    hadFocus.push(document.activeElement === field);
  }
  expect(values).toEqual(['Night shift', '']);
  expect(hadFocus).toEqual([true, false]);
});

/** A page with the frame's question whether the service is there. */
function Spends() {
  useAbout();
  const spends = useQuery({ queryKey: ['spends'], queryFn: () => call<string>('/api/spends') });
  return <p>{spends.error?.message ?? spends.data}</p>;
}

test('a page that was opened while nobody answered goes on by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const session = { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] };
  let answers: (path: string) => Response = () =>
    Response.json({ error: 'instance_unreachable', message: 'Plant cannot be reached' }, { status: 502 });
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(answers(path)));
  show({ '/overview': () => <p>overview</p> }, false);
  await screen.findByText('Quarterdeck does not answer');
  answers = (path) => Response.json(path === '/api/auth/session' ? session : { version: '1' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await screen.findByText('overview')).toBeTruthy();
});

test.each(['before the page was opened', 'while a page is open'])(
  'what stands before a service that restarts answers 503 %s: the page goes on by itself',
  async (when) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const session = { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] };
    const gateway = () => new Response('<h1>503 Service Temporarily Unavailable</h1>', { status: 503 });
    let isUp = false;
    vi.stubGlobal('fetch', (path: string) => {
      if (!isUp) return Promise.resolve(gateway());
      if (path === '/api/spends') return Promise.resolve(Response.json('$32.88'));
      return Promise.resolve(Response.json(path === '/api/auth/session' ? session : { version: '1' }));
    });
    show({ '/overview': Spends }, when === 'while a page is open');
    await screen.findByText(/not available right now \(503\)/);
    isUp = true;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await screen.findByText('$32.88')).toBeTruthy();
  },
);

test('the service may be back when it is first asked whether it is there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const session = { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] };
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    if (asked.length === 1) return Promise.reject(new TypeError('no route'));
    return Promise.resolve(Response.json(path === '/api/auth/session' ? session : { version: '1' }));
  });
  show({ '/overview': () => <p>overview</p> }, false);
  await screen.findByText('Quarterdeck does not answer');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await screen.findByText('overview')).toBeTruthy();
  expect(asked).toEqual(['/api/auth/session', '/api/about', '/api/auth/session']);
});
