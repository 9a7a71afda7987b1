import { expect, test } from 'vitest';
import { report } from './reportForTest';
import {
  amounts,
  daysOf,
  howToFix,
  linesOf,
  outcome,
  periodOf,
  placesOf,
  replacedOf,
  standing,
  writtenOf,
} from './wording';

const refused = (found: string) => report({ state: 'failed', error: { message: '', looked_for: [], found } });

test('what came of a file is one sentence', () => {
  expect(outcome('done', report({ rows_written: 1000 }))).toBe('Imported 1,000 rows');
  expect(outcome('done_with_skips', report({ rows_written: 218_406, rows_skipped: 14 }))).toBe(
    'Imported 218,406 rows, 14 skipped',
  );
  expect(outcome('done_with_skips', report({ rows_skipped: 1 }))).toBe('No row was imported, 1 skipped');
  expect(outcome('unchanged', report({ rows_read: 5 }))).toBe('Already imported, no changes');
  expect(outcome('failed', refused('an empty file'))).toBe('Nothing was imported');
});

test('a file at fault cannot be read; a service at fault failed', () => {
  expect(standing('failed').word).toBe('Cannot read');
  expect(standing('failed', false).word).toBe('Failed');
});

test('the end of a period is not part of it', () => {
  expect(daysOf({ start: '2024-09-01T00:00:00Z', end: '2024-10-01T00:00:00Z' })).toEqual({
    from: '2024-09-01',
    to: '2024-09-30',
  });
  expect(periodOf({ start: '2024-09-01T00:00:00Z', end: '2024-10-01T00:00:00Z' })).toBe('September 2024');
  expect(periodOf({ start: '2026-05-01T10:00:00Z', end: '2026-05-01T10:00:00Z' })).toBe('1 May 2026');
});

test('lines are a range only when every line between them was skipped', () => {
  expect(linesOf({ count: 1, first_line: 151_377, last_line: 151_377 })).toBe('line 151,377');
  expect(linesOf({ count: 2, first_line: 0, last_line: 0, first_place: '$.items[17]' })).toBe('first at $.items[17]');
  expect(linesOf({ count: 9, first_line: 4118, last_line: 4126 })).toBe('lines 4,118 to 4,126');
  expect(linesOf({ count: 2, first_line: 12, last_line: 90_002 })).toBe('between lines 12 and 90,002');
});

test('replaced periods are named by month, or by the day they begin', () => {
  expect(replacedOf({ rows: 5, periods: ['2026-05'] })).toBe('5 rows of May 2026');
  expect(replacedOf({ rows: 1, periods: ['2026-12', '2026-05-16'] })).toBe(
    '1 row of December 2026 and the period from 2026-05-16',
  );
});

test('amounts of several currencies stand side by side and are never added', () => {
  const one = { currency: 'USD', amount: '20.52022672899' };
  expect(amounts([one])).toBe('$20.52');
  expect(amounts([{ currency: 'EUR', amount: '3.1' }, one])).toBe('EUR 3.10, USD 20.52');
  expect(amounts([{ currency: 'EUR', amount: '3.1' }, one, { currency: 'JPY', amount: null }])).toBe(
    'EUR 3.10, USD 20.52 and 1 more',
  );
  expect(amounts([])).toBe('–');
});

test('advice fits what was found', () => {
  expect(howToFix(refused('a Parquet file (export it as CSV)'))).toMatch(/CSV instead of Parquet/);
  for (const found of [
    'gzip data that ends too early',
    'a Parquet file that is cut short (download or copy it again)',
    'a damaged archive',
  ])
    expect(howToFix(refused(found))).toMatch(/Download the file again/);
  expect(howToFix(refused('a PDF document'))).toMatch(/invoice document/);
  expect(howToFix(refused('gzip inside gzip (decompress it once)'))).toMatch(/FOCUS|Unpack/);
  expect(howToFix(refused('a ZIP archive (unpack it and import the files in it)'))).toMatch(/Unpack/);
  expect(howToFix(refused('a CSV with the columns a, b; it lacks BilledCost'))).toMatch(/all columns of the standard/);
  expect(howToFix(refused('a CSV with the columns date, amount'))).toMatch(/Where the files come from/);
  expect(howToFix(refused(''))).toMatch(/Health & about/);
});

test('what a document brought is told by kind', () => {
  expect(writtenOf({ checks_passed: 37, recommendations: 1 })).toBe('37 checks passed, 1 recommendation');
  expect(writtenOf({ insights: 1, namespaces: 1, nodes: 1, pods: 8, workloads: 1 })).toBe(
    '1 insight, 1 namespace, 1 node, 8 pods, 1 workload',
  );
});

test('what a bundle brought leads to its clusters, events and logs', () => {
  expect(placesOf({ pods: 8, events: 5, log_lines: 2 }).map(({ to }) => to)).toEqual([
    '/inventory/kubernetes',
    '/events',
    '/events/logs',
  ]);
  expect(placesOf({ recommendations: 3, pods: 0 })).toEqual([]);
});
