import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ExportButton } from './ExportButton';

afterEach(cleanup);

const columns = [
  { id: 'name', header: 'Name', value: (row: { name: string }) => row.name },
  { id: 'act', header: 'Act', value: () => null, csv: null },
];

async function choose(format: 'CSV' | 'XLSX', save: (file: string, content: unknown, type: string) => Promise<void>) {
  const rows = () => Promise.resolve([{ name: 'one' }, { name: '=two' }]);
  render(<ExportButton name="log lines" columns={columns} rows={rows} total={2} save={save} />);
  const button = screen.getByRole('button', { name: 'Export' });
  expect(button.title).toBe('2 rows, current filters, 1 column');
  await userEvent.click(button);
  await userEvent.click(screen.getByRole('menuitem', { name: new RegExp(`^${format}`) }));
}

test('rows that the page has not at hand are read for the file, which holds the columns that are exported', async () => {
  const save = vi.fn(() => Promise.resolve());
  await choose('CSV', save);
  await waitFor(() => {
    expect(save).toHaveBeenCalledWith('log-lines.csv', "\ufeffName\r\none\r\n'=two\r\n", 'text/csv;charset=utf-8');
  });
});

test('the same rows are a workbook', async () => {
  const save = vi.fn<(file: string, content: unknown, type: string) => Promise<void>>(() => Promise.resolve());
  await choose('XLSX', save);
  await waitFor(() => {
    expect(save).toHaveBeenCalled();
  });
  const [file, content, type] = save.mock.calls[0] ?? [];
  expect([file, type]).toEqual(['log-lines.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']);
  expect(new TextDecoder().decode(content as Uint8Array)).toContain('=two');
});

test('nothing is exported of an empty list', () => {
  render(<ExportButton name="events" columns={columns} rows={[]} save={() => Promise.resolve()} />);
  expect(screen.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', true);
});
