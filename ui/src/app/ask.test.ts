import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { graphql, sessionKey } from '@/api';

const question = graphql('query Shown { spend_groupings_v2(columns: ["first_date"]) { rows { first_date } } }');
const key = ['graphql', question, {}];
const answers: Record<string, unknown> = {
  '/api/auth/link': { email: 'ada@example.com', name: 'Ada', tenant: { id: '1', name: 'Home' }, roles: [] },
  '/api/auth/session': { email: 'ada@example.com', name: 'Ada', tenant: { id: '1', name: 'Home' }, roles: [] },
  '/api/about': { name: 'Quarterdeck', version: '1', instance: 'here', data_dir: null, sign_in: {} },
  '/api/instances': { here: { address: '', version: '1' }, instances: [], file: 'none', colours: [] },
  '/api/host': { choices: {}, tray: false, files: [] },
  '/api/graphql': { data: { spend_groupings_v2: { rows: [] } } },
};
let asked: string[] = [];

/** The module as a window or a browser loads it, at this address. */
async function load(kind: 'desktop' | 'browser', address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  if (kind === 'desktop') window.__QUARTERDECK_HOST__ = 'desktop';
  else delete window.__QUARTERDECK_HOST__;
  return import('./ask');
}

beforeEach(() => {
  asked = [];
  localStorage.clear();
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    const answer = answers[path];
    return Promise.resolve(new Response(JSON.stringify(answer), { status: answer ? 200 : 404 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  delete window.__QUARTERDECK_HOST__;
});

test('the questions of a page are asked at the next start of the window, before there is a page', async () => {
  vi.useFakeTimers();
  const { ask, remember } = await load('desktop', '/overview');
  const first = new QueryClient();
  const { QueryObserver } = await import('@tanstack/react-query');
  const answer = { spend_groupings_v2: { rows: [] } };
  const stop = new QueryObserver(first, { queryKey: key, queryFn: () => Promise.resolve(answer) }).subscribe(
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(10);
  remember(first);
  await vi.advanceTimersByTimeAsync(10_000);
  stop();

  const next = new QueryClient();
  await ask(next).answered;
  expect(asked).toContain('/api/graphql');
  expect(next.getQueryData(key)).toEqual(answer);
});

test('questions are sent before there are answers, so that the code of the pages can be read meanwhile', async () => {
  const { ask } = await load('desktop', '/overview');
  localStorage.setItem('quarterdeck.first', JSON.stringify({ '/overview': [key] }));
  const signedIn = fetch;
  vi.stubGlobal('fetch', (path: string) => {
    if (path !== '/api/graphql') return signedIn(path);
    asked.push(path);
    return new Promise(() => undefined);
  });
  vi.useFakeTimers();
  const { sent, answered } = ask(new QueryClient());
  let isAnswered = false;
  void answered.then(() => {
    isAnswered = true;
  });
  await sent;
  expect(asked).toContain('/api/graphql');
  expect(isAnswered).toBe(false);
  // Patience ends: the page comes without the answer.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAnswered).toBe(true);
});

test('a page whose address carries a code is signed in by it, and the code is gone', async () => {
  const { ask } = await load('browser', '/costs/explorer#code=abc');
  const client = new QueryClient();
  await ask(client).answered;
  expect(asked).toEqual(['/api/auth/link', '/api/about', '/api/instances']);
  expect(client.getQueryData(sessionKey)).toMatchObject({ email: 'ada@example.com' });
  expect(window.location.hash).toBe('');
});

test('a browser remembers no questions, and what a window remembers is forgotten by name', async () => {
  vi.useFakeTimers();
  const inBrowser = await load('browser', '/overview');
  inBrowser.remember(new QueryClient());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(localStorage.length).toBe(0);
  const inWindow = await load('desktop', '/overview');
  inWindow.remember(new QueryClient());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(localStorage.length).toBe(1);
  inWindow.forget();
  expect(localStorage.length).toBe(0);
});
