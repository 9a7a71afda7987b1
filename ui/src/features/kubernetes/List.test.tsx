import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { List } from './List';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children, to }: { children: string; to: string }) => <a href={to}>{children}</a>,
}));

test('a cluster of which files name pods only leads from its empty table of workloads to them', () => {
  const go = vi.fn();
  const rows = { of: '', rows: [], first: 0, onView: () => undefined, error: null, retry: () => undefined };
  const table = (tab: 'workloads' | 'pods') => (
    <QueryClientProvider client={new QueryClient()}>
      <List tab={tab} rows={rows} total={0} usage={new Map()} costs={null} isOrderable={false} search={{}} onGo={go} />
    </QueryClientProvider>
  );
  const { rerender } = render(table('workloads'));
  expect(screen.getByText('No workloads')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show pods' }));
  expect(go).toHaveBeenCalledWith({ tab: 'pods', sort: undefined });

  rerender(table('pods'));
  expect(screen.getByRole('link', { name: 'Import files' }).getAttribute('href')).toBe('/imports');
});
