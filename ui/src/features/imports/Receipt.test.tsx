import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { drawForTest, reportForTest, serviceForTest } from './drawForTest';
import { Report } from './Report';

afterEach(() => {
  vi.unstubAllGlobals();
});

const report = reportForTest({
  state: 'done_with_skips',
  rows_skipped: 1,
  reasons: [{ reason: 'not a number', column: 'BilledCost', count: 1, first_line: 3, last_line: 3, example: 'oops' }],
  column_formats: [{ column: 'BilledCost', format: 'decimal comma', example: '1.234,50', reads_as: '1234.50' }],
  dropped_columns: ['x_Internal', 'x_Other'],
});
const line = { line: 3, text: 'oops,USD', columns: [{ name: 'BilledCost', value: 'oops' }] };

test('a line of the file is shown by its number, or from the reason why it was skipped', async () => {
  const sent = serviceForTest({
    'GET /api/imports/7/lines/3': () => Response.json(line),
    'GET /api/imports/7/lines/12': () => Response.json({ ...line, line: 12, text: 'twelve' }),
  });
  await drawForTest(<Report id="7" report={report} fileKept />);
  await userEvent.click(screen.getByRole('button', { name: 'line 3' }));
  expect(await screen.findByText('oops,USD')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Line of the file'), '12{Enter}');
  expect(await screen.findByText('twelve')).toBeTruthy();
  expect(sent.map(({ to }) => to)).toEqual(['GET /api/imports/7/lines/3', 'GET /api/imports/7/lines/12']);
});

test('a line of bytes that were dropped says so', async () => {
  const message = 'The bytes of this file are no longer kept';
  serviceForTest({ 'GET /api/imports/7/lines/3': () => Response.json({ error: 'dropped', message }, { status: 404 }) });
  await drawForTest(<Report id="7" report={report} fileKept />);
  await userEvent.click(screen.getByRole('button', { name: 'line 3' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});

test('the file is downloaded as it was handed in, and its bytes are deleted after a question', async () => {
  const sent = serviceForTest({ 'DELETE /api/imports/7/file': () => new Response(null, { status: 204 }) });
  await drawForTest(<Report id="7" report={report} fileKept />);
  expect(screen.getByRole('link', { name: 'Download file' }).getAttribute('href')).toBe('/api/imports/7/file');
  await userEvent.click(screen.getByRole('button', { name: 'Delete kept file' }));
  expect(sent).toEqual([]);
  const [, confirm] = screen.getAllByRole('button', { name: 'Delete kept file', hidden: true });
  if (confirm) await userEvent.click(confirm);
  await vi.waitFor(() => {
    expect(sent.map(({ to }) => to)).toEqual(['DELETE /api/imports/7/file']);
  });
});

test('where the bytes are gone, there is nothing to open', async () => {
  serviceForTest({});
  await drawForTest(<Report id="7" report={report} fileKept={false} />);
  expect(screen.getByText('The file itself is no longer stored here.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'line 3' })).toBeNull();
});

test('how columns were read, and columns that were not kept, are named', async () => {
  serviceForTest({});
  await drawForTest(<Report id="7" report={report} fileKept />);
  expect(screen.getByText('1.234,50').closest('tr')?.textContent).toBe('BilledCostdecimal comma1.234,501234.50');
  expect(screen.getByText('x_Internal, x_Other')).toBeTruthy();
});
