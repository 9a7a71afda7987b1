import { expect, test } from 'vitest';
import { apart } from './Difference';

test('what differs is marked, at the end, in the middle and at the beginning', () => {
  expect(apart('https://console.example.com', 'https://console.example.com/')).toEqual([
    'https://console.example.com',
    '/',
    '',
  ]);
  expect(apart('https://a.example.com', 'http://a.example.com')).toEqual(['http', '', '://a.example.com']);
  expect(apart('console', 'xconsole')).toEqual(['', 'x', 'console']);
});

test('values without anything in common are not marked letter by letter', () => {
  expect(apart('https://console.example.com', 'urn:something:else')).toEqual(['urn:something:else', '', '']);
});
