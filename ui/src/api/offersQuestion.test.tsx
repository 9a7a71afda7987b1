import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useLack } from './capabilities';
import { aboutKey, sessionKey } from './session';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Page() {
  return <p>{useLack()({ area: 'backups' }) ?? 'It is there'}</p>;
}

test('what a service has is read from what the frame asked, and asks nothing itself', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({ instances: [], here: { version: '1' } }));
  });
  const client = new QueryClient();
  client.setQueryData(sessionKey, null);
  client.setQueryData([...aboutKey, null], { version: '1' });
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('It is there')).toBeTruthy();
  expect(said).not.toHaveBeenCalled();
  expect(asked).not.toContain('/api/about');
});
