import { expect, test } from 'vitest';
import { fraction, overall, rowsOf, secondsLeft, timeLeft } from './progress';
import type { Work } from './work';

function work(to: Partial<Work>): Work {
  return {
    key: '1',
    id: null,
    batch: 1,
    drop: null,
    name: 'a.csv',
    size: 1000,
    phase: 'queued',
    sent: 0,
    read: null,
    since: 0,
    left: null,
    report: null,
    fileKept: true,
    trouble: null,
    ...to,
  };
}

test('the time left follows from what is done, and is not guessed at the start', () => {
  expect(secondsLeft(250, 1000, 0, 5000)).toBe(15);
  expect(secondsLeft(250, 1000, 0, 1000)).toBeNull();
  expect(secondsLeft(0, 1000, 0, 5000)).toBeNull();
});

test('the time left is worded in the unit that fits', () => {
  expect([null, 0.4, 44.6, 121, 3 * 3600].map(timeLeft)).toEqual([
    '',
    'almost done',
    '45 s left',
    '2 min left',
    '3 h left',
  ]);
});

test('rows are estimated from the part of the file that was read', () => {
  expect(rowsOf(work({ phase: 'running', read: { bytes: 640, rows: 1_204_880 } }))).toBe(
    '1,204,880 of about 1,880,000 rows',
  );
  expect(rowsOf(work({ phase: 'running', read: { bytes: 5, rows: 7 } }))).toBe('7 rows read');
  expect(rowsOf(work({ phase: 'running', read: { bytes: 1000, rows: 1 } }))).toBe('1 row read, being written');
  expect(rowsOf(work({ phase: 'sending', sent: 250 }))).toBe('250 B of 1.0 kB sent');
});

test('an empty file has no part done', () => {
  expect(fraction(work({ phase: 'sending', size: 0 }))).toBe(0);
});

test('the status bar shows one file as its row does', () => {
  expect(overall([work({ phase: 'running', read: { bytes: 250, rows: 3 } })])).toEqual({
    title: 'Importing a.csv',
    done: 0.25,
  });
});

test('the status bar adds several files up and does not jump back when one ends', () => {
  const files = [
    work({ key: '1', phase: 'ended' }),
    work({ key: '2', phase: 'sending', sent: 500 }),
    work({ key: '3', phase: 'queued' }),
  ];
  expect(overall(files)).toEqual({ title: 'Importing 2 files', done: 2500 / 6000 });
  expect(overall([work({ phase: 'ended' }), work({ phase: 'stopped' })])).toBeNull();
});
