import { expect, test } from 'vitest';
import { allColumns } from './Earlier';
import type { EarlierImport } from './queries';

const row = (state: string, by: string | null) =>
  ({
    id: state,
    state,
    file_name: 'a.csv',
    rows_written: 1,
    rows_skipped: 0,
    found: true,
    user: by === null ? null : { display_name: by },
  }) as unknown as EarlierImport;

function widthOf(id: string, rows: EarlierImport[]): number {
  const column = allColumns(new Date('2026-11-20T12:00:00Z'), rows).find((one) => one.id === id);
  return column?.width ?? 0;
}

test('columns have the room that their words need, and leave the rest to the names of files', () => {
  const short = [row('done', 'Ana')];
  const long = [...short, row('done_with_skips', 'Local administrator')];
  expect(widthOf('state', short)).toBeLessThan(110);
  expect(widthOf('state', long)).toBe(150);
  expect(widthOf('by', short)).toBeLessThan(60);
  expect(widthOf('by', long)).toBeGreaterThan(140);
});

test('who imported it is named whole, whatever its state', () => {
  const columns = allColumns(new Date('2026-11-20T12:00:00Z'), [row('done_with_skips', 'Local administrator')]);
  const by = columns.find(({ id }) => id === 'by');
  expect(by?.width).toBeGreaterThan(140);
  expect(by?.least).toBeUndefined();
});

test('what undoes an import is in view at 1280 px, however long the words of a row are', () => {
  const rows = [row('done_with_skips', 'Local administrator of everything')];
  const fixed = allColumns(new Date('2026-11-20T12:00:00Z'), rows).reduce(
    (sum, { width = 0, least }) => sum + Math.min(width, least ?? width),
    0,
  );
  // Of the width of the panel at 1280 px, what is left beside the least of a name and the button.
  expect(fixed).toBeLessThanOrEqual(1014 - 240 - 88);
});
