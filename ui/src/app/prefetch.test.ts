import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionKey } from '@/api';
import { prefetch } from './prefetch';

const ada = {
  email: 'ada@example.com',
  name: 'Ada',
  tenant: { id: '1', name: 'Home' },
  roles: [],
  uses_instances: false,
};
const answers: Record<string, unknown> = {
  '/api/auth/link': ada,
  '/api/auth/session': ada,
  '/api/about': { name: 'Quarterdeck', version: '1', instance: 'here', data_dir: null, sign_in: {} },
  '/api/instances': { here: { address: '', version: '1' }, instances: [], file: 'none', colours: [] },
};
let asked: { path: string; body: unknown }[];
let refused: string[];

beforeEach(() => {
  asked = [];
  refused = [];
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit = {}) => {
    asked.push({ path, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined });
    const isRefused = refused.includes(path);
    const text = JSON.stringify(isRefused ? { error: 'no', message: 'No.' } : answers[path]);
    return Promise.resolve(new Response(text, { status: isRefused ? 401 : 200 }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

test('who is signed in is asked first, then what every page needs', async () => {
  const client = new QueryClient();
  await prefetch(client);
  expect(asked.map(({ path }) => path)).toEqual(['/api/auth/session', '/api/about']);
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});

test('other instances are asked for only where the service says that they are used from it', async () => {
  answers['/api/auth/session'] = { ...ada, uses_instances: true };
  const client = new QueryClient();
  await prefetch(client);
  expect(asked.map(({ path }) => path)).toEqual(['/api/auth/session', '/api/about', '/api/instances']);
  answers['/api/auth/session'] = ada;
  const other = new QueryClient();
  asked = [];
  await prefetch(other);
  expect(asked.map(({ path }) => path)).not.toContain('/api/instances');
  // Known not to be there, as after a refusal: nothing waits for it.
  expect(other.getQueryData(['instances'])).toBeNull();
});

test('nothing is asked for nobody, and the page for signing in asks by itself', async () => {
  refused = ['/api/auth/session'];
  await prefetch(new QueryClient());
  expect(asked.map(({ path }) => path)).toEqual(['/api/auth/session']);
  asked = [];
  window.history.replaceState(null, '', '/sign-in');
  await prefetch(new QueryClient());
  expect(asked).toEqual([]);
});

test('the code of a link signs in and leaves the address at once', async () => {
  window.history.replaceState(null, '', '/overview?a=1#code=abc');
  const client = new QueryClient();
  const done = prefetch(client);
  expect(window.location.href).not.toContain('code');
  expect(window.location.search).toBe('?a=1');
  await done;
  expect(asked[0]).toEqual({ path: '/api/auth/link', body: { code: 'abc' } });
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});

test('a code that was used before leaves whoever is signed in already', async () => {
  window.history.replaceState(null, '', '/overview#code=used');
  refused = ['/api/auth/link'];
  const client = new QueryClient();
  await prefetch(client);
  expect(asked.map(({ path }) => path).slice(0, 2)).toEqual(['/api/auth/link', '/api/auth/session']);
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});
