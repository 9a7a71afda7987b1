import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { listen } from '@/shared/keyboard/keys';
import { rowOf } from './row';
import { TicketButton } from './TicketButton';

const stored = {
  id: 'a1',
  account_id: 'account',
  scope: 'service',
  name: 'EC2',
  anomaly_type: 'CloudSpendService',
  currency: 'USD',
  current_value: 700,
  started_on: '2026-11-12',
  ended_on: '2026-11-12',
  state: 'OVER',
  impact: '506.83',
  feedback: null,
  created_at: '2026-11-13T06:14:00',
  rule_version: 'cost-4',
  reference_value: { run: [{ date: '2026-11-12', actual: '641.71', expected: '134.88' }] },
};

afterEach(() => {
  vi.unstubAllGlobals();
});

test('T asks what a ticket says of an anomaly, and it goes to the tracker that is connected', async () => {
  const asked: { name: string | undefined; variables: unknown }[] = [];
  vi.stubGlobal('fetch', (_path: string, init?: { body?: string }) => {
    const { query = '', variables } = JSON.parse(init?.body ?? '{}') as { query?: string; variables?: unknown };
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1];
    asked.push({ name, variables });
    const answers: Record<string, object> = {
      TicketsAbout: { tenant: [{ id: 't', jira_configurations: [{ id: 'j1', name: 'Jira' }], tickets: [] }] },
      CreateTicket: { tickets_insert_one: { data: { insert_tickets_one: { message: 'OPS-1', error: null } } } },
    };
    return Promise.resolve(Response.json(name !== undefined && name in answers ? { data: answers[name] } : null));
  });
  const row = rowOf(stored, new Map([['account', 'aws-production']]), new Date('2026-11-20T12:00:00Z'));
  if (!row) throw new Error('no row');
  const stop = listen(window);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TicketButton row={row} />
    </QueryClientProvider>,
  );
  fireEvent.keyDown(document.body, { key: 't' });
  await screen.findByText('EC2 rose to 4.8 times usual');
  expect(asked.find(({ name }) => name === 'TicketsAbout')?.variables).toEqual({ text: '%Anomaly a1%' });
  const dialog = screen.getByRole('dialog');
  const buttons = [...dialog.querySelectorAll('button')];
  fireEvent.click(buttons.find(({ textContent }) => textContent === 'Create ticket') ?? dialog);
  await waitFor(() => {
    expect(asked.find(({ name }) => name === 'CreateTicket')?.variables).toEqual({
      object: {
        title: 'EC2 rose to 4.8 times usual',
        description: [
          'Account: aws-production',
          'Days: Thu 12 Nov 2026 to Thu 12 Nov 2026',
          'Against expected: +$506.83 (more in 1 day)',
          'On Thu 12 Nov 2026: $641.71, expected $134.88',
          '',
          'Anomaly a1',
        ].join('\n'),
        account_id: 'account',
        integration_id: 'j1',
      },
    });
  });
  expect(await screen.findByText('OPS-1')).toBeTruthy();
  stop();
});
