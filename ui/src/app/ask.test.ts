import { readFileSync } from 'node:fs';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { graphql, sessionKey } from '@/api';

const question = graphql('query Shown { spend_groupings_v2(columns: ["first_date"]) { rows { first_date } } }');
const key = ['graphql', question, {}];
const ada = { email: 'ada@example.com', name: 'Ada', tenant: { id: '1', name: 'Home' }, roles: [] };
const answers: Record<string, unknown> = {
  '/api/auth/link': ada,
  '/api/auth/session': ada,
  '/api/about': { name: 'Quarterdeck', version: '1', instance: 'here', data_dir: null, sign_in: {} },
  '/api/instances': { here: { address: '', version: '1' }, instances: [], file: 'none', colours: [] },
  '/api/host': { choices: {}, tray: false, files: [] },
  '/api/auth/saml/health': { enabled: false, status: 'healthy', certificate: {}, config: {}, messages: [] },
  '/api/graphql': { data: { spend_groupings_v2: { rows: [] } } },
};
interface Ask {
  path: string;
  body?: unknown;
}
/** What was sent together, and what by itself. */
let together: Ask[];
let alone: string[];
/** The answer to what was sent together, as far as it came; each test may have its own. */
let opening: (asks: Ask[]) => { status?: number; text: string; isOpen?: boolean };
/** What public/first.js does, as index.html has it done before anything else. */
const first = readFileSync('public/first.js', 'utf8');

const line = (place: number, status: number, body: unknown) =>
  `[${String(place)},${String(status)},${JSON.stringify(body)}]\n`;
const all = (asks: Ask[]) =>
  asks
    .map(({ path }, place) => line(place, 200, answers[path]))
    .reverse()
    .join('');

/** A request whose answer comes a moment later. */
class Sent extends EventTarget {
  readyState = 0;
  status = 0;
  responseText = '';
  open() {
    this.readyState = 1;
  }
  setRequestHeader() {
    expect(this.readyState).toBe(1);
  }
  send(body: string) {
    together = (JSON.parse(body) as { asks: Ask[] }).asks;
    const { status = 200, text, isOpen } = opening(together);
    queueMicrotask(() => {
      this.status = status;
      this.become(2);
      this.responseText = text;
      this.become(3);
      this.dispatchEvent(new Event('progress'));
      if (isOpen) return;
      this.become(4);
      this.dispatchEvent(new Event('loadend'));
    });
  }
  become(state: number) {
    this.readyState = state;
    this.dispatchEvent(new Event('readystatechange'));
  }
}

/** The module as a window or a browser loads it, at this address. */
async function load(kind: 'desktop' | 'browser', address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  if (kind === 'desktop') window.__QUARTERDECK_HOST__ = 'desktop';
  else delete window.__QUARTERDECK_HOST__;
  const head = document.createElement('script');
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(head);
  window.eval(first);
  return import('./ask');
}

beforeEach(() => {
  together = [];
  alone = [];
  opening = (asks) => ({ text: all(asks) });
  localStorage.clear();
  vi.stubGlobal('XMLHttpRequest', Object.assign(Sent, { DONE: 4 }));
  vi.stubGlobal('fetch', (path: string) => {
    alone.push(path);
    const answer = answers[path];
    return Promise.resolve(new Response(JSON.stringify(answer), { status: answer ? 200 : 404 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  delete window.__QUARTERDECK_HOST__;
  delete window.__QUARTERDECK_OPENING__;
});

/** A router that goes nowhere. */
const still = { subscribe: () => () => undefined };

/** Has the window remember the question of its page. */
async function rememberQuestion() {
  vi.useFakeTimers();
  const { remember } = await load('desktop', '/overview');
  const client = new QueryClient();
  const queryFn = () => Promise.resolve({ spend_groupings_v2: { rows: [] } });
  const stop = new QueryObserver(client, { queryKey: key, queryFn }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  remember(client, still);
  await vi.advanceTimersByTimeAsync(10_000);
  stop();
  vi.useRealTimers();
}

test('what a page asked is asked at the next start of the window, in one request before there is any code', async () => {
  await rememberQuestion();
  const { ask } = await load('desktop', '/overview');
  expect(together.map(({ path }) => path)).toEqual([
    '/api/auth/session',
    '/api/about',
    '/api/instances',
    '/api/host',
    '/api/auth/saml/health',
    '/api/graphql',
  ]);
  expect(together[5]?.body).toEqual({ query: question, variables: {} });
  const client = new QueryClient();
  await ask(client);
  expect(alone).toEqual([]);
  expect(client.getQueryData(key)).toEqual({ spend_groupings_v2: { rows: [] } });
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});

test('money that comes early keeps its digits', async () => {
  await rememberQuestion();
  const exact = '[5,200,{"data":{"spend_groupings_v2":{"rows":[{"first_date":0.12345678901234567890}]}}}]\n';
  opening = (asks) => ({ text: all(asks.slice(0, 5)) + exact });
  const { ask } = await load('desktop', '/overview');
  const client = new QueryClient();
  await ask(client);
  expect(JSON.stringify(client.getQueryData(key))).toContain('"0.12345678901234567890"');
});

test.each([
  ['refused', () => ({ status: 400, text: '{"error": "bad_request"}' })],
  ['cut off', (asks: Ask[]) => ({ text: all(asks).slice(0, 40) })],
])('what is not answered early is asked by itself: %s', async (_, answer) => {
  await rememberQuestion();
  opening = answer;
  const { ask } = await load('desktop', '/overview');
  const client = new QueryClient();
  await ask(client);
  expect(alone.toSorted()).toEqual(
    Object.keys(answers)
      .filter((path) => path !== '/api/auth/link')
      .toSorted(),
  );
  expect(client.getQueryData(key)).toEqual({ spend_groupings_v2: { rows: [] } });
});

test('an answer is used once: the next time the service is asked', async () => {
  const { ask } = await load('browser', '/overview');
  const client = new QueryClient();
  await ask(client);
  await client.refetchQueries({ queryKey: ['about'] });
  await client.refetchQueries({ queryKey: sessionKey });
  expect(alone).toEqual(['/api/about', '/api/auth/session']);
});

test('no page waits for a question for ever', async () => {
  await rememberQuestion();
  opening = (asks) => ({ text: all(asks.slice(0, 5)), isOpen: true });
  const { ask } = await load('desktop', '/overview');
  vi.useFakeTimers();
  const client = new QueryClient();
  let isOver = false;
  const over = ask(client).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(client.getQueryData(sessionKey)).toEqual(ada);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  await over;
  expect(client.getQueryData(key)).toBeUndefined();
});

test('a page whose address carries a code is signed in by it, and the code is gone', async () => {
  const { ask } = await load('browser', '/costs/explorer#code=abc');
  expect(window.location.hash).toBe('');
  expect(together[0]).toEqual({ path: '/api/auth/link', body: { code: 'abc' } });
  const client = new QueryClient();
  await ask(client);
  expect(alone).toEqual([]);
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});

test('a code that was spent sends nobody away who is signed in', async () => {
  opening = () => ({ text: line(0, 401, { error: 'link_spent', message: 'This link was used already.' }) });
  const { ask } = await load('browser', '/overview#code=abc');
  const client = new QueryClient();
  await ask(client);
  expect(alone).toEqual(['/api/auth/session', '/api/about', '/api/instances']);
  expect(client.getQueryData(sessionKey)).toEqual(ada);
});

test.each(['/sign-in#code=abc', '/i/0b5e6c1e-93a7-4a58-8d1c-6f1f5b0f6f01/overview'])(
  'at %s nothing is sent before there is code for it',
  async (address) => {
    await load('desktop', address);
    expect(together).toEqual([]);
    expect(window.location.pathname + window.location.hash).toBe(address);
  },
);

test('a browser remembers no questions, and what a window remembers is forgotten by name', async () => {
  vi.useFakeTimers();
  const inBrowser = await load('browser', '/overview');
  inBrowser.remember(new QueryClient(), still);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(localStorage.length).toBe(0);
  const inWindow = await load('desktop', '/overview');
  inWindow.remember(new QueryClient(), still);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(localStorage.length).toBe(1);
  inWindow.forget();
  expect(localStorage.length).toBe(0);
});

describe('what a window remembers', () => {
  const asked = 'quarterdeck.first';
  let client: QueryClient;
  let arrive: (event: object) => void;
  let stop: () => void;

  beforeEach(async () => {
    vi.useFakeTimers();
    const { remember } = await load('desktop', '/overview');
    client = new QueryClient();
    const subscribe = (_: string, listener: typeof arrive) => {
      arrive = listener;
      return () => undefined;
    };
    document.body.innerHTML = '<div id="root"></div>';
    stop = remember(client, { subscribe } as never);
    await vi.advanceTimersByTimeAsync(10_000);
  });
  afterEach(() => {
    stop();
    document.body.innerHTML = '';
  });

  const show = (month: string) => {
    const queryFn = () => Promise.resolve({ spend_groupings_v2: { rows: [] } });
    const observer = new QueryObserver(client, { queryKey: ['graphql', question, { month }], queryFn });
    return observer.subscribe(() => undefined);
  };
  /** Whether it has remembered anything since. */
  const remembersAgain = async () => {
    localStorage.removeItem(asked);
    await vi.advanceTimersByTimeAsync(10_000);
    return localStorage.getItem(asked) !== null;
  };

  test('is what its page asked last, not another page', async () => {
    const leave = show('2026-08');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(localStorage.getItem(asked)).toContain('2026-08');
    leave();
    window.history.replaceState(null, '', '/costs');
    show('2026-09');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(localStorage.getItem(asked)).toContain('2026-08');
  });

  test('comes anew when the page is gone back to or has other room, never by the clock', async () => {
    expect(await remembersAgain()).toBe(false);
    arrive({ fromLocation: {}, pathChanged: true });
    expect(await remembersAgain()).toBe(true);
    window.dispatchEvent(new Event('resize'));
    expect(await remembersAgain()).toBe(true);
    expect(await remembersAgain()).toBe(false);
  });

  test('waits for what stands there only for a while', async () => {
    const root = document.getElementById('root');
    if (root) root.innerHTML = '<p data-passing></p>';
    window.dispatchEvent(new Event('resize'));
    expect([await remembersAgain(), await remembersAgain()]).toEqual([true, true]);
    root?.replaceChildren();
    expect([await remembersAgain(), await remembersAgain()]).toEqual([true, false]);
  });
});
