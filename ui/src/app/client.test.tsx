import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, endedSession, graphql, sessionKey, useGraphQL } from '@/api';
import { Content } from '@/shared';
import { client } from './client';

const Rows = graphql('query Rows { imports_v2 { rows { id } } }');
let answers: () => Response;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  asked = 0;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return Promise.resolve(answers());
  });
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Panel() {
  return (
    <Content of={useGraphQL(Rows, {})} what="Imports could not be read">
      {({ imports_v2: found }) => <p>{found?.rows?.length} imports</p>}
    </Content>
  );
}

const show = () =>
  render(
    <QueryClientProvider client={client}>
      <Panel />
    </QueryClientProvider>,
  );
const refusal = (error: string, more: object = {}) =>
  Response.json({ error, message: 'the database cannot be reached', ...more }, { status: 503 });

test('what a service could not answer for the time being is asked again when it says so, until it is answered', async () => {
  answers = () => refusal('database_unreachable', { retry_after: 5 });
  show();
  expect((await screen.findByRole('alert')).textContent).toContain('The page retries automatically.');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toBe(2);
  answers = () => Response.json({ data: { imports_v2: { rows: [] } } });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(screen.getByText('0 imports')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
});

test('so is what a service that ends did not answer', async () => {
  answers = () => refusal('stopping');
  show();
  await screen.findByRole('alert');
  answers = () => Response.json({ data: { imports_v2: { rows: [] } } });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(screen.getByText('0 imports')).toBeTruthy();
});

test('what does not pass by itself is not asked again', async () => {
  answers = () => refusal('read_only');
  show();
  expect((await screen.findByRole('alert')).textContent).not.toContain('by itself');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
});

test('the answer to a change, too, tells that the session has ended', async () => {
  answers = () => Response.json({ error: 'not_authenticated', message: 'Send a bearer token' }, { status: 401 });
  client.setQueryData(sessionKey, { email: 'ada@example.com', tenant: { id: 'home', name: 'Home' }, roles: [] });
  const change = client.getMutationCache().build(client, { mutationFn: () => call('/api/channels') });
  await expect(change.execute(undefined)).rejects.toThrow('Your session had ended, so nothing was changed. Try again.');
  expect([client.getQueryData(sessionKey), endedSession.get()?.email]).toEqual([null, 'ada@example.com']);
  endedSession.set(null);
});
