import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from './client';
import { useExtent } from './extent';
import { graphql } from './graphql';
import { sessionKey } from './session';

let asked: string[] = [];
let last: string;
let used: string | null;
let ahead: { billing_period_start: string | null; last_date: string }[];

beforeEach(() => {
  asked = [];
  [last, used, ahead] = ['2024-06-16T00:00:00', '2024-06-16T00:00:00', []];
  vi.stubGlobal('fetch', (_path: string, { body }: RequestInit) => {
    const query = String(body);
    asked.push(query);
    // What a role over an account alone does not see, the service does not know.
    if (query.includes('imports_v2'))
      return Promise.resolve(
        Response.json({ errors: [{ message: "field 'imports_v2' not found in type: 'query_root'" }] }),
      );
    const data = query.includes('query ChargesAhead')
      ? { spend_groupings_v2: { rows: ahead } }
      : {
          all: { rows: [{ first_date: '2024-05-01T00:00:00', last_date: last }] },
          used: { rows: [{ last_date: used }] },
        };
    return Promise.resolve(Response.json({ data }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Days() {
  const { data, error } = useExtent();
  return <p>{error?.message ?? data?.days?.to ?? 'nothing yet'}</p>;
}

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(sessionKey, { email: 'a@example.com', roles: ['account_admin_readonly'] });
  render(
    <QueryClientProvider client={client}>
      <Days />
    </QueryClientProvider>,
  );
}

test('whoever has a role over an account alone sees its costs, and nothing asks for imports', async () => {
  show();
  expect(await screen.findByText('2024-06-16')).toBeTruthy();
  expect(asked.some((query) => query.includes('imports_v2'))).toBe(false);
});

test('a tax that is dated to the end of the month does not make the days before it known', async () => {
  last = '2024-06-30T00:00:00';
  show();
  expect(await screen.findByText('2024-06-16')).toBeTruthy();
  expect(asked.some((query) => query.includes('ChargesAhead'))).toBe(false);
});

test('nor does a fee of next year in a bill of now', async () => {
  last = '2025-06-01T00:00:00';
  ahead = [
    { billing_period_start: '2024-06-01T00:00:00', last_date: last },
    { billing_period_start: '2024-07-01T00:00:00', last_date: '2024-07-01T00:00:00' },
  ];
  show();
  expect(await screen.findByText('2024-06-16')).toBeTruthy();
});

test('where there is no use any more, costs are known to the last fee', async () => {
  last = '2024-09-03T00:00:00';
  ahead = [
    { billing_period_start: '2024-08-01T00:00:00', last_date: '2024-08-03T00:00:00' },
    { billing_period_start: '2024-09-01T00:00:00', last_date: last },
  ];
  show();
  expect(await screen.findByText('2024-09-03')).toBeTruthy();
});

test('a page that stays open over midnight goes by the new day', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2024-09-02T23:59:00Z') });
  last = '2025-06-01T00:00:00';
  ahead = [{ billing_period_start: '2024-09-01T00:00:00', last_date: last }];
  show();
  expect(await screen.findByText('2024-09-02')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(screen.getByText('2024-09-03')).toBeTruthy();
});

test('so they are where nothing but fees was ever billed', async () => {
  used = null;
  show();
  expect(await screen.findByText('2024-06-16')).toBeTruthy();
});

test('what a role does not include is told as that, not as a field', async () => {
  const imports = graphql('query Imports { imports_v2 { rows { id } } }');
  await expect(request(imports, {})).rejects.toMatchObject({
    code: 'not_for_role',
    message: expect.stringContaining('Your role does not include this') as string,
  });
});
