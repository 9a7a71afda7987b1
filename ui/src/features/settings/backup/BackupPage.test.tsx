import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawForTest } from '../drawForTest';
import { BackupPage } from './BackupPage';
import type { Backups } from './queries';

const open: Backups = {
  backups: [],
  schedule: { every: 'day', at: 120, keep_days: 30, keep_copies: 60 },
  saved_at: null,
  saved_by: null,
  next_at: null,
  folder: '/srv/backups',
  bytes: 0,
  free_bytes: null,
  closes: false,
  closed_by: null,
  troubles: [],
  aside: [],
  confirm: 'Home',
};
const stored: Backups = {
  ...open,
  closes: true,
  closed_by: { kind: 'stored', at: '2024-03-03T08:00:00Z', by: 'ana@example.com' },
};
/** The same as an instance tells it whose version had no such field yet. */
const without = (field: 'closed_by' | 'troubles', of: Backups) =>
  Object.fromEntries(Object.entries(of).filter(([name]) => name !== field)) as unknown as Backups;

let held: Backups = open;
let sent: [string, string, unknown][] = [];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const { method = 'GET', body } = init;
    if (method !== 'GET') {
      sent.push([method, path, body === undefined ? undefined : JSON.parse(body as string)]);
      held = method === 'PUT' ? stored : open;
    }
    if (path.startsWith('/api/backups')) return Promise.resolve(Response.json(held));
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The page over a service that answers that; its switch. */
async function draw(answer: Backups) {
  held = answer;
  drawForTest('/settings/backup', BackupPage);
  return screen.findByRole<HTMLButtonElement>('switch', { name: 'Encrypt automatic backups' });
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a passphrase switches it on once it is long enough and twice the same, and who stored it stands there', async () => {
  const control = await draw(open);
  expect([control.getAttribute('aria-checked'), control.disabled]).toEqual(['false', false]);
  await userEvent.click(control);
  await userEvent.type(screen.getByLabelText('Passphrase'), 'too short');
  await press('Encrypt from now on');
  expect(screen.getByText('It has 9 characters; at least 12 are required.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Passphrase'), ' no more');
  await userEvent.type(screen.getByLabelText('Repeat passphrase'), 'too short no mere');
  await press('Encrypt from now on');
  expect(screen.getByText('The passphrases differ.')).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.clear(screen.getByLabelText('Repeat passphrase'));
  await userEvent.type(screen.getByLabelText('Repeat passphrase'), 'too short no more');
  await press('Encrypt from now on');
  expect(await screen.findByText(/Stored 3 Mar 2024 by ana@example.com/)).toBeTruthy();
  expect(sent).toEqual([['PUT', '/api/backups/passphrase', { passphrase: 'too short no more' }]]);
  expect(control.getAttribute('aria-checked')).toBe('true');
});

test('another passphrase is stored over the one that is there', async () => {
  await draw(stored);
  await press('Change passphrase');
  await userEvent.type(screen.getByLabelText('Passphrase'), 'the one of this year');
  await userEvent.type(screen.getByLabelText('Repeat passphrase'), 'the one of this year');
  await press('Store the new passphrase');
  expect(sent).toEqual([['PUT', '/api/backups/passphrase', { passphrase: 'the one of this year' }]]);
});

test('it is switched off only after saying that backups which are kept stay encrypted', async () => {
  const control = await draw(stored);
  await userEvent.click(control);
  expect(screen.getByText(/Existing backups stay encrypted/)).toBeTruthy();
  expect(sent).toEqual([]);
  await press('Switch it off');
  await vi.waitFor(() => {
    expect(control.getAttribute('aria-checked')).toBe('false');
  });
  expect(sent).toEqual([['DELETE', '/api/backups/passphrase', undefined]]);
});

test('where the file of the setting encrypts them, it is on, and says why it stays so', async () => {
  const control = await draw({ ...open, closes: true, closed_by: { kind: 'file' } });
  expect([control.getAttribute('aria-checked'), control.disabled]).toEqual(['true', true]);
  expect(screen.getByText(/Switched on by the setting backup_passphrase_file/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change passphrase' })).toBeNull();
});

test.each([true, false])(
  'an older instance, which has a file only, shows it as it is and cannot switch it',
  async (closes) => {
    const control = await draw(without('closed_by', { ...open, closes }));
    expect([control.getAttribute('aria-checked'), control.disabled]).toEqual([String(closes), true]);
    expect(screen.getByText(/This instance runs an older version/)).toBeTruthy();
  },
);

test('an older instance that tells no troubles is drawn without any', async () => {
  await draw(without('troubles', open));
  expect(screen.queryByRole('alert')).toBeNull();
});
