import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { host } from '@/host';
import type { Instance } from '@/api';
import { SignInPanel } from './SignInPanel';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The panel before a service that waits for a browser; what it was asked, and what the browser was to open. */
async function begun() {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    const body = typeof init?.body === 'string' ? init.body : '';
    if (method !== 'GET') asked.push(`${method} ${address} ${body}`.trim());
    if (address.endsWith('/keyring')) return Promise.resolve(Response.json({ works: true, why: null }));
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }));
    if (method === 'POST')
      return Promise.resolve(
        Response.json({ address: 'https://desk.example/authorize', mark: 'AB12CD', seconds: 300 }),
      );
    return Promise.resolve(Response.json(address.endsWith('/sign-in') ? { state: 'waiting' } : null));
  });
  const opened = vi.spyOn(host, 'openOutside').mockReturnValue();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SignInPanel instance={{ id: '7', name: 'Plant' } as Instance} onDone={() => undefined} />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in in the browser' }));
  await screen.findByText('AB12CD');
  expect(opened).toHaveBeenCalledExactlyOnceWith('https://desk.example/authorize');
  return asked;
}

test('where no browser opened, a code leads on, and the address is there to be read', async () => {
  const asked = await begun();
  await userEvent.click(screen.getByRole('button', { name: 'No browser opened? Use a code' }));
  await screen.findByRole('link', { name: 'https://desk.example/authorize' });
  screen.getByLabelText('Code from the browser');
  expect(asked.at(-1)).toContain('"mode":"code"');
});

test('a sign-in is given up', async () => {
  const asked = await begun();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('button', { name: 'Sign in in the browser' });
  expect(asked.at(-1)).toBe('DELETE /api/instances/7/sign-in');
});
