import { expect, test } from 'vitest';
import type { Person } from './queries';
import { isLastAdmin, titleOf, roleReason } from './roleReason';

const role = (name: string, by: string) => ({
  id: `${name} ${by}`,
  role: name,
  entity_type: 'tenant',
  entity_id: 't',
  created_at: '2026-09-02T08:00:00',
  created_by: by,
});
const person = (id: string, status: Person['status'], ...roles: Person['user_roles']): Person => ({
  id,
  display_name: `${id} Example`,
  username: `${id}@example.com`,
  status,
  created_at: '2026-09-02T08:00:00',
  user_roles: roles,
});
const ana = person('Ana', 'active', role('tenant_admin', 'Ana'));
const mei = person('Mei', 'suspended', role('tenant_admin', 'Ana'));
const now = new Date('2026-11-20T12:00:00Z');

test('a role says which group or who gave it, and when', () => {
  const [held] = ana.user_roles;
  const everybody = {
    users: [ana],
    cloud_accounts: [],
    user_role_reasons: [
      { user_role_id: 'by a group', by_group: 'platform-admins', granted_at: '2026-11-19T08:00:00Z' },
      { user_role_id: 'new', by_group: null, granted_at: '2026-11-17T08:00:00Z' },
    ],
  };
  const why = (id: string, by: string) => roleReason({ ...role('tenant_admin', by), id }, everybody, now);
  expect([why('by a group', 'Ana'), why('new', 'Ana')]).toEqual([
    'group platform-admins, 19 Nov',
    'role of a new user, 17 Nov',
  ]);
  expect([why('by hand', 'Ana'), why('by hand', 'gone')]).toEqual([
    'given by Ana Example, 2 Sep',
    'given by hand, 2 Sep',
  ]);
  expect(why(held?.id ?? '', 'Ana')).toBe('built in, 2 Sep');
});

test('a role over a part of the tenant names the part', () => {
  const accounts = { cloud_accounts: [{ id: '7', account_name: 'Shop' }] };
  expect(titleOf(role('tenant_admin', 'Ana'), accounts)).toBe('Administrator');
  const part = { ...role('k8s_namespace_admin', 'Ana'), entity_type: 'k8s_namespace', entity_id: '7:shop' };
  expect(titleOf(part, accounts)).toBe('Namespace administrator, namespace shop of Shop');
  const over = { ...role('account_admin', 'Ana'), entity_type: 'account', entity_id: '7' };
  expect(titleOf(over, accounts)).toBe('Account administrator, Shop');
});

test('the last administrator is the only one who can act: suspended ones do not count', () => {
  expect(isLastAdmin(ana, [ana, mei])).toBe(true);
  expect(isLastAdmin(ana, [ana, { ...mei, status: 'active' }])).toBe(false);
  expect(isLastAdmin(mei, [ana, mei])).toBe(false);
});
