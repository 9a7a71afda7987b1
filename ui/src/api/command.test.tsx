import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useImportCommand } from './command';
import { noAnswer } from './silence';

const host = vi.hoisted(() => ({ kind: 'browser' }));
vi.mock('@/host', () => ({ host }));

const dataDir: { current: string | null } = { current: null };

function Command() {
  return <code>{useImportCommand()}</code>;
}

/** The command on a page of that kind. */
function command(kind: 'browser' | 'desktop') {
  host.kind = kind;
  const client = new QueryClient();
  const about = { name: 'Quarterdeck', version: '1', instance: 'here', data_dir: dataDir.current, sign_in: {} };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(about))));
  render(
    <QueryClientProvider client={client}>
      <Command />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  dataDir.current = "/home/ada/o'neil data";
});

test('the window takes files by its own program, which is all that whoever installed it may have', async () => {
  command('desktop');
  expect(await screen.findByText("quarterdeck focus-export.csv --data-dir '/home/ada/o'\\''neil data'")).toBeTruthy();
});

test('a browser names the program of the server', async () => {
  command('browser');
  expect(
    await screen.findByText("quarterdeck-server import focus-export.csv --data-dir '/home/ada/o'\\''neil data'"),
  ).toBeTruthy();
});

test('who is not told the folder gets the command without it', () => {
  dataDir.current = null;
  command('browser');
  expect(screen.getByText('quarterdeck-server import focus-export.csv')).toBeTruthy();
});

test('what to do about a service that is silent depends on whose it is', () => {
  host.kind = 'desktop';
  expect(noAnswer('/api/about').message).toBe('The service does not answer. Close Quarterdeck and start it again.');
  host.kind = 'browser';
  expect(noAnswer('/api/about').message).toMatch(/Check that quarterdeck-server is running/);
});
