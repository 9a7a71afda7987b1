import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '@/shared/toast';
import { accountRolesOf } from './accountRoles';
import { AddUser } from './AddUser';
import { ConfirmDialog } from './ConfirmDialog';
import type { Person } from './queries';

const accounts = [
  { id: 'a1', account_name: 'Shop' },
  { id: 'a2', account_name: 'Back office' },
  { id: 'a3', account_name: 'Research' },
];
const namespaces = {
  k8s_namespaces: [
    { cloud_account_id: 'a1', name: 'checkout' },
    { cloud_account_id: 'a1', name: 'payments' },
  ],
};
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
    if (name === 'SettingsNamespaces') return Promise.resolve(Response.json({ data: namespaces }));
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

/** What was asked for, without what was left out by its condition. */
const roles = () =>
  sent.flatMap(({ name, variables }) => {
    if (name !== 'SettingsSetRoles') return [];
    const parts = { ofTenant: 'role', ofAccounts: 'accounts', ofNamespaces: 'namespaces' };
    const wanted = Object.entries(parts).flatMap(([of, part]) => (variables[of] === true ? [part] : []));
    return [Object.fromEntries(['id', ...wanted].map((part) => [part, variables[part]]))];
  });

test('roles over single accounts are given, changed and taken away at once, and all of it can be undone', async () => {
  draw(<Asked />);
  expect(screen.getByRole('button', { name: 'Change roles' }).hasAttribute('disabled')).toBe(true);
  await userEvent.selectOptions(screen.getByLabelText('Role for the whole tenant'), '');
  await userEvent.click(screen.getByRole('button', { name: 'Remove the role for Shop' }));
  await userEvent.selectOptions(screen.getByLabelText('Role for a single account'), 'Research');
  await userEvent.selectOptions(screen.getByLabelText('Another account'), 'Back office');
  await userEvent.selectOptions(screen.getByLabelText('Role for Back office'), 'account_admin');
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
  await userEvent.selectOptions(screen.getByLabelText('Role for the whole tenant'), '');
  await userEvent.selectOptions(screen.getByLabelText('Role for a single account'), 'Shop');
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

test('a role over a single namespace is given and taken away, and can be undone', async () => {
  draw(<Asked />);
  await userEvent.selectOptions(await screen.findByLabelText('Role for a single namespace'), 'payments');
  await userEvent.selectOptions(screen.getByLabelText('Role for namespace payments of Shop'), 'k8s_namespace_admin');
  await userEvent.click(screen.getByRole('button', { name: 'Change roles' }));
  const wanted = (role: string) => ({ id: 'mei', namespaces: [{ account_id: 'a1', namespace: 'payments', role }] });
  await waitFor(() => {
    expect(roles()).toEqual([wanted('k8s_namespace_admin')]);
  });
  await userEvent.click(await screen.findByText('Undo'));
  await waitFor(() => {
    expect(roles()[1]).toEqual(wanted(''));
  });
});

test('a role over a namespace that somebody holds stands in the list', () => {
  const held = [...mei.user_roles, role('k8s_namespace', 'a1:checkout', 'k8s_namespace_admin_readonly')];
  expect(accountRolesOf({ user_roles: held }).get('a1:checkout')).toBe('k8s_namespace_admin_readonly');
});
