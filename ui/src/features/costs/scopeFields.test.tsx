import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { request } from '@/api/client';
import { useScopeFields } from './scopeFields';

vi.mock('@/api/client', async (original) => ({ ...(await original<object>()), request: vi.fn() }));

interface Asked {
  groupBy?: string[];
  where?: object;
}

beforeEach(() => {
  vi.mocked(request).mockImplementation((_, variables) => {
    const { groupBy } = variables as Asked;
    const rows = groupBy?.includes('currency_type')
      ? [{ currency_type: 'EUR', spend_count: 3 }]
      : [{ service_name: 'Storage', spend_amount: '12.5', spend_count: 3 }];
    return Promise.resolve({ spend_groupings_v2: { rows } }) as never;
  });
});

const wrapper = ({ children }: { children: React.ReactNode }) => (
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    {children}
  </QueryClientProvider>
);

test('what a scope can be chosen from has its costs in the currency of the charges', async () => {
  const { result } = renderHook(
    () => {
      const { fields, currency } = useScopeFields('2026-06-30');
      return { currency, values: fields.find(({ id }) => id === 'service')?.useValues(currency !== null).values };
    },
    { wrapper },
  );
  await waitFor(() => {
    expect(result.current.values).toMatchObject([{ hint: '€12.50' }]);
  });
  expect(result.current.currency).toBe('EUR');
});

test('a row that has a currency keeps it', () => {
  const { result } = renderHook(() => useScopeFields('2026-06-30', 'CHF').currency, { wrapper });
  expect(result.current).toBe('CHF');
});
