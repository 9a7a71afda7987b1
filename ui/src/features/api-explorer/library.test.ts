import { expect, test } from 'vitest';
import { close, emptyLibrary, isChanged, open, readLibrary, remember, save, write } from './library';
import type { Run } from './library';

const run = (query: string, at = '2026-11-20T12:00:00Z'): Run => ({
  query,
  variables: '',
  at,
  status: 200,
  errors: 0,
  ms: 3,
  bytes: 20,
});

test('history holds each question once, the newest first, a hundred at most', () => {
  let library = emptyLibrary();
  for (let i = 0; i < 120; i += 1) library = remember(library, run(`{ a${String(i)} }`));
  library = remember(library, run('{ a50 }', '2026-11-20T13:00:00Z'));
  expect(library.history).toHaveLength(100);
  expect(library.history[0]).toMatchObject({ query: '{ a50 }', at: '2026-11-20T13:00:00Z' });
  expect(library.history.filter(({ query }) => query === '{ a50 }')).toHaveLength(1);
});

test('a text too long to keep is not remembered', () => {
  expect(remember(emptyLibrary(), run('x'.repeat(60_000))).history).toEqual([]);
});

test('a saved query is written again from its tab', () => {
  let library = save(write(emptyLibrary(), { query: '{ a }' }), 'Mine', 's1');
  library = write(library, { query: '{ b }' });
  expect(library.tabs.map((tab) => isChanged(library, tab))).toEqual([true]);
  library = save(library, 'Mine', 's2');
  expect(library.saved).toEqual([{ id: 's1', name: 'Mine', query: '{ b }', variables: '' }]);
});

test('opening what is open already goes to its tab', () => {
  const library = open(emptyLibrary(), { query: '{ a }', variables: '' }, 't2');
  expect(open({ ...library, activeId: 'first' }, { query: '{ a }', variables: '' }, 't3').activeId).toBe('t2');
});

test('closing leaves a neighbour, closing the last an empty tab', () => {
  const library = open(emptyLibrary(), { query: '{ a }', variables: '' }, 't2');
  expect(close(library, 't2', 't3').activeId).toBe('first');
  expect(close(emptyLibrary(), 'first', 't3')).toMatchObject({
    activeId: 't3',
    tabs: [{ id: 't3', query: '', variables: '' }],
  });
});

test('what was kept is read again, broken text gives the first library', () => {
  const library = remember(save(emptyLibrary(), 'Mine', 's1'), run('{ a }'));
  expect(readLibrary(JSON.stringify(library))).toEqual(library);
  for (const text of [null, '', '{', 'null', '[]', '{"tabs":[null,{"id":7}]}']) {
    expect(readLibrary(text), String(text)).toEqual(emptyLibrary());
  }
});
