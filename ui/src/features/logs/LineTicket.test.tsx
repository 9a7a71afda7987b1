import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { LineTicket } from './LineTicket';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The sources that the service knows; others it refuses. */
const sources = /enum ticket_source_type_enum \{([^}]*)\}/
  .exec(readFileSync('../schema/generated/schema.graphql', 'utf8'))?.[1]
  ?.split('\n')
  .map((line) => line.trim());

test('a ticket of a log line names no source that the service does not know', async () => {
  const asked: { name: string | undefined; object: { source?: string; title?: string } }[] = [];
  vi.stubGlobal('fetch', (_path: string, init?: { body?: string }) => {
    const { query = '', variables = {} } = JSON.parse(init?.body ?? '{}') as {
      query?: string;
      variables?: { object?: { source?: string } };
    };
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1];
    asked.push({ name, object: variables.object ?? {} });
    return Promise.resolve(
      Response.json(
        name === 'TicketsAbout' ? { data: { tenant: [{ id: 't', jira_configurations: [], tickets: [] }] } } : null,
      ),
    );
  });
  const line = { id: '1', time: '2026-11-20T12:00:00', level: 'error' as const, text: 'out of memory', labels: [] };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LineTicket line={line} account="a1" />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'New ticket…' }));
  fireEvent.click(screen.getByRole('button', { name: 'Create ticket' }));
  await waitFor(() => {
    expect(asked.some(({ name }) => name === 'CreateTicket')).toBe(true);
  });
  const sent = asked.find(({ name }) => name === 'CreateTicket')?.object;
  expect(sent?.title).toContain('out of memory');
  expect(sources).toContain('event');
  expect([undefined, ...(sources ?? [])]).toContain(sent?.source);
});
