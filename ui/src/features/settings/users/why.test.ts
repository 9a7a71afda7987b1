import { expect, test } from 'vitest';
import type { Person } from './queries';
import { initials, isLastAdmin, titleOf, whyOf } from './why';

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

test('a role says who gave it and when', () => {
  expect(whyOf(role('tenant_admin_readonly', 'Ana'), [ana], now)).toBe('given by Ana Example, 2 Sep');
  expect(whyOf(role('tenant_admin', 'gone'), [ana], now)).toBe('since 2 Sep');
  expect(whyOf(ana.user_roles[0] ?? role('', ''), [ana], now)).toBe('built in, 2 Sep');
});

test('a role over a part of the tenant names the part', () => {
  expect(titleOf(role('tenant_admin', 'Ana'))).toBe('Administrator');
  const part = { ...role('k8s_namespace_admin', 'Ana'), entity_type: 'k8s_namespace', entity_id: '7:shop' };
  expect(titleOf(part)).toBe('Namespace administrator, namespace shop');
});

test('the last administrator is the only one who can act: suspended ones do not count', () => {
  expect(isLastAdmin(ana, [ana, mei])).toBe(true);
  expect(isLastAdmin(ana, [ana, { ...mei, status: 'active' }])).toBe(false);
  expect(isLastAdmin(mei, [ana, mei])).toBe(false);
});

test('initials stand for a picture', () => {
  expect([initials('Ana Example'), initials('reports@example.com')]).toEqual(['AE', 'RE']);
});
