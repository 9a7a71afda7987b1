import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RulesPanel } from './RulesPanel';

const rule = {
  id: 'r',
  cloud_account_id: 'a',
  anomaly_type: 'CPU',
  buffer_percentage: 20,
  change_operator: 'GT',
  reference_period: '1w',
  reference_unit: 'P99',
  enabled: true,
};

/** What the page asked to be changed, oldest first. */
let asked: unknown[];
let mayChange: boolean;
const opened = vi.fn();

beforeEach(() => {
  asked = [];
  mayChange = true;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (path.endsWith('/session'))
      return Promise.resolve(
        Response.json({ roles: mayChange ? ['account_admin'] : ['account_admin_readonly'], tenant: { name: 'T' } }),
      );
    if (path !== '/api/graphql') return new Promise(() => undefined);
    const { query, variables } = JSON.parse(String(init?.body)) as { query: string; variables: unknown };
    if (query.includes('query AnomalyRules'))
      return Promise.resolve(
        Response.json({
          data: {
            anomaly_config: [rule],
            anomaly: [],
            cloud_accounts: [{ id: 'a', account_name: 'aws-production' }],
          },
        }),
      );
    asked.push(variables);
    return Promise.resolve(Response.json({ data: { anomaly_config_update: { id: 'r' } } }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  opened.mockClear();
});

const open = (which: string) => {
  const queries = { retry: false, queryFn: () => new Promise(() => undefined) };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries } })}>
      <RulesPanel rows={[]} open={which} onOpen={opened} onClose={() => undefined} />
    </QueryClientProvider>,
  );
};

test('a rule is told in one line with its last comparison, and is switched off', async () => {
  open('list');
  expect(await screen.findByText('CPU more than 20% above P99 of the last 1 week')).toBeTruthy();
  expect(screen.getByText('aws-production, nothing found')).toBeTruthy();
  await userEvent.click(screen.getByRole('switch'));
  await waitFor(() => {
    expect(asked).toEqual([{ request: { id: 'r', enabled: false } }]);
  });
});

test('a changed rule is saved with what its form holds, and the list is back', async () => {
  open('r');
  const percent = await screen.findByLabelText(/By percent/);
  await userEvent.clear(percent);
  await userEvent.type(percent, '-3');
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(screen.getByText(/“-3” is not a percentage/)).toBeTruthy();
  expect(asked).toEqual([]);
  await userEvent.clear(percent);
  await userEvent.type(percent, '35');
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }));
  await waitFor(() => {
    expect(opened).toHaveBeenCalledWith('list');
  });
  expect(asked).toEqual([
    {
      request: { id: 'r', buffer_percentage: 35, change_operator: 'GT', reference_period: '1w', reference_unit: 'P99' },
    },
  ]);
});

test('who may only read sees the rules and why nothing can be changed', async () => {
  mayChange = false;
  open('list');
  const off = await screen.findByRole('switch');
  await waitFor(() => {
    expect(off).toHaveProperty('disabled', true);
  });
  expect(off.title).toBe('Detection rules need the role tenant_admin or account_admin');
});
