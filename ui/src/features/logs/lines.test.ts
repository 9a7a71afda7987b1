import { expect, test } from 'vitest';
import { histogram, levelOf, lineOf, selectorOf, selectorOfPattern, sourceOf } from './lines';
import { logsSearch } from './search';

test('words become text that a line must hold in any case, a selector stays as it is', () => {
  expect(selectorOf('')).toBe('');
  expect(selectorOf('timeout after')).toBe('{} |~ "(?i)timeout" |~ "(?i)after"');
  expect(selectorOf('a.b "not found" c')).toBe('{} |~ "(?i)a\\\\.b" |~ "(?i)not found" |~ "(?i)c"');
  expect(selectorOf('{app="web"} |= "x"')).toBe('{app="web"} |= "x"');
  expect(selectorOf('app=web,tier in (front)')).toBe('app=web,tier in (front)');
});

test('a level is asked of the service, whatever else is looked for', () => {
  expect(selectorOf('', 'error')).toBe('{detected_level="error", }');
  expect(selectorOf('{ app="web"} |= "x"', 'warn')).toBe('{detected_level="warn", app="web"} |= "x"');
  expect(selectorOf('slow', 'info')).toBe('{detected_level="info", } |~ "(?i)slow"');
  expect(selectorOf('app=web', 'error')).toBe('app=web,detected_level=error');
});

test('a pattern finds the lines it was made of', () => {
  const q = selectorOfPattern('{app="web"}', 'GET <*> took <*> ms (slow)');
  const pattern = /\|~ "(.*)"$/.exec(q)?.[1]?.replaceAll('\\\\', '\\') ?? '';
  expect(q.startsWith('{app="web"} |~ ')).toBe(true);
  expect(new RegExp(pattern).test(' GET /cart/17  took 30 ms (slow)')).toBe(true);
  expect(new RegExp(pattern).test('GET /cart/17 took 30 ms slow')).toBe(false);
  expect(selectorOfPattern('app=web', 'x')).toBe('{} |~ "^\\\\s*x\\\\s*$"');
});

test('levels are four, however a program spells them', () => {
  expect(['ERROR', 'fatal', 'Warning', 'info', 'TRACE', 'notice'].map(levelOf)).toEqual([
    'error',
    'error',
    'warn',
    'info',
    'debug',
    'info',
  ]);
});

test('a line says where it comes from', () => {
  const line = lineOf(
    { timestamp: '2026-11-20T05:00:00Z', severity: 'warn', message: 'slow', labels: { app: 'web', pod: 'web-1' } },
    3,
  );
  expect(line).toMatchObject({ id: '2026-11-20T05:00:00Z.3', level: 'warn', text: 'slow' });
  expect(sourceOf(line)).toBe('web-1');
});

test('bars hold every line of the time and none of another', () => {
  const start = Date.parse('2026-11-20T05:00:00Z');
  const line = (time: string, level: 'info' | 'error') => ({ time, level });
  const bars = histogram(
    [
      line('2026-11-20T05:00:00Z', 'info'),
      line('2026-11-20T05:29:59Z', 'error'),
      line('2026-11-20T05:30:00Z', 'error'),
      line('2026-11-20T06:00:00Z', 'error'),
    ],
    start,
    start + 3_600_000,
    2,
  );
  expect(bars).toEqual([
    { error: 1, warn: 0, info: 1, debug: 0 },
    { error: 1, warn: 0, info: 0, debug: 0 },
  ]);
});

test('an address with a broken time shows the last hour', () => {
  expect(logsSearch({ account: 'a1', from: 'yesterday', to: '2026-11-20T06:00', q: 7 })).toEqual({
    account: 'a1',
    to: '2026-11-20T06:00',
    q: '7',
  });
});
