import { expect, test } from 'vitest';
import { csv } from '@/shared';
import type { Numeric } from '@/shared';
import { chartExport, tableExport } from './export';
import type { Export } from './export';
import { reportOf } from './report';
import { groupLimit, grouped, joined, named, restOf } from './group';
import type { Group } from './group';
import type { Charge, SpendRow, View } from './load';
import { chargeNodes, childNodes, filtersOf, groupNodes } from './node';
import { colorsOf, running, seriesOf } from './series';
import { matching, totalsOf } from './totals';

const range = { from: '2024-09-01', to: '2024-09-03' };

function group(key: string, value: Numeric | null, before: Numeric | null = null): Group {
  return { key, label: key, exact: null, value, before, count: 1 };
}

function view(groups: Group[], units: (Numeric | null)[], cells: [string, (Numeric | null)[]][] = []): View {
  return {
    ask: { range, before: null, unit: 'day', by: 'service', metric: 'billed', currency: undefined, filters: [] },
    currency: 'USD',
    currencies: ['USD'],
    days: ['2024-09-01', '2024-09-02', '2024-09-03'],
    daysBefore: [],
    now: { units, total: '6.3' },
    before: null,
    groups,
    rest: null,
    cells: new Map(cells),
  };
}

function row(region: string | null, amount: Numeric, count: number): SpendRow {
  return { resource_region: region, spend_amount: amount, spend_count: count } as SpendRow;
}

test('a missing value and an empty one are one group, added exactly', () => {
  const groups = grouped([row(null, '0.1', 2), row('', '0.20000000000000000001', 3)], 'region', 'spend_amount');
  expect(named(groups, 'region', new Map())).toEqual([
    { key: '', label: 'No region', exact: null, value: '0.30000000000000000001', before: null, count: 5 },
  ]);
});

test('groups that have ended stay in the comparison', () => {
  const both = joined([group('new', '5')], [group('gone', '7')]);
  expect(both.map(({ key, value, before }) => [key, value, before])).toEqual([
    ['new', '5', null],
    ['gone', null, '7'],
  ]);
});

test('groups beyond the limit come as one row, so that rows add up', () => {
  const many = Array.from({ length: groupLimit }, (_, i) => group(`g${String(i)}`, '0.1'));
  expect(restOf(many, '100.7', null)?.value).toBe('0.7');
  expect(restOf(many.slice(1), '100.7', null)).toBeNull();
});

test('a path of groups is a chain of filters', () => {
  expect(filtersOf('service', ['EC2', 'a1', ''])).toEqual([
    { field: 'service', values: ['EC2'] },
    { field: 'account', values: ['a1'] },
    { field: 'resource', values: [''] },
  ]);
});

test('the eight largest keep their colour, a smaller one takes a free one when it is selected', () => {
  const groups = Array.from({ length: 10 }, (_, i) => group(`g${String(i + 1)}`, 10 - i));
  expect([...colorsOf(groups, undefined)].at(-1)).toEqual(['g8', 8]);
  expect([...colorsOf(groups, ['g2', 'g9', 'g10'])]).toEqual([
    ['g2', 2],
    ['g9', 1],
    ['g10', 3],
  ]);
});

test('Other is what the drawn groups leave of each total; days without charges are gaps', () => {
  const groups = Array.from({ length: 9 }, (_, i) => group(`g${String(i + 1)}`, 1));
  const cells = groups.map(({ key }): [string, Numeric[]] => [key, ['0.1', '0', '0.1']]);
  const drawn = seriesOf(view(groups, ['1.3', null, '5']), new Map(cells), undefined, false);
  expect(drawn.at(-1)).toMatchObject({ label: 'Other (1 service)', values: ['0.5', null, '4.2'] });
  expect(drawn[0]?.values).toEqual(['0.1', null, '0.1']);
});

const two: View = view(
  [group('a', '6'), group('b', '0.3')],
  ['1', null, '5.3'],
  [
    ['a', ['1', null, '5']],
    ['b', [null, null, '0.3']],
  ],
);

test('only the selected groups are drawn', () => {
  expect(seriesOf(two, two.cells, ['b'], false)).toEqual([
    { id: 'b', label: 'b', color: 2, values: [null, null, '0.3'] },
  ]);
});

test('in a line a day without the group is zero, a day without charges a gap', () => {
  expect(seriesOf(two, two.cells, undefined, true)[1]?.values).toEqual([0, null, '0.3']);
});

test('a running total goes on behind a gap', () => {
  expect(running(['0.1', null, '0.2'])).toEqual(['0.1', null, '0.3']);
});

test('the last row counts the groups, and says when only some are shown', () => {
  const nodes = groupNodes(two.groups, null, []);
  expect(totalsOf(two, nodes, 2)).toEqual({ label: 'Total of 2 services', value: '6.3', before: null });
  expect(totalsOf(two, matching(nodes, 'B'), 2)).toMatchObject({ label: 'Total of 1 of 2 services', value: '0.3' });
});

const columns = [
  { id: 'name', header: 'Service', value: (node: { label: string }) => node.label },
  { id: 'value', header: 'now', kind: 'number' as const, value: (node: { value: Numeric | null }) => node.value },
];

test('the table is exported as it is sorted, with what is open, file, line and every digit', () => {
  const top = groupNodes([group('a', '0.30000000000000000001'), group('b, c', '2')], null, []);
  const parent = top[0];
  if (!parent) throw new Error('no row');
  const charge = {
    id: 'x',
    date: '2024-09-02T13:00:00',
    charge_description: 'Hours',
    amount: '0.30000000000000000001',
    source_line: 12,
    import_file_name: 'bill.csv',
  } as Charge;
  const children = childNodes(parent, [{ ...group('acc', '0.30000000000000000001'), label: 'Main', exact: '0042' }]);
  const below = new Map([
    [parent.id, children],
    [children[0]?.id ?? '', chargeNodes(children[0] ?? parent, [charge], 'billed')],
  ]);
  const file = tableExport(two, top, below, columns, [{ id: 'value', desc: true }]);
  expect(file.says).toBe('4 rows, current filters, 9 columns');
  expect(text(file).split('\r\n')).toEqual([
    'Service,Account,Account ID,Charge,Charge date,File,Line,Billed cost 2024-09-01 to 2024-09-03,Currency',
    '"b, c",,,,,,,2,USD',
    'a,,,,,,,0.30000000000000000001,USD',
    'a,Main,0042,,,,,0.30000000000000000001,USD',
    'a,Main,0042,Hours,2024-09-02 13:00,bill.csv,12,0.30000000000000000001,USD',
    '',
  ]);
});

test('charges that are not listed are one line of the file, so that the lines of a row add up to it', () => {
  const top = groupNodes([{ ...group('a', '0.5'), count: 400 }], null, []);
  const parent = top[0];
  if (!parent) throw new Error('no row');
  const charge = {
    id: 'x',
    date: '2024-09-02',
    charge_description: 'Hours',
    amount: '0.20000000000000000001',
  } as Charge;
  const below = new Map([[parent.id, chargeNodes(parent, [charge], 'billed')]]);
  const rows = text(tableExport(two, top, below, columns, [{ id: 'value', desc: true }])).split('\r\n');
  expect(rows.slice(1, 4)).toEqual([
    'a,,,,,0.5,USD',
    'a,Hours,2024-09-02,,,0.20000000000000000001,USD',
    'a,399 smaller charges are not listed; use a filter or a shorter range to see them,,,,0.29999999999999999999,USD',
  ]);
});

const text = ({ sheet }: Export) =>
  csv(
    sheet.columns.map((column) => column.name),
    sheet.rows,
  );

test('the chart is exported bar by bar', () => {
  const file = chartExport(two, seriesOf(two, two.cells, undefined, false));
  expect(text(file)).toBe(
    'Day,a,b,Sum of the series,Currency\r\n2024-09-01,1,,1,USD\r\n2024-09-02,,,,USD\r\n2024-09-03,5,0.3,5.3,USD\r\n',
  );
});

test('a PDF says when its table has only some rows', () => {
  const top = groupNodes([group('a', '1')], null, []);
  const table = tableExport(two, top, new Map(), columns, []);
  const report = reportOf(table, chartExport(two, []), two, ' a');
  expect(report.notes).toEqual(['The table has only rows named “a”; the chart has all.']);
});

test('a PDF has the table and the chart on screen, with every digit', () => {
  const top = groupNodes([group('a', '0.30000000000000000001')], null, []);
  const table = tableExport(two, top, new Map(), columns, [{ id: 'value', desc: true }]);
  const report = reportOf(table, chartExport(two, seriesOf(two, two.cells, undefined, false)), two);
  expect(report.sections[0]?.table).toEqual({
    columns: [
      { name: 'Service', kind: 'text' },
      { name: 'Billed cost 2024-09-01 to 2024-09-03', kind: 'amount' },
      { name: 'Currency', kind: 'text' },
    ],
    rows: [['a', '0.30000000000000000001', 'USD']],
  });
  expect(report.sections[0]?.chart).toEqual({
    unit: 'USD',
    labels: ['2024-09-01', '2024-09-02', '2024-09-03'],
    series: [
      { name: 'a', values: ['1', '', '5'] },
      { name: 'b', values: ['', '', '0.3'] },
    ],
  });
});
