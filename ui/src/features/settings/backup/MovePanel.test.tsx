import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { MovePanel } from './MovePanel';
import type { MovePreview } from './queries';

const empty: MovePreview = {
  place: 'postgres://ada@db:5432/q',
  server_version: '15.18',
  target: 'empty',
  problems: [],
  tables: [
    { table: 'spends', rows: 1200 },
    { table: 'users', rows: 3 },
  ],
  bytes: 2048,
  data_dir: "/srv/Ada's data",
};

let held: MovePreview = empty;
let sent: [string, unknown][] = [];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    if (path !== '/api/database/preview-move') return new Promise(() => undefined);
    sent.push([path, JSON.parse(init.body as string)]);
    return Promise.resolve(Response.json(held));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function preview(answer: MovePreview, address: string) {
  held = answer;
  drawForTest('/settings/backup', MovePanel);
  await userEvent.type(await screen.findByLabelText('Address of a new database'), address);
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
}

test('what is no address of PostgreSQL is refused before anything is sent', async () => {
  await preview(empty, 'mysql://db/q');
  expect(screen.getByText(/Enter postgres:/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('an empty database is told with the rows and the command, which has no password', async () => {
  await preview(empty, 'postgres://ada:s3cret@db:5432/q?sslmode=require');
  expect(await screen.findByText(/1,203 rows of 2 tables/)).toBeTruthy();
  expect(screen.getByText('1,200')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Command that moves the rows').value).toBe(
    "QUARTERDECK_DATABASE='postgres://ada@db:5432/q?sslmode=require' quarterdeck-server migrate --from '/srv/Ada'\\''s data'",
  );
  expect(sent).toEqual([
    ['/api/database/preview-move', { address: 'postgres://ada:s3cret@db:5432/q?sslmode=require' }],
  ]);
});

test('a database that cannot be used says why and has no command', async () => {
  await preview(
    { ...empty, target: 'foreign', problems: ['The database holds tables of another program.'] },
    'postgres://db/q',
  );
  expect(await screen.findByText('The database holds tables of another program.')).toBeTruthy();
  expect(screen.queryByLabelText('Command that moves the rows')).toBeNull();
});
