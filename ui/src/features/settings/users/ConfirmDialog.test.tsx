import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '@/shared/toast';
import { AddUser } from './AddUser';
import { ConfirmDialog } from './ConfirmDialog';
import type { Person } from './queries';

const accounts = [
  { id: 'a1', account_name: 'Shop' },
  { id: 'a2', account_name: 'Back office' },
  { id: 'a3', account_name: 'Research' },
];
const role = (type: string, id: string, name: string) => ({
  id: `${type} ${id}`,
  role: name,
  entity_type: type,
  entity_id: id,
  created_at: null,
  created_by: 'ana',
});
const mei: Person = {
  id: 'mei',
  display_name: 'Mei',
  username: 'mei@example.com',
  status: 'active',
  created_at: '2026-09-02T08:00:00',
  user_roles: [role('tenant', 't', 'tenant_admin_readonly'), role('account', 'a1', 'account_admin')],
};
let sent: { name: string; variables: Record<string, unknown> }[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init?: { body?: string }) => {
    if (path === '/api/about') return Promise.resolve(Response.json({ sign_in: {} }));
    const { query = '', variables = {} } = JSON.parse(init?.body ?? '{}') as {
      query?: string;
      variables?: Record<string, unknown>;
    };
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1];
    if (name) sent.push({ name, variables });
    const added = { users_insert_one: { id: 'new', message: '', status: 'success' } };
    return Promise.resolve(Response.json({ data: name === 'SettingsAddUser' ? added : {} }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function draw(dialog: ReactNode) {
  render(<QueryClientProvider client={new QueryClient()}>{dialog}</QueryClientProvider>);
}

const closed = () => undefined;
function Asked() {
  const [isOpen, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      {isOpen && <ConfirmDialog asked="role" person={mei} accounts={accounts} onClose={close} onRemoved={closed} />}
      <Toasts />
    </>
  );
}

const roles = () =>
  sent.filter(({ name }) => /^SettingsSet(Account)?Roles?$/.test(name)).map(({ variables }) => variables);

test('roles over single accounts are given, changed and taken away at once, and all of it can be undone', async () => {
  draw(<Asked />);
  expect(screen.getByRole('button', { name: 'Change roles' }).hasAttribute('disabled')).toBe(true);
  await userEvent.selectOptions(screen.getByLabelText('Role over the whole tenant'), '');
  await userEvent.click(screen.getByRole('button', { name: 'Take away the role over Shop' }));
  await userEvent.selectOptions(screen.getByLabelText('Role over a single account'), 'Research');
  await userEvent.selectOptions(screen.getByLabelText('Another account'), 'Back office');
  await userEvent.selectOptions(screen.getByLabelText('Role over Back office'), 'account_admin');
  await userEvent.click(screen.getByRole('button', { name: 'Change roles' }));
  await waitFor(() => {
    expect(roles()).toEqual([
      {
        id: 'mei',
        role: '',
        accounts: [
          { account_id: 'a1', role: '' },
          { account_id: 'a3', role: 'account_admin_readonly' },
          { account_id: 'a2', role: 'account_admin' },
        ],
      },
    ]);
  });
  await userEvent.click(await screen.findByText('Undo'));
  await waitFor(() => {
    expect(roles()[1]).toEqual({
      id: 'mei',
      role: 'tenant_admin_readonly',
      accounts: [
        { account_id: 'a3', role: '' },
        { account_id: 'a2', role: '' },
        { account_id: 'a1', role: 'account_admin' },
      ],
    });
  });
});

test('a new user may be given single accounts alone', async () => {
  draw(<AddUser taken={[]} accounts={accounts} onClose={closed} />);
  await userEvent.type(screen.getByLabelText('E-mail'), 'lena@example.com');
  await userEvent.type(screen.getByLabelText('First name'), 'Lena');
  await userEvent.selectOptions(screen.getByLabelText('Role over the whole tenant'), '');
  await userEvent.selectOptions(screen.getByLabelText('Role over a single account'), 'Shop');
  await userEvent.click(screen.getByRole('button', { name: 'Add user' }));
  await waitFor(() => {
    expect(roles()).toEqual([
      {
        id: 'new',
        accounts: [{ account_id: 'a1', role: 'account_admin_readonly' }],
      },
    ]);
  });
  expect(sent.find(({ name }) => name === 'SettingsAddUser')?.variables).toEqual({
    user: { username: 'lena@example.com', firstname: 'Lena', lastname: '' },
  });
});
