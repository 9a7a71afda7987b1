import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, lazy } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const elsewhere = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const tenants = [
  { id: 'home', name: 'Personal workspace', roles: ['tenant_admin'], current: true },
  { id: 'umbrella', name: 'Umbrella', roles: ['tenant_admin_readonly'], current: false },
];
const session = { email: 'administrator@localhost', name: 'Ada', tenant: tenants[0], roles: ['tenant_admin'] };
const plant = {
  id: elsewhere,
  name: 'Plant',
  colour: 'teal',
  address: 'https://plant.example.com',
  kept_in: 'keyring',
};
const instances = { here: { address: '127.0.0.1:1', version: '1' }, instances: [plant], file: 'none', colours: [] };

let sent: [string, unknown][] = [];
let answer: () => Response;
let told: unknown[] = [];

beforeEach(() => {
  [sent, told] = [[], []];
  answer = () => Response.json(session);
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (init?.method === 'POST' && path === '/api/auth/tenant') {
      sent.push([path, JSON.parse(init.body as string)]);
      return Promise.resolve(answer());
    }
    const other = path.endsWith('/api/auth/session') ? session : { instance: 'here', version: '1', certificates: [] };
    return Promise.resolve(Response.json(path === '/api/instances' ? instances : other));
  });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage(data: unknown) {
        told.push(data);
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The switcher as it stands at that address, for whoever has these tenants and knows these instances. */
async function open(address: string, of: typeof tenants, known: typeof instances | null, ahead?: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  const { sessionKey, instancesKey } = await import('@/api');
  const { Switcher } = await import('./Switcher');
  const { leaving } = await import('./tenants');
  const { KeyBuffer } = await import('./KeyBuffer');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(sessionKey, { ...session, tenants: of });
  client.setQueryData(instancesKey, known);
  const closed = vi.fn();
  let arrive: (found: { default: typeof Switcher }) => void = () => undefined;
  const Late = lazy(() => new Promise<{ default: typeof Switcher }>((resolve) => (arrive = resolve)));
  const route = createRootRoute({
    component: () => (
      <Suspense fallback={<KeyBuffer onClose={closed} />}>
        {ahead === undefined ? <Switcher onClose={closed} /> : <Late onClose={closed} />}
      </Suspense>
    ),
  });
  const router = createRouter({ routeTree: route, history: createMemoryHistory() });
  await router.load();
  const { container } = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  if (ahead !== undefined) {
    await userEvent.keyboard(ahead);
    await act(async () => {
      arrive({ default: Switcher });
      await Promise.resolve();
    });
  }
  return { closed, container, leaving };
}

const lines = () => screen.getAllByRole('option').map((line) => line.textContent);

test('a plain browser offers the tenants alone, and says which is in front and what one is there', async () => {
  await open('/overview', tenants, null);
  expect(screen.getByRole('heading', { name: 'Switch tenant' })).toBeTruthy();
  expect(lines()).toEqual(['Personal workspace CurrentAdministrator1', 'Umbrella Read-only2']);
  expect(screen.queryByText('Add instance')).toBeNull();
});

test('tenants stand under the instances, and a filter narrows both', async () => {
  await open('/overview', tenants, instances);
  expect(screen.getByText('Tenant on this computer')).toBeTruthy();
  expect(lines()).toHaveLength(4);
  await userEvent.type(screen.getByRole('combobox'), 'umb');
  expect(lines()).toEqual(['Umbrella Read-only4']);
});

test('choosing one asks the service and tells the other tabs', async () => {
  const { leaving } = await open('/overview', tenants, null);
  await userEvent.type(screen.getByRole('combobox'), '2');
  await vi.waitFor(() => {
    expect(leaving.get()).toBe(true);
  });
  expect(sent).toEqual([['/api/auth/tenant', { tenant: 'umbrella' }]]);
  expect(told).toEqual(['umbrella']);
});

test('a number that is typed before the switcher has come opens its tenant, and the page does not take it', async () => {
  const page = vi.fn();
  window.addEventListener('keydown', page);
  const { leaving } = await open('/overview', tenants, null, '2');
  await vi.waitFor(() => {
    expect(leaving.get()).toBe(true);
  });
  window.removeEventListener('keydown', page);
  expect(sent).toEqual([['/api/auth/tenant', { tenant: 'umbrella' }]]);
  expect(page).not.toHaveBeenCalled();
});

test('letters that are typed before it has come narrow its list', async () => {
  await open('/overview', tenants, null, 'umb');
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('umb');
  expect(lines()).toEqual(['Umbrella Read-only2']);
});

test('what the service refuses is said, and the page stays', async () => {
  const message = 'You do not belong to this tenant, or not any more.';
  answer = () => Response.json({ error: 'not_a_member', message }, { status: 403 });
  const { leaving } = await open('/overview', tenants, null);
  await userEvent.click(screen.getByText('Umbrella'));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect([leaving.get(), told]).toEqual([false, []]);
});

test('of an instance elsewhere the other tenants are shown with the reason why they are chosen there', async () => {
  await open(`/i/${elsewhere}/overview`, tenants, instances);
  await userEvent.click(screen.getByText('Umbrella'));
  expect(sent).toEqual([]);
  expect(screen.getByText('Umbrella').closest('[role=option]')?.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/key to Plant is valid for one tenant/)).toBeTruthy();
});

test('who has one tenant sees nothing of tenants', async () => {
  const one = await open('/overview', tenants.slice(0, 1), null);
  expect(one.container.textContent).toBe('');
  cleanup();
  await open('/overview', tenants.slice(0, 1), instances);
  expect(screen.queryByText(/Tenant/)).toBeNull();
});

test('the focus returns to where it was before', async () => {
  const before = document.createElement('button');
  document.body.append(before);
  before.focus();
  await open('/overview', tenants, null);
  expect(document.activeElement).toBe(screen.getByRole('combobox'));
  cleanup();
  await vi.waitFor(() => {
    expect(document.activeElement).toBe(before);
  });
  before.remove();
});
