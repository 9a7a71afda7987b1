import { expect, test } from 'vitest';
import { lines } from './export';
import { byUser } from './linked';
import type { Person } from './queries';

const mei: Person = {
  id: 'mei',
  display_name: 'Mei Example',
  username: 'Mei@example.com',
  status: 'active',
  created_at: '2026-09-02T08:00:00',
  user_roles: [
    {
      id: 'r',
      role: 'tenant_admin',
      entity_type: 'tenant',
      entity_id: 't',
      created_at: '2026-09-02T08:00:00',
      created_by: 'x',
    },
  ],
};

test('a line has who somebody is, what they may do and why, and their accounts', () => {
  const people = {
    users: [mei],
    cloud_accounts: [],
    user_role_reasons: [{ user_role_id: 'r', by_group: 'platform-admins', granted_at: '2026-11-19T08:00:00Z' }],
  };
  const account = { user: 'mei', issuer: 'https://sso.example.com', linked_at: null, used_at: null };
  const accounts = byUser([
    { ...account, account: 'mei@example.com' },
    { ...account, account: '4711' },
  ]);
  const seen = new Map([['mei@example.com', '2026-11-20T06:38:00Z']]);
  const [head, line] = lines([mei], people, seen, accounts, new Date('2026-11-20T12:00:00Z'));
  expect(head).toHaveLength(line?.length ?? 0);
  expect(line).toEqual([
    'Mei Example',
    'Mei@example.com',
    'active',
    '2026-09-02T08:00:00',
    '2026-11-20T06:38:00Z',
    'Administrator',
    'group platform-admins, 19 Nov',
    'mei@example.com at https://sso.example.com; 4711 at https://sso.example.com',
  ]);
});
