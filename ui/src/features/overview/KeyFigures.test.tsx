import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { KeyFigures } from './KeyFigures';
import { period } from './period';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

const ledger = vi.hoisted(() => ({ data: [] as object[], error: null, refetch: () => undefined }));
vi.mock('@/api', async (original) => ({ ...(await original<object>()), useLedger: () => ledger }));

afterEach(() => {
  vi.unstubAllGlobals();
});

function shown(identified: number) {
  const none = { count: 0, amount: '0' };
  ledger.data = [{ currency: 'USD', identified: { count: identified, amount: '1416' }, verified: none }];
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(null)));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <KeyFigures shown={period('2026-11', '2026-11-29')} currency="USD" several={false} />
    </QueryClientProvider>,
  );
}

test('open recommendations that state no saving are not said to be none', () => {
  shown(0);
  expect(screen.getByText('No open recommendation has a saving')).toBeTruthy();
  expect(screen.queryByText('No open recommendations')).toBeNull();
});

test('the saving says in how many of the open ones it is', () => {
  shown(5);
  expect(screen.getByText('per month, in 5 open recommendations')).toBeTruthy();
});
