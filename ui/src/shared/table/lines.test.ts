import { expect, test } from 'vitest';
import type { Column, Sort } from './column';
import { linesOf, sortAfterPress, sortLines, withChildren } from './lines';

interface Row {
  id: string;
  cost?: string | null;
  parts?: Row[];
}
const name: Column<Row> = { id: 'name', header: 'Name', value: (row) => row.id };
const cost: Column<Row> = { id: 'cost', header: 'Cost', kind: 'number', value: (row) => row.cost };
const columns = [name, cost];
const ids = (lines: readonly { id: string }[]) => lines.map(({ id }) => id).join(' ');
const lines = (rows: Row[]) => linesOf(rows, (row) => row.id);

test('rows that are equal stay as they stood, whichever way they are sorted', () => {
  const rows = lines([{ id: 'b', cost: '1' }, { id: 'a', cost: '1.0' }, { id: 'c', cost: '2' }, { id: 'none' }]);
  expect(ids(sortLines(columns, rows, [{ id: 'cost', desc: false }]))).toBe('b a c none');
  expect(ids(sortLines(columns, rows, [{ id: 'cost', desc: true }]))).toBe('c b a none');
  expect(ids(sortLines(columns, rows, []))).toBe('b a c none');
});

test('a second key orders what the first leaves equal', () => {
  const rows = lines([
    { id: 'b', cost: '1' },
    { id: 'a', cost: '1' },
    { id: 'c', cost: '2' },
  ]);
  const sort = [
    { id: 'cost', desc: true },
    { id: 'name', desc: false },
  ];
  expect(ids(sortLines(columns, rows, sort))).toBe('c a b');
});

test('a column that is not there sorts nothing', () => {
  const rows = lines([{ id: 'b' }, { id: 'a' }]);
  expect(ids(sortLines(columns, rows, [{ id: 'gone', desc: true }]))).toBe('b a');
});

test('children stand below what they belong to, as deep as it is expanded', () => {
  const rows = lines([{ id: 'a', parts: [{ id: 'a1', parts: [{ id: 'a11' }] }, { id: 'a2' }] }, { id: 'b' }]);
  const childrenOf = (line: (typeof rows)[number]) => linesOf(line.row.parts ?? [], (row) => row.id, line.depth + 1);
  const all = withChildren(rows, new Set(['a', 'a1', 'b']), childrenOf);
  expect(ids(all)).toBe('a a1 a11 a2 b');
  expect(all.map(({ depth }) => depth)).toEqual([0, 1, 2, 1, 0]);
  expect(ids(withChildren(rows, new Set(['a1']), childrenOf))).toBe('a b');
  expect(ids(withChildren(rows, undefined, childrenOf))).toBe('a b');
});

const by = (id: string, desc: boolean) => ({ id, desc });

test.each<[string, Column<Row>, boolean, Sort, Sort]>([
  ['a text begins ascending', name, false, [], [by('name', false)]],
  ['a number begins descending', cost, false, [], [by('cost', true)]],
  ['a second press turns it round', cost, false, [by('cost', true)], [by('cost', false)]],
  ['another column takes its place', name, false, [by('cost', true)], [by('name', false)]],
  ['with Shift it is a second key', name, true, [by('cost', true)], [by('cost', true), by('name', false)]],
  ['with Shift alone it is the first', cost, true, [], [by('cost', true)]],
  [
    'with Shift a key is turned round where it stands',
    cost,
    true,
    [by('cost', true), by('name', false)],
    [by('cost', false), by('name', false)],
  ],
  [
    'without it the last key is turned round, too',
    name,
    false,
    [by('cost', true), by('name', false)],
    [by('cost', true), by('name', true)],
  ],
  ['and a key before it becomes the only one', cost, false, [by('cost', true), by('name', false)], [by('cost', false)]],
])('%s', (_, column, adds, before, after) => {
  expect(sortAfterPress(column, before, adds)).toEqual(after);
});
