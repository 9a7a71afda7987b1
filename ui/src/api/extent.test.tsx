import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from './client';
import { useExtent } from './extent';
import { graphql } from './graphql';
import { sessionKey } from './session';

let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (_path: string, { body }: RequestInit) => {
    const query = String(body);
    asked.push(query);
    // What a role over an account alone does not see, the service does not know.
    if (query.includes('imports_v2'))
      return Promise.resolve(
        Response.json({ errors: [{ message: "field 'imports_v2' not found in type: 'query_root'" }] }),
      );
    const rows = [{ first_date: '2026-05-01T00:00:00', last_date: '2026-06-16T00:00:00' }];
    return Promise.resolve(Response.json({ data: { spend_groupings_v2: { rows } } }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function Days() {
  const { data, error } = useExtent();
  return <p>{error?.message ?? data?.days?.to ?? 'nothing yet'}</p>;
}

test('whoever has a role over an account alone sees its costs, and nothing asks for imports', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(sessionKey, { email: 'a@example.com', roles: ['account_admin_readonly'] });
  render(
    <QueryClientProvider client={client}>
      <Days />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('2026-06-16')).toBeTruthy();
  expect(asked.some((query) => query.includes('imports_v2'))).toBe(false);
});

test('what a role does not include is told as that, not as a field', async () => {
  const imports = graphql('query Imports { imports_v2 { rows { id } } }');
  await expect(request(imports, {})).rejects.toMatchObject({
    code: 'not_for_role',
    message: expect.stringContaining('Your role does not include this') as string,
  });
});
