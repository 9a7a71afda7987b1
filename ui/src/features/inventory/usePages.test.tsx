import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { request } from '@/api/client';
import { usePages } from './usePages';
import { totalsRequest } from './where';

vi.mock('@/api/client', async (original) => ({ ...(await original<object>()), request: vi.fn() }));

const total = 215_351;
const days = { from: '2024-09-01', to: '2024-09-30' };

interface Asked {
  request: { limit: number; offset: number; sort: string };
}

beforeEach(() => {
  vi.mocked(request).mockImplementation((_, variables) => {
    const { limit, offset } = (variables as Asked).request;
    const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, at) => ({
      id: String(offset + at),
      name: `thing ${String(offset + at)}`,
      external_resource_id: null,
      billed: [{ currency: 'USD', amount: '1' }],
    }));
    return Promise.resolve({ cloud_resources_page: { rows } }) as never;
  });
});

const asked = () => vi.mocked(request).mock.calls.map(([, variables]) => (variables as Asked).request);

test('a list of very many is read in pages as they come into view, a hundred rows at once', async () => {
  const client = new QueryClient();
  const { result } = renderHook(() => usePages(totalsRequest(days, {}), '-cost-USD', total), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => {
    expect(result.current.rows).toHaveLength(100);
  });
  expect(asked()).toHaveLength(1);

  // Far down, across the border of two pages.
  act(() => {
    result.current.onView(215_190, 215_260);
  });
  await waitFor(() => {
    expect(result.current.rows).toHaveLength(200);
  });
  expect(result.current.first).toBe(215_100);
  expect(result.current.rows?.[0]?.name).toBe('thing 215100');
  expect(asked().map(({ offset }) => offset)).toEqual([0, 215_100, 215_200]);
  expect(asked().every(({ limit, sort }) => limit <= 100 && sort === 'COST')).toBe(true);
});

test('nothing is asked until the order is known, and another list begins at its top', async () => {
  vi.mocked(request).mockClear();
  const client = new QueryClient();
  const { result, rerender } = renderHook(({ sort }) => usePages(totalsRequest(days, {}), sort, total), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    initialProps: { sort: undefined as string | undefined },
  });
  expect(asked()).toEqual([]);
  rerender({ sort: 'name' });
  act(() => {
    result.current.onView(500, 560);
  });
  await waitFor(() => {
    expect(result.current.first).toBe(500);
    expect(result.current.rows).toHaveLength(100);
  });
  rerender({ sort: '-name' });
  await waitFor(() => {
    expect(result.current.first).toBe(0);
    expect(result.current.rows).toHaveLength(100);
  });
});

test('of a list that would go on paper as a whole all rows are at hand soon', async () => {
  const client = new QueryClient();
  const { result } = renderHook(() => usePages(totalsRequest(days, {}), 'name', 400), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => {
    expect(result.current.rows).toHaveLength(400);
  });
  expect(result.current.first).toBe(0);
});
