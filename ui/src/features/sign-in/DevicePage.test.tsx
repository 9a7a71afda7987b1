import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DevicePage } from './DevicePage';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a link that is none says what the server found, what to do, and where to go on', async () => {
  const message = '`state` is missing: expected 22 to 512 characters';
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(
      path.startsWith('/api/auth/desktop/consent')
        ? Response.json({ error: 'invalid', message }, { status: 400 })
        : Response.json({ version: '1', sign_in: {} }),
    ),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <DevicePage />
    </QueryClientProvider>,
  );
  const card = await screen.findByRole('region', { name: 'Not a valid desktop sign-in link' });
  expect(within(card).getByText(message).className).toBe('mono');
  expect(within(card).getAllByRole('listitem')).toHaveLength(3);
  expect(within(card).getByRole('link').getAttribute('href')).toBe('/overview');
});
