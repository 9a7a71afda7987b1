import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SampleContents, SampleData } from '@/api';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { SamplePanel } from './SamplePanel';

const none: SampleData = { tenant: null, state: null, reason: null, may_change: true, home: 'home' };
const ready: SampleData = { ...none, tenant: 'sample', state: 'ready' };

/** What the service has, and answers to who removes it. */
let has: SampleData;
let removal: () => Response;
let contents: SampleContents;
const went = vi.fn(() => Promise.resolve());

beforeEach(() => {
  contents = {
    rows: [
      { kind: 'charge', count: 3220 },
      { kind: 'anomaly', count: 2 },
    ],
    imported: [],
  };
  removal = () => {
    has = none;
    return new Response(null, { status: 204 });
  };
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (path === '/api/sample/contents') return Promise.resolve(Response.json(contents));
    if (path !== '/api/sample') return new Promise(() => undefined);
    return Promise.resolve(init?.method === 'DELETE' ? removal() : Response.json(has));
  });
  tenantSwitch.set({ to: went, with: () => Promise.resolve() });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  went.mockClear();
});

const open = (sample: SampleData) => {
  has = sample;
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, queryFn: () => new Promise(() => undefined) } },
  });
  render(
    <QueryClientProvider client={client}>
      <SamplePanel />
    </QueryClientProvider>,
  );
  return client;
};
const press = async (name: string) => {
  // The dialog's button is there at once, and can be pressed when what goes is known.
  const button = await screen.findByRole('button', { name });
  await vi.waitFor(() => {
    expect(button.hasAttribute('disabled')).toBe(false);
  });
  await userEvent.click(button);
};

test('who may not load sample data is offered none', async () => {
  const client = open({ ...none, may_change: false });
  await vi.waitFor(() => {
    expect(client.getQueryData(['sample'])).toBeTruthy();
  });
  expect(screen.queryByRole('button')).toBeNull();
});

test('what is loaded already is shown again, and nobody is taken there unasked', async () => {
  open(ready);
  expect(await screen.findByText('Sample data is loaded')).toBeTruthy();
  expect(went).not.toHaveBeenCalled();
  await press('Show it');
  expect(went).toHaveBeenCalledWith('sample');
});

test('what is removed is offered again', async () => {
  open(ready);
  await press('Remove it');
  expect(await screen.findByText('Charges')).toBeTruthy();
  expect(await screen.findByText('3,220')).toBeTruthy();
  expect(screen.getByText('Anomalies')).toBeTruthy();
  await press('Remove everything');
  expect(await screen.findByRole('button', { name: 'Load sample data' })).toBeTruthy();
});

test('files that somebody imported into the sample are named before they go', async () => {
  contents = { ...contents, imported: [{ file_name: 'october.csv', rows: 12 }] };
  open(ready);
  await press('Remove it');
  expect((await screen.findByRole('alert')).textContent).toContain('october.csv, 12 rows');
  expect(await screen.findByRole('button', { name: 'Remove it and 1 imported file' })).toBeTruthy();
  await press('Cancel');
  expect(screen.queryByText('october.csv')).toBeNull();
  expect(has).toBe(ready);
});

test('what could not be loaded says why, is not shown and can be removed', async () => {
  open({ ...ready, state: 'failed', reason: 'There was no room on the disk' });
  expect(await screen.findByText('There was no room on the disk')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show it' })).toBeNull();
  await press('Remove it');
  await press('Remove everything');
  expect(await screen.findByText('Just looking?')).toBeTruthy();
});

test('why it could not be removed stands there', async () => {
  const message = 'The sample data is still being loaded. Remove it when that has ended';
  removal = () => Response.json({ error: 'loading', message }, { status: 409 });
  open(ready);
  await press('Remove it');
  await press('Remove everything');
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});
