import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CausesPage } from './CausesPage';

let search: { account?: string } = {};

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
  useNavigate: () => () => undefined,
  useSearch: () => search,
}));

afterEach(() => {
  vi.unstubAllGlobals();
  search = {};
});

const accounts = [
  { id: 'a1', account_name: '123456789012', cloud_provider: 'aws' },
  { id: 'a2', account_name: 'shop', cloud_provider: 'k8s' },
];
const event = { id: 'e1', title: 'checkout restarts', starts_at: null, status: 'FIRING', subject_name: 'checkout' };

/** Events are of the second account. */
function shown(isThereAny = true) {
  vi.stubGlobal('fetch', (_: string, init?: { body?: string }) => {
    const { query = '', variables = {} } = JSON.parse(init?.body ?? '{}') as {
      query?: string;
      variables?: { account?: string };
    };
    const name = /query (\w+)/.exec(query)?.[1] ?? '';
    const answers: Record<string, object> = {
      AssistantAccounts: { cloud_accounts: accounts },
      NewestEvent: { events: isThereAny ? [{ cloud_account_id: 'a2' }] : [] },
      CauseEvents: { events: isThereAny && variables.account === 'a2' ? [event] : [] },
    };
    return Promise.resolve(Response.json(name in answers ? { data: answers[name] } : null));
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CausesPage />
    </QueryClientProvider>,
  );
}

test('it begins with the account of the newest event, not with the first by name', async () => {
  shown();
  const chosen = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Event' });
  expect(chosen.selectedOptions[0]?.textContent).toBe('checkout restarts');
  expect(screen.queryByText(/^No events/)).toBeNull();
});

test('an account without events says whose there are none', async () => {
  search = { account: 'a1' };
  shown();
  expect(await screen.findByText('No events of 123456789012')).toBeTruthy();
});
