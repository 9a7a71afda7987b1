import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ExportButton } from './ExportButton';

const columns = [
  { id: 'name', header: 'Name', value: (row: { name: string }) => row.name },
  { id: 'act', header: 'Act', value: () => null, csv: null },
];

test('rows that the page has not at hand are read for the file, which holds the columns that are exported', async () => {
  const save = vi.fn(() => Promise.resolve());
  const rows = () => Promise.resolve([{ name: 'one' }, { name: '=two' }]);
  render(<ExportButton name="log lines" columns={columns} rows={rows} total={2} save={save} />);
  const button = screen.getByRole('button', { name: 'Export' });
  expect(button.title).toBe('CSV, 2 rows, current filters, 1 columns');
  await userEvent.click(button);
  await waitFor(() => {
    expect(save).toHaveBeenCalledWith('log-lines.csv', "Name\r\none\r\n'=two\r\n", 'text/csv');
  });
});

test('nothing is exported of an empty list', () => {
  render(<ExportButton name="events" columns={columns} rows={[]} save={() => Promise.resolve()} />);
  expect(screen.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', true);
});
