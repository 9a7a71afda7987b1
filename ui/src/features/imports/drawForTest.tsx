import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { sessionKey } from '@/api';
import type { ImportReport } from '@/api';

/** A report of a file without anything in it, with what a test is about. */
export function reportForTest(to: Partial<ImportReport>): ImportReport {
  return {
    file_name: 'october.csv',
    size_bytes: 1,
    sha256: '',
    format: { id: 'focus', title: 'FOCUS 1.0 costs' },
    state: 'done',
    rows_read: 2,
    rows_written: 2,
    rows_skipped: 0,
    period: null,
    accounts: [],
    totals: [],
    savings: [],
    skipped: [],
    reasons: [],
    replaced: null,
    notes: [],
    error: null,
    ...to,
  };
}

/** Draws a part of the page for an administrator, as the program does. */
export async function drawForTest(part: ReactNode) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, queryFn: () => new Promise(() => undefined) } },
  });
  const tenant = { id: 'home', name: 'Example Logistics' };
  client.setQueryData(sessionKey, { email: 'ada@example.com', name: 'Ada', tenant, roles: ['tenant_admin'] });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part }),
    history: createMemoryHistory(),
  });
  await router.load();
  return render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

/** A service with these answers, by method and path; answers what was sent to it. Everything else never answers. */
export function serviceForTest(answers: Record<string, (body: unknown) => Response>) {
  const sent: { to: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    const to = `${init?.method ?? 'GET'} ${path}`;
    const answer = answers[to];
    if (!answer) return new Promise(() => undefined);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    sent.push({ to, body });
    return Promise.resolve(answer(body));
  });
  return sent;
}
