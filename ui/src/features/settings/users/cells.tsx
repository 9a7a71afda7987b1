import { Ban, CircleCheck, CircleDashed } from 'lucide-react';
import { dateTime, initials } from '@/shared';
import type { LinkedAccount } from './linked';
import type { Everybody, Person } from './queries';
import { titleOf, roleReason } from './roleReason';

export function WhoCell({ person }: { person: Person }) {
  return (
    <span className="row who">
      <span className="ava" aria-hidden="true">
        {initials(person.display_name)}
      </span>
      <span className="cut">
        <span className="strong">{person.display_name}</span>
        <span className="small muted block cut">{person.username}</span>
      </span>
    </span>
  );
}

const marks = {
  active: { look: 'st ok plain', Icon: CircleCheck, word: 'Active' },
  inactive: { look: 'st off plain', Icon: CircleDashed, word: 'Inactive' },
  suspended: { look: 'st bad', Icon: Ban, word: 'Suspended' },
} as const;

export function StatusMark({ status }: { status: Person['status'] }) {
  const { look, Icon, word } = marks[status];
  return (
    <span className={look}>
      <Icon className="i" />
      {word}
    </span>
  );
}

/** `last` is the newest sign-in in the trail; unknown does not mean "never". */
export function StatusCell({ person, last, now }: { person: Person; last: string | undefined; now: Date }) {
  return (
    <>
      <StatusMark status={person.status} />
      <span className="small faint num block">
        {last ? `signed in ${dateTime(last, now)}` : person.status === 'inactive' ? 'not signed in yet' : ' '}
      </span>
    </>
  );
}

export function RolesCell({ person, people, now }: { person: Person; people: Everybody; now: Date }) {
  const [first, ...rest] = person.user_roles;
  if (!first) return <span className="faint">No role: sees nothing</span>;
  if (rest.length === 0)
    return (
      <>
        <span className="strong">{titleOf(first, people)}</span>
        <span className="small faint block cut">{roleReason(first, people, now)}</span>
      </>
    );
  return (
    <>
      {person.user_roles.slice(0, 2).map((role) => (
        <span key={role.id} className="block cut">
          <span className="strong">{titleOf(role, people)}</span>{' '}
          <span className="small faint">
            {rest.length > 1 && role === rest[0]
              ? `and ${String(rest.length - 1)} more`
              : roleReason(role, people, now)}
          </span>
        </span>
      ))}
    </>
  );
}

/** The user's account at the identity provider, and the provider. */
export function LinkedCell({ accounts }: { accounts: readonly LinkedAccount[] }) {
  const [first, ...rest] = accounts;
  if (!first) return <span className="faint">none</span>;
  return (
    <span title={accounts.map((one) => `${one.account} at ${one.issuer}`).join('\n')}>
      <span className="block cut">{first.account}</span>
      <span className="small faint block cut">
        {rest.length > 0 ? `and ${String(rest.length)} more` : hostOf(first.issuer)}
      </span>
    </span>
  );
}

/** The machine in an entity id, which need not be an address. */
function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host || issuer;
}
