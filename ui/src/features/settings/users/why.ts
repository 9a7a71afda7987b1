import { date } from '@/shared';
import { roleName } from '../roles';
import type { Person } from './queries';

export type HeldRole = Person['user_roles'][number];

/** Why somebody holds a role: "given by Ana, 2 Sep". `people` are those of the tenant; who is none of them is not named. */
export function whyOf(role: HeldRole, people: readonly Person[], now: Date): string {
  const giver = people.find((person) => person.id === role.created_by);
  const when = role.created_at ? date(role.created_at, now) : null;
  // Whoever made this instance gave themselves what they have.
  const own = giver?.user_roles.some((held) => held.id === role.id) ?? false;
  if (giver && !own) return `given by ${giver.display_name}${when ? `, ${when}` : ''}`;
  if (own) return when ? `built in, ${when}` : 'built in';
  return when ? `since ${when}` : 'from the beginning';
}

/** "Administrator", or with the place when it is over a part of the tenant only. */
export function titleOf(role: HeldRole): string {
  return role.entity_type === 'tenant' ? roleName(role.role) : `${roleName(role.role)}, ${placeOf(role)}`;
}

function placeOf(role: HeldRole): string {
  const namespace = role.entity_id.split(':')[1];
  return namespace ? `namespace ${namespace}` : 'one account';
}

/** The initials shown in place of a picture. */
export function initials(name: string): string {
  return name
    .split(/[\s@._-]+/)
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase();
}

/** Whether this is the only active administrator: then nothing may take that away. */
export function isLastAdmin(person: Person, people: readonly Person[]): boolean {
  const isAdmin = (one: Person) =>
    one.status === 'active' &&
    one.user_roles.some((role) => role.role === 'tenant_admin' && role.entity_type === 'tenant');
  return isAdmin(person) && people.filter(isAdmin).length === 1;
}
