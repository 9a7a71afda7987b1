import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ApiError } from './error';
import { useServiceAdmin } from './serviceAdmin';
import { sessionKey } from './session';

afterEach(() => {
  vi.unstubAllGlobals();
});

const own = { id: 't1', name: 'Example', current: false };
const sample = { id: 't2', name: 'Sample data', current: true };

function Backups() {
  const { enabled, ask } = useServiceAdmin();
  const { data, error } = useQuery<string[], ApiError>({
    queryKey: ['backups'],
    enabled,
    retry: false,
    queryFn: ({ signal }) => ask('/api/backups', signal),
  });
  return <p>{data ? `${String(data.length)} backups` : error ? `refused, ${String(error.status)}` : 'waits'}</p>;
}

/** What was asked of the service by a person with these roles in this tenant. */
async function askedIn(tenant: { id: string; name: string }, roles: string[], said: string): Promise<string[]> {
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    '/api/auth/session': { email: 'a@example.com', name: 'Ana', roles, tenant, tenants: [own, sample] },
    '/api/sample': { state: 'loaded', tenant: 't2', home: 't1' },
    '/api/backups': [],
  };
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(answers[path]));
  });
  const client = new QueryClient();
  client.setQueryData(sessionKey, answers['/api/auth/session']);
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Backups />
    </QueryClientProvider>,
  );
  await screen.findByText(said);
  unmount();
  return asked;
}

test('what only administrators of the service may see is not asked for in the sample data, nor without the role', async () => {
  const admin = ['tenant_admin'];
  expect(await askedIn(own, admin, '0 backups')).toContain('/api/backups');
  expect(await askedIn(sample, admin, 'refused, 403')).not.toContain('/api/backups');
  expect(await askedIn(own, ['tenant_admin_readonly'], 'refused, 403')).not.toContain('/api/backups');
});
