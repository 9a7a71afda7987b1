import { expect, test } from 'vitest';
import { filtersIn } from '../scope';
import { heldIn, readTable } from './table';
import { unitCostsSearch } from './search';
import { indexed, perUnit } from './value';

test('a table of numbers is read in any delimiter, with quotes', () => {
  const table = readTable(
    '\uFEFFName;Date;Group;Value\r\norders;2026-11-01;"web; shop";120\r\n\r\n"us""ers";2026-11-02;;-1.5e3\r\n',
  );
  expect(table?.leftOut).toEqual([]);
  expect(table?.rows).toEqual([
    { line: 2, name: 'orders', group: 'web; shop', date: '2026-11-01', value: '120' },
    { line: 4, name: 'us"ers', group: '', date: '2026-11-02', value: '-1.5e3' },
  ]);
});

test('what is no number, no day or there twice is left out with its line', () => {
  const table = readTable(
    'name,date,value\norders,2026-11-01,"1,200"\norders,1 Nov,5\n,2026-11-01,5\norders,2026-11-01T00:00:00Z,7\norders,2026-11-01,8',
  );
  expect(table?.leftOut.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'value'],
    [3, 'date'],
    [4, 'name'],
    [6, 'twice'],
  ]);
  expect(table?.rows).toHaveLength(1);
  expect(heldIn(table?.rows ?? [])).toEqual([
    { name: 'orders', count: 1, from: '2026-11-01', to: '2026-11-01', groups: 1 },
  ]);
});

test('another table is none of numbers', () => {
  expect(readTable('name,date,value,cost\na,2026-11-01,1,2')).toBeUndefined();
  expect(readTable('name,value\na,1')).toBeUndefined();
  expect(readTable('')).toBeUndefined();
});

test('small costs keep digits, and two kinds of values share a scale', () => {
  expect(perUnit(0.004567, 'USD')).toBe('$0.00457');
  expect(perUnit(12.3, 'USD')).toBe('$12.30');
  expect(perUnit(null, 'USD')).toBe('–');
  expect(indexed([null, 0, 50, 75])).toEqual([null, 0, 100, 150]);
  expect(indexed([null, 0])).toEqual([null, null]);
});

test('an address names a number and charges; what is broken in it is left out', () => {
  const search = {
    name: 'orders',
    group: 'web',
    every: 'day' as const,
    from: '2026-10-01',
    to: '2026-10-31',
    filters: [{ field: 'service', values: ['Amazon EC2'] }],
  };
  expect(unitCostsSearch({ ...search, other: 1 })).toEqual(search);
  expect(unitCostsSearch({ name: '', every: 'week', from: 'x', filters: 'all' })).toEqual({});
  expect(filtersIn([{ field: 'nothing', values: ['a'] }, { field: 'region' }, ...search.filters])).toEqual(
    search.filters,
  );
});
