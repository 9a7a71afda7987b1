import { expect, test } from 'vitest';
import type { Download } from './types';
import { modelOfFile, ofWhole, percent, problemOfHash, shortHash, stateOf } from './wording';

const download: Download = {
  name: 'svc-llm',
  state: 'failed',
  size_bytes: 100,
  bytes: 50,
  again_bytes: 0,
  hashed_bytes: 0,
  rate: 0,
  seconds_left: null,
  can_resume: true,
  kept_bytes: 50,
  trouble: null,
  failure: null,
  notices: [],
  started_at: '',
  updated_at: '',
};

test('both sizes are in the unit of the whole', () => {
  expect(ofWhole(26_940_000_000, 43_400_000_000)).toBe('26.9 of 43.4 GB');
  expect(ofWhole(0, 950)).toBe('0.0 of 950 B');
  expect(ofWhole(2_000_000_001, 2_000_000_000)).toBe('2.0 of 2.0 GB');
});

test('a failure that kept something is an interruption', () => {
  expect(stateOf(download).word).toBe('Interrupted');
  expect(stateOf({ ...download, kept_bytes: 0 }).word).toBe('Failed');
});

test('percent stays at 99 until everything is there', () => {
  expect(percent(999, 1000)).toBe(99);
  expect(percent(1000, 1000)).toBe(100);
  expect(percent(5, null)).toBe(0);
});

test('a hash is shown by its ends, a file by its model', () => {
  expect(shortHash('9b41d07e52c86fa3aaaaaaaaaaaaaaaa17ae03f5')).toBe('9b41 d07e 52c8 6fa3 … 17ae 03f5');
  expect(modelOfFile('svc-slm.gguf')).toBe('svc-slm');
});

test('what is no SHA-256 is told by what is wrong with it', () => {
  expect(problemOfHash('')).toBeUndefined();
  expect(problemOfHash(` ${'aB'.repeat(32)} `)).toBeUndefined();
  expect(problemOfHash('zz')).toBe('A SHA-256 has 64 digits from 0 to 9 and a to f; found “z”');
  expect(problemOfHash('ab')).toBe('This has 2 digits. A SHA-256 has 64');
});
