import type { LinkedAccount } from './linked';
import type { Everybody, Person } from './queries';
import { titleOf, roleReason } from './roleReason';

type Line = readonly (string | undefined)[];

const head = ['Name', 'E-mail', 'Status', 'User since', 'Last sign-in', 'Roles', 'Why', 'Linked accounts'];
export const columnCount = head.length;

/** The people as lines of a file; the first names the columns. */
export function lines(
  rows: readonly Person[],
  people: Everybody,
  seen: ReadonlyMap<string, string>,
  accounts: ReadonlyMap<string, LinkedAccount[]>,
  now: Date,
): [string[], ...Line[]] {
  const of = (person: Person) => [
    person.display_name,
    person.username,
    person.status,
    person.created_at,
    seen.get(person.username.toLowerCase()),
    person.user_roles.map((role) => titleOf(role, people)).join('; '),
    person.user_roles.map((role) => roleReason(role, people, now)).join('; '),
    accounts
      .get(person.id)
      ?.map((one) => `${one.account} at ${one.issuer}`)
      .join('; '),
  ];
  return [head, ...rows.map(of)];
}
