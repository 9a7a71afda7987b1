import { dateOf } from '@/shared';
import { roleName } from '../roles';
import type { Everybody, Person } from './queries';

export type HeldRole = Person['user_roles'][number];

/** Why a user has a role: "group platform-admins, 19 Nov", "given by Ana, 2 Sep". Users outside the tenant are not named. */
export function roleReason(role: HeldRole, { users, user_role_reasons: reasons }: Everybody, now: Date): string {
  const reason = reasons.find((one) => one.user_role_id === role.id);
  if (reason) {
    const what = reason.by_group === null ? 'role of a new user' : `group ${reason.by_group}`;
    return `${what}, ${dateOf(reason.granted_at, now)}`;
  }
  const when = role.created_at ? `, ${dateOf(role.created_at, now)}` : '';
  const giver = users.find((person) => person.id === role.created_by);
  // The creator of the instance gave the role to themselves.
  if (giver?.user_roles.some((held) => held.id === role.id)) return `built in${when}`;
  return giver ? `given by ${giver.display_name}${when}` : `given by hand${when}`;
}

/** "Administrator", or with the place when it is over a part of the tenant only. */
export function titleOf(role: HeldRole, { cloud_accounts: accounts }: Pick<Everybody, 'cloud_accounts'>): string {
  if (role.entity_type === 'tenant') return roleName(role.role);
  const [id, namespace] = role.entity_id.split(':');
  const account = accounts.find((one) => one.id === id)?.account_name ?? 'a removed account';
  return `${roleName(role.role)}, ${namespace ? `namespace ${namespace} of ${account}` : account}`;
}

/** Whether this is the only active administrator, whose role must not be removed. */
export function isLastAdmin(person: Person, people: readonly Person[]): boolean {
  const isAdmin = (one: Person) =>
    one.status === 'active' &&
    one.user_roles.some((role) => role.role === 'tenant_admin' && role.entity_type === 'tenant');
  return isAdmin(person) && people.filter(isAdmin).length === 1;
}
