import { readFileSync } from 'node:fs';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const first = readFileSync('public/first.js', 'utf8');
const question = { query: 'query Shown { tenant { name } }', variables: {} };
const kept = 'quarterdeck.drawn';
let answers: string;
/** Whether the code of the pages has begun. */
const hasBegun = () => document.head.querySelector('script[type="module"][src="/assets/main-1.js"]') !== null;
/** Whether the last answer takes its time. */
let isSlow = false;
/** What was asked together last. */
let sent: { path: string }[] = [];
let stop: () => void = () => undefined;

/** A request that has its answer when somebody listens for it. */
class Sent extends EventTarget {
  static DONE = 4;
  readyState = 1;
  status = 200;
  responseText = '';
  open() {}
  setRequestHeader() {}
  send(body: string) {
    sent = (JSON.parse(body) as { asks: { path: string }[] }).asks;
    queueMicrotask(() => {
      this.readyState = isSlow ? 3 : 4;
      // Half a line is no answer yet.
      this.responseText = isSlow ? answers.slice(0, -4) : answers;
      this.dispatchEvent(new Event('readystatechange'));
      if (!isSlow) this.dispatchEvent(new Event('loadend'));
    });
  }
}

/** A start of the window, or of a browser, up to where the code of the pages begins. */
async function start(kind: 'desktop' | 'browser' = 'desktop') {
  document.head.innerHTML = '';
  document.body.innerHTML = '<div id="root"></div>';
  if (kind === 'desktop') window.__QUARTERDECK_HOST__ = 'desktop';
  const head = document.createElement('script');
  head.dataset['main'] = '/assets/main-1.js';
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(head);
  window.eval(first);
  // The answers come, then the code begins.
  await Promise.resolve();
  await Promise.resolve();
  return document.getElementById('root') as HTMLDivElement & { inert?: boolean };
}

/** Draws the page as React would, and gives what has it kept; `later` are questions that were not asked early. */
async function drawAndKeep(later: unknown[][] = []) {
  localStorage.setItem('quarterdeck.first', JSON.stringify({ '/overview': [question] }));
  const root = await start();
  vi.resetModules();
  const { keepDrawing, noteEarly } = await import('./drawn');
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is asked by itself here')));
  root.innerHTML =
    '<main><select><option>June</option><option>July</option></select><input><p>$20.52</p><canvas></canvas></main>' +
    '<section data-until="2027-03-01"></section><p data-days-since="2026-11-20">It is 2 days old, of 30</p><p data-days-since="2019-01-01">2,882 days</p>';
  const [select, input, text] = [root.querySelector('select'), root.querySelector('input'), root.querySelector('p')];
  if (!select || !input || !text) throw new Error('the page has those');
  select.selectedIndex = 1;
  input.value = 'typed';
  text.style.setProperty('width', '40%');
  const client = new QueryClient();
  const ask = (queryKey: unknown[]) =>
    new QueryObserver(client, { queryKey, queryFn: () => Promise.resolve({ rows: [] }) }).subscribe(() => undefined);
  const stops = [
    ['graphql', question.query, {}],
    ['about', 'ada@example.com'],
  ].map(ask);
  await new Promise((resolve) => setTimeout(resolve));
  noteEarly(client);
  stops.push(...later.map(ask));
  stop = () => {
    stops.forEach((end) => {
      end();
    });
  };
  await new Promise((resolve) => setTimeout(resolve));
  // An import elsewhere, say, that changed nothing here.
  await client.refetchQueries();
  return () => keepDrawing(client);
}

async function drawThenKeep() {
  const keep = await drawAndKeep();
  await keep();
}

const keptUntil = (day: string) =>
  (localStorage.getItem(kept) ?? '').replace('"until":"2027-03-01"', `"until":"${day}"`);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T23:30:00Z') });
  answers = Array.from({ length: 6 }, (_, place) => `[${String(place)},200,{"answer":${String(place)}}]\n`).join('');
  isSlow = false;
  localStorage.clear();
  window.history.replaceState(null, '', '/overview');
  vi.stubGlobal('XMLHttpRequest', Sent);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/png;base64,AAAA');
});
afterEach(() => {
  vi.useRealTimers();
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.__QUARTERDECK_HOST__;
  delete window.__QUARTERDECK_OPENING__;
});

test('the page as it was left stands there before its code, and does nothing yet', async () => {
  await drawThenKeep();
  // In another order: answers come when they are ready.
  answers = answers.split('\n').reverse().join('\n').trimStart() + '\n';
  const root = await start();
  expect(root.textContent).toContain('$20.52');
  expect(root.inert).toBe(true);
  expect(root.querySelector('select')?.value).toBe('July');
  expect(root.querySelector('input')?.value).toBe('typed');
  expect(root.querySelector('p')?.style.width).toBe('40%');
  expect(root.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
  expect(hasBegun()).toBe(false);
  await vi.waitFor(() => {
    expect(hasBegun()).toBe(true);
  });
});

test('another day counts anew how long ago something is', async () => {
  await drawThenKeep();
  vi.setSystemTime('2026-11-23T00:10:00Z');
  const root = await start();
  expect(root.textContent).toContain('$20.52');
  expect(root.textContent).toContain('It is 3 days old, of 30');
  expect(root.textContent).toContain('2,883 days');
  localStorage.setItem(kept, keptUntil('2026-11-23'));
  expect((await start()).textContent).toContain('$20.52');
});

test('the first answer that is another begins the code, without the rest', async () => {
  await drawThenKeep();
  isSlow = true;
  await start();
  expect(hasBegun()).toBe(false);
  answers = answers.replace('"answer":0', '"answer":1');
  await start();
  expect(hasBegun()).toBe(true);
});

test('another version of the code is begun with at once', async () => {
  await drawThenKeep();
  isSlow = true;
  localStorage.setItem(kept, (localStorage.getItem(kept) ?? '').replace('main-1.js', 'main-2.js'));
  await start();
  expect(hasBegun()).toBe(true);
});

test.each([
  ['an answer is another', () => (answers = answers.replace('"answer":5', '"answer":6'))],
  ['there is more room', () => vi.stubGlobal('innerWidth', window.innerWidth + 100)],
  ['something was chosen', () => localStorage.setItem('quarterdeck.rail', 'closed')],
  ['another page is opened', () => window.history.replaceState(null, '', '/overview?month=2026-08')],
  ['it is another year, which days are named with', () => vi.setSystemTime('2027-01-01')],
  ['part of it looks otherwise since yesterday', () => localStorage.setItem(kept, keptUntil('2026-11-21'))],
  ['what was kept is broken', () => localStorage.setItem(kept, '{"page":')],
  ['what was kept is not whole', () => localStorage.setItem(kept, '{"page":"/overview"}')],
])('it is drawn anew, without waiting for a paint, when %s', async (_, change) => {
  await drawThenKeep();
  change();
  const root = await start();
  expect(root.innerHTML).toBe('');
  expect(hasBegun()).toBe(true);
  // Once.
  expect(document.head.querySelectorAll('script')).toHaveLength(1);
});

test('a browser begins with the code at once, whatever a window kept', async () => {
  await drawThenKeep();
  delete window.__QUARTERDECK_HOST__;
  expect((await start('browser')).innerHTML).toBe('');
  expect(hasBegun()).toBe(true);
});

test('a page is not kept that shows what was asked later, or what somebody did', async () => {
  for (const other of [['graphql', 'query Later { tenant { id } }', {}], ['something else']]) {
    const keep = await drawAndKeep([other]);
    expect([await keep(), await keep()]).toEqual([true, false]);
    expect(localStorage.getItem(kept)).toBeNull();
    stop();
  }
  const keep = await drawAndKeep();
  window.dispatchEvent(new Event('pointerdown'));
  await keep();
  expect(localStorage.getItem(kept)).toBeNull();
});

test('a page is not kept whose questions were not all answered early', async () => {
  answers = answers.split('\n').slice(0, 5).join('\n') + '\n';
  await drawThenKeep();
  expect(localStorage.getItem(kept)).toBeNull();
});

test('a page that is not kept leaves what was kept only while that is still true', async () => {
  await drawThenKeep();
  const before = localStorage.getItem(kept);
  expect(before).not.toBeNull();
  stop();
  let keep = await drawAndKeep();
  window.dispatchEvent(new Event('keydown'));
  await keep();
  expect(localStorage.getItem(kept)).toBe(before);
  stop();
  answers = answers.replace('"answer":5', '"answer":6');
  keep = await drawAndKeep();
  window.dispatchEvent(new Event('keydown'));
  await keep();
  expect(localStorage.getItem(kept)).toBeNull();
});

const later = { query: 'query Later { tenant { id } }', variables: {} };
const laterKey = ['graphql', later.query, later.variables];

test('what came later is asked once more as the next start asks it, and then the page is kept', async () => {
  const keep = await drawAndKeep([laterKey]);
  localStorage.setItem('quarterdeck.first', JSON.stringify({ '/overview': [question, later] }));
  answers += '[6,200,{"answer":6}]\n';
  expect(await keep()).toBe(true);
  // Not before what came is drawn.
  expect(localStorage.getItem(kept)).toBeNull();
  expect(await keep()).toBe(false);
  // By the session of now: a link is spent. The others are looked at in ask.test.ts.
  expect(sent[0]).toEqual({ path: '/api/auth/session' });
  expect(sent.slice(-2)).toEqual([question, later].map((body) => ({ path: '/api/graphql', body })));
  expect(localStorage.getItem(kept)).toContain('$20.52');
  expect((await start()).textContent).toContain('$20.52');
});

test('a page that was gone back to is kept, and nothing that only passes', async () => {
  const keep = await drawAndKeep();
  window.dispatchEvent(new Event('pointerdown'));
  const { arrive } = await import('./drawn');
  arrive();
  const passing = document.createElement('p');
  passing.dataset['passing'] = '';
  document.getElementById('root')?.append(passing);
  expect(await keep()).toBe(true);
  expect(localStorage.getItem(kept)).toBeNull();
  passing.remove();
  window.history.replaceState(null, '', '/overview?month=2026-08');
  expect(await keep()).toBe(false);
  expect(localStorage.getItem(kept)).toBeNull();
  window.history.replaceState(null, '', '/overview');
  expect(await keep()).toBe(false);
  expect(localStorage.getItem(kept)).toContain('$20.52');
});

test('what a chart tells of the point under the pointer is not kept, but what stands there when the pointer has gone', async () => {
  const keep = await drawAndKeep();
  const chart = document.createElement('div');
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has it');
  const find = root.querySelector.bind(root);
  let isPointedAt = true;
  vi.spyOn(root, 'querySelector').mockImplementation((css: string) =>
    css === '.u-over:hover' ? (isPointedAt ? chart : null) : find(css),
  );
  const tried = keep();
  await new Promise((resolve) => setTimeout(resolve));
  expect(localStorage.getItem(kept)).toBeNull();
  isPointedAt = false;
  chart.dispatchEvent(new Event('pointerleave'));
  expect(await tried).toBe(true);
  expect(await keep()).toBe(false);
  expect(localStorage.getItem(kept)).toContain('$20.52');
});

test('answers that came for the next start are used for that alone', async () => {
  const keep = await drawAndKeep([laterKey]);
  await keep();
  const { early } = await import('@/api/early');
  expect(early('/api/instances')).toBeUndefined();
});
