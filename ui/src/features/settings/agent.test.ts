import { expect, test } from 'vitest';
import { nameOfAgent } from './agent';

test('a browser is named with its system', () => {
  expect(
    nameOfAgent(
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
    ),
  ).toBe('Chromium 148 on Linux');
  expect(
    nameOfAgent(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    ),
  ).toBe('Safari 26 on macOS');
});

test('what is no browser is shown as it came', () => {
  expect([nameOfAgent('curl/8.14.1'), nameOfAgent(null)]).toEqual(['curl/8.14.1', 'Unknown browser']);
});
