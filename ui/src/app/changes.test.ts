import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { createElement } from 'react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useChanges } from './changes';

const about = { product: 'Quarterdeck', version: '1.0.0', areas: ['changes'] };
/** The connections that pages opened, and what was asked. */
let opened: EventSource[];
let asked: string[];

beforeEach(() => {
  [opened, asked] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      onerror = () => undefined;
      onopen = () => undefined;
      close = () => undefined;
      constructor() {
        super();
        opened.push(this as unknown as EventSource);
      }
    },
  );
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(path === '/api/about' ? about : null));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a connection that breaks has it asked at once whether the service is there, and is made again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  renderHook(useChanges, { wrapper });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened).toHaveLength(1);
  asked = [];
  opened[0]?.onerror?.(new Event('error'));
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toContain('/api/about');
  expect(opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(opened).toHaveLength(2);
});
