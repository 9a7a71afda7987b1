import { readFileSync } from 'node:fs';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sum } from '../decimal';
import { listen } from '../keyboard/keys';
import { ColumnChooser } from './ColumnChooser';
import { compareCells, sortRows } from './column';
import type { Column } from './column';
import { sheetOf } from './sheet';
import { DataTable } from './DataTable';

interface Line {
  id: string;
  cost: string | null;
  parts?: Line[];
}
const rows: Line[] = [
  { id: 'small', cost: '9.00000000000000000001' },
  { id: 'unknown', cost: null },
  { id: 'large', cost: '10', parts: [{ id: 'half', cost: '5' }] },
  { id: 'smallest', cost: '9' },
];
const columns: Column<Line>[] = [
  { id: 'id', header: 'Name', value: (row) => row.id },
  { id: 'cost', header: 'Cost', kind: 'number', value: (row) => row.cost, total: sum(rows.map((row) => row.cost)) },
];
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

let stop: () => void;
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  stop = listen(window);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('numbers are sorted as exact decimals, descending first, and the missing ones stay last', () => {
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" />);
  fireEvent.click(screen.getByRole('button', { name: 'Cost' }));
  expect(shown().slice(0, 4)).toEqual(['large', 'small', 'smallest', 'unknown']);
  expect(screen.getByRole('columnheader', { name: 'Cost' })).toHaveProperty('ariaSort', 'descending');
  fireEvent.click(screen.getByRole('button', { name: 'Cost' }));
  expect(shown().slice(0, 4)).toEqual(['smallest', 'small', 'large', 'unknown']);
});

test('rows are numbered as they stand, whichever way they are sorted', () => {
  const sort = [{ id: 'cost', desc: true }];
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" sort={sort} />);
  const lines = screen.getAllByRole('row').slice(1, 5);
  expect(lines.map((line) => line.ariaRowIndex ?? line.getAttribute('aria-rowindex'))).toEqual(['2', '3', '4', '5']);
});

test('with Shift a second column orders what the first leaves equal', () => {
  const equal = ['b', 'a', 'c'].map((id) => ({ id, cost: '1' }));
  render(<DataTable label="Costs" columns={columns} rows={equal} rowId={(row) => row.id} empty="none" />);
  fireEvent.click(screen.getByRole('button', { name: 'Cost' }));
  fireEvent.click(screen.getByRole('button', { name: 'Name' }), { shiftKey: true });
  expect(shown().slice(0, 3)).toEqual(['a', 'b', 'c']);
  expect(screen.getByRole('columnheader', { name: 'Cost' })).toHaveProperty('ariaSort', 'descending');
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveProperty('ariaSort', 'ascending');
});

test('the totals row stands below the rows', () => {
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" />);
  expect(screen.getAllByRole('row').at(-1)?.textContent).toBe('28.00000000000000000001');
});

test('J and K move along the rows, Enter opens, X selects', () => {
  const open = vi.fn();
  const select = vi.fn();
  render(
    <DataTable
      label="Costs"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      empty="none"
      primary
      onOpen={open}
      selected={new Set()}
      onSelect={select}
    />,
  );
  for (const key of ['j', 'j', 'j', 'k', 'Enter', 'x']) fireEvent.keyDown(window, { key });
  expect(open.mock.calls).toEqual([[rows[1]]]);
  expect(select.mock.calls).toEqual([[new Set(['unknown'])]]);
});

test('Shift X selects from the row that was selected last to this one', () => {
  let selected: ReadonlySet<string> = new Set();
  const table = () => (
    <DataTable
      label="Costs"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      empty="none"
      primary
      selected={selected}
      onSelect={(next) => {
        selected = next;
      }}
    />
  );
  const { rerender } = render(table());
  for (const key of ['j', 'x', 'j', 'j', 'X']) {
    fireEvent.keyDown(window, { key, shiftKey: key === 'X' });
    rerender(table());
  }
  expect([...selected]).toEqual(rows.slice(0, 3).map(({ id }) => id));
});

test('moving to a row takes the focus from the button that had it, so that Enter opens the row', () => {
  const open = vi.fn();
  render(
    <DataTable
      label="Costs"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      empty="none"
      primary
      onOpen={open}
    />,
  );
  const sort = screen.getByRole('button', { name: 'Name' });
  sort.focus();
  expect(fireEvent.keyDown(sort, { key: 'Enter' })).toBe(true);
  fireEvent.keyDown(sort, { key: 'j' });
  fireEvent.keyDown(document.activeElement ?? window, { key: 'Enter' });
  expect(open.mock.calls).toEqual([[rows[0]]]);
});

test('Tab reaches one of the rows that open, arrows go from it to the others, and Enter opens', () => {
  const open = vi.fn();
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" onOpen={open} />);
  const lines = screen.getAllByRole('row').slice(1, 5);
  const stops = () => lines.filter((line) => line.tabIndex === 0);
  expect(stops()).toEqual([lines[0]]);
  lines[0]?.focus();
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'])
    fireEvent.keyDown(document.activeElement ?? window, { key });
  expect(document.activeElement).toBe(lines[1]);
  expect(stops()).toEqual([lines[1]]);
  expect(open.mock.calls).toEqual([[rows[1]]]);
});

test('children open in place', () => {
  function Tree() {
    const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
    return (
      <DataTable
        label="Costs"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        empty="none"
        childrenOf={(row) => row.parts}
        expanded={expanded}
        onExpand={setExpanded}
      />
    );
  }
  render(<Tree />);
  fireEvent.click(screen.getByRole('button', { name: 'Expand' }));
  expect(shown()).toContain('half');
});

test('a box, what opens a row and its cells are all that a row is made of', () => {
  render(
    <DataTable
      label="Costs"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      empty="none"
      selected={new Set(['large'])}
      onSelect={() => undefined}
      childrenOf={(row) => row.parts}
      onExpand={() => undefined}
    />,
  );
  const row = screen.getByText('large').closest('tr');
  const parts = [...(row?.querySelectorAll('*') ?? [])].map(({ tagName }) => tagName.toLowerCase());
  expect(parts.join(' ')).toBe('td label input svg path td button svg path td');
  expect(screen.getAllByRole('checkbox', { name: 'Select row', checked: true })).toHaveLength(1);
});

test('the lines that may be in view come with the page, the rest when that is painted', () => {
  vi.useFakeTimers();
  const many = Array.from({ length: 150 }, (_, i) => ({ id: String(i), cost: '1' }));
  render(<DataTable label="Costs" columns={columns} rows={many} rowId={(row) => row.id} empty="none" />);
  // The last row holds the totals.
  const lines = () => shown().length - 1;
  expect(lines()).toBeLessThan(window.innerHeight / 34);
  act(() => {
    vi.runAllTimers();
  });
  expect(lines()).toBe(150);
});

test('a column that stays while a table scrolls begins to when the page is painted', () => {
  vi.useFakeTimers();
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" />);
  const stays = () => screen.getByRole('table').classList.contains('stays');
  expect(stays()).toBe(false);
  act(() => {
    vi.runAllTimers();
  });
  expect(stays()).toBe(true);
});

test('a table without rows shows what fills it', () => {
  render(<DataTable label="Costs" columns={columns} rows={[]} rowId={(row) => row.id} empty="Import a file" />);
  expect(screen.getByText('Import a file')).toBeTruthy();
});

test('a long list keeps its length and its order while the part in view is read', () => {
  const paged = { of: 'all', total: 215_351, first: 100_000, onView: vi.fn() };
  const table = (at: Line[] | undefined) => (
    <DataTable label="Costs" columns={columns} rows={at} paged={paged} rowId={(row) => row.id} empty="none" fill />
  );
  const { rerender } = render(table([]));
  expect(screen.queryByText('none')).toBeNull();
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('215352');
  rerender(table(rows));
  expect(screen.queryByText('none')).toBeNull();
  // Somebody jumped to where no row is at hand yet.
  rerender(table(undefined));
  const height = [...document.querySelectorAll<HTMLElement>('tbody tr')].reduce(
    (sum, { style }) => sum + (Number.parseFloat(style.height) || 0),
    0,
  );
  expect(height).toBeGreaterThan(200_000 * 34);
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
});

test('what is selected of a long list stays so where its part is not at hand', () => {
  const select = vi.fn();
  const paged = { of: 'all', total: 215_351, first: 100_000, onView: vi.fn() };
  render(
    <DataTable
      label="Costs"
      columns={columns}
      rows={rows.slice(0, 1)}
      paged={paged}
      rowId={(row) => row.id}
      empty="none"
      selected={new Set(['elsewhere', 'further'])}
      onSelect={select}
      bulk={() => 'together'}
    />,
  );
  expect(screen.getByRole('group', { name: 'Selected rows' }).textContent).toMatch(/^2 selected/);
  fireEvent.click(screen.getByLabelText('Select all rows'));
  expect([...(select.mock.calls[0]?.[0] as Set<string>)]).toEqual(['elsewhere', 'further', rows[0]?.id]);
});

test('J begins at the first row in view', () => {
  // The list was rolled by a row: the first one is above it.
  const place = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const rows = [...document.querySelectorAll('[data-row]')];
    return new DOMRect(0, this.matches('thead') ? 0 : 20 + 34 * (rows.indexOf(this) - 1), 100, 34);
  });
  render(<DataTable label="Costs" columns={columns} rows={rows} rowId={(row) => row.id} empty="none" primary />);
  const drawn = [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);
  fireEvent.keyDown(window, { key: 'j' });
  expect(document.querySelector<HTMLElement>('tr.active')?.dataset['row']).toBe(drawn[2]);
  place.mockRestore();
});

test('the export holds every digit, and nothing for a missing value', () => {
  const sheet = sheetOf('sizes', columns, rows.slice(0, 2));
  expect([sheet.name, sheet.columns.map((column) => column.name)]).toEqual(['Sizes', ['Name', 'Cost']]);
  expect(sheet.rows).toEqual([
    ['small', '9.00000000000000000001'],
    ['unknown', null],
  ]);
});

test('rows for an export stand as the table shows them', () => {
  const ids = sortRows(columns, rows, [{ id: 'cost', desc: true }]).map((row) => row.id);
  expect(ids.at(-1)).toBe('unknown');
});

test('columns are chosen and moved, and go back to the usual ones', () => {
  const change = vi.fn();
  const choices = ['a', 'b', 'c'].map((id) => ({ id, header: id.toUpperCase() }));
  render(<ColumnChooser columns={choices} usual={['a', 'b']} value={['b', 'a']} onChange={change} />);
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  fireEvent.click(screen.getByLabelText('C'));
  fireEvent.click(screen.getByRole('button', { name: 'Move A to the left' }));
  fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(change.mock.calls).toEqual([[['b', 'a', 'c']], [['a', 'b']], [undefined]]);
});

test('on paper there are more rows than in view, up to a bound that it names', () => {
  const many = Array.from({ length: 2_345 }, (_, i): Line => ({ id: `line ${String(i)}`, cost: String(i) }));
  render(<DataTable label="Costs" columns={columns.slice(0, 1)} rows={many} rowId={(row) => row.id} empty="none" />);
  expect(screen.queryByText('line 1999')).toBeNull();
  act(() => {
    window.dispatchEvent(new Event('beforeprint'));
  });
  expect(screen.getByText('line 1999')).toBeDefined();
  expect(screen.queryByText('line 2000')).toBeNull();
  expect(screen.getByText(/The first 2,000 of 2,345 rows/)).toBeDefined();
  act(() => {
    window.dispatchEvent(new Event('afterprint'));
  });
  expect(screen.queryByText('line 1999')).toBeNull();
});

test('times of one second are sorted by its parts, however many digits they have', () => {
  const times = ['2026-11-26T14:12:04.92+00:00', '2026-11-26T14:12:04.483561+00:00', '2026-11-26T14:12:04+00:00'];
  expect(times.sort((a, b) => compareCells('text', a, b)).map((time) => time.slice(17, 22))).toEqual([
    '04+00',
    '04.48',
    '04.92',
  ]);
});

test('a list of which only a part is drawn scrolls inside a part of the window, others are as long as their rows', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ id: String(at), cost: null }));
  const table = (lines: Line[]) => (
    <DataTable label="Costs" columns={columns} rows={lines} rowId={(row) => row.id} empty="none" fill />
  );
  const { container, rerender } = render(table(many));
  expect(container.querySelector('.tw')?.classList.contains('long')).toBe(true);
  rerender(table(rows));
  expect(container.querySelector('.tw')?.classList.contains('long')).toBe(false);
  // As long as its rows, all of them would be in view: on a phone, where the page scrolls, every row was read and drawn.
  expect(readFileSync('src/shared/styles/tables.css', 'utf8')).toMatch(/\.tw\.long \{\s*max-height: calc\(100dvh/);
});
