import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAbout, useSession, useWhyNot } from '@/api';
import { AwayBanner } from './AwayBanner';

const session = {
  email: 'ada@example.com',
  name: 'Ada',
  tenant: { id: 'home', name: 'Home' },
  roles: ['tenant_admin'],
};
const gone = () =>
  Response.json({ error: 'instance_unreachable', message: 'Plant cannot be reached' }, { status: 502 });

let answers: (path: string) => Response;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answers = (path) => Response.json(path === '/api/auth/session' ? session : { version: '1' });
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(path === '/api/instances' ? Response.json(null) : answers(path)),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that asked long ago, under the frame's banner. */
function Page() {
  useAbout();
  const roles = useSession().data?.roles.join();
  const reason = useWhyNot()();
  return (
    <>
      <AwayBanner />
      <button type="button" disabled={reason !== undefined}>
        {roles}
      </button>
    </>
  );
}

/** The page in front while its instance answers, until it is next asked whether it is there. */
async function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page />
    </QueryClientProvider>,
  );
  const change = await screen.findByRole<HTMLButtonElement>('button', { name: 'tenant_admin' });
  expect([screen.queryByRole('status'), change.disabled]).toEqual([null, false]);
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('an instance that goes away while nothing is asked labels the page with the age of its copy, and only reading is left', async () => {
  await show();
  answers = (path) =>
    path === '/api/auth/session'
      ? Response.json(session, { headers: { 'x-quarterdeck-copy': '2026-11-20T10:00:00Z' } })
      : gone();
  await wait(31_000);
  expect((await screen.findByRole('status')).textContent).toContain('You are viewing a copy from 20 Nov');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'tenant_admin_readonly' }).disabled).toBe(true);
});

test('so does one that no copies are kept of, and everything is as before when it is back', async () => {
  await show();
  answers = gone;
  await wait(31_000);
  expect((await screen.findByRole('status')).textContent).toContain('You are viewing a saved copy');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'tenant_admin_readonly' }).disabled).toBe(true);
  answers = (path) => Response.json(path === '/api/auth/session' ? session : { version: '1' });
  await wait(4_000);
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'tenant_admin' }).disabled).toBe(false);
});
