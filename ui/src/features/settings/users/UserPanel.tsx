import { Ban, LogOut, Trash2, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, Content, Menu, SidePanel, dateOf, dateTime, initials, plural, useNow } from '@/shared';
import { linesOf, useSecurityLog } from '../log';
import { nameOfAgent } from '../agent';
import { useEndSession, useSessions } from '../sessions';
import { Tabs } from '../Tabs';
import { Trail } from '../Trail';
import { StatusMark } from './cells';
import { ConfirmDialog } from './ConfirmDialog';
import type { UserAction } from './ConfirmDialog';
import type { LinkedAccount } from './linked';
import type { Everybody, Person } from './queries';
import { isLastAdmin, titleOf, roleReason } from './roleReason';

/** One user: roles with reasons, audit trail, sessions and actions. */
export function UserPanel({
  person,
  people,
  accounts,
  isAdmin,
  isSelf,
  onClose,
  onPrevious,
  onNext,
}: {
  person: Person;
  people: Everybody;
  accounts: readonly LinkedAccount[];
  isAdmin: boolean;
  isSelf: boolean;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const now = useNow();
  const [tab, setTab] = useState<'access' | 'audit' | 'sessions'>('access');
  const [asked, setAsked] = useState<UserAction | null>(null);
  const log = useSecurityLog(500, isAdmin);
  const sessions = useSessions(true, isAdmin);
  const mine = sessions.data?.filter((session) => session.user?.id === person.id);
  const lines = log.data && linesOf(log.data, person.username);
  const end = useEndSession();
  const whyNot = useWhyNot();
  const away = whyNot({ fields: ['users_update_status', 'auth_account_user_roles_upsert_one', 'users_delete_one'] });
  const no =
    away ??
    (!isAdmin
      ? 'Your role is read-only'
      : isSelf
        ? 'Another administrator must do this for you'
        : isLastAdmin(person, people.users)
          ? 'The last administrator of the tenant'
          : undefined);
  return (
    <SidePanel
      label="User"
      width="slim"
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      head={
        <>
          <span className="row">
            <StatusMark status={person.status} />
            <span className="small muted">user since {dateOf(person.created_at, now)}</span>
          </span>
          <div className="row who userhead">
            <span className="ava" aria-hidden="true">
              {initials(person.display_name)}
            </span>
            <div>
              <h2 className="ttl">{person.display_name}</h2>
              <div className="muted">{person.username}</div>
            </div>
          </div>
        </>
      }
      tabs={
        <Tabs
          label="About this user"
          value={tab}
          options={[
            { value: 'access', label: 'Access' },
            ...(isAdmin
              ? [
                  { value: 'audit' as const, label: 'Audit', count: lines?.length },
                  { value: 'sessions' as const, label: 'Sessions', count: mine?.length },
                ]
              : []),
          ]}
          onChange={setTab}
        />
      }
      actions={
        <>
          <Button
            reason={no}
            onClick={() => {
              setAsked('role');
            }}
          >
            <UserCheck className="i" />
            Change roles
          </Button>
          {person.status === 'suspended' ? (
            <Button
              reason={no}
              onClick={() => {
                setAsked('reactivate');
              }}
            >
              Reactivate
            </Button>
          ) : (
            <Button
              kind="destructive"
              reason={no}
              onClick={() => {
                setAsked('suspend');
              }}
            >
              <Ban className="i" />
              Suspend…
            </Button>
          )}
          <Menu
            label="More actions"
            trigger={<Button kind="quiet">More</Button>}
            entries={[
              {
                label: 'Sign out everywhere',
                detail: mine ? `${plural(mine.length, 'session')}` : '',
                icon: LogOut,
                disabled:
                  away ?? (!isAdmin ? 'Your role is read-only' : mine?.length ? undefined : 'Not signed in anywhere'),
                run: () => {
                  for (const session of mine ?? []) end.mutate(session);
                },
              },
              {
                label: 'Remove from the tenant…',
                icon: Trash2,
                apart: true,
                disabled: no,
                run: () => {
                  setAsked('remove');
                },
              },
            ]}
          />
        </>
      }
    >
      {tab === 'access' && (
        <>
          <section className="sec">
            <h3>Roles now</h3>
            {person.user_roles.length === 0 && <p className="muted">No role: signs in and sees nothing.</p>}
            {person.user_roles.length > 0 && (
              <div className="panel">
                {person.user_roles.map((role) => (
                  <div key={role.id} className="li">
                    <div className="grow">
                      <span className="strong">{titleOf(role, people)}</span>{' '}
                      <span className="mono faint">{role.role}</span>
                      <div className="small muted">{roleReason(role, people, now)}</div>
                    </div>
                  </div>
                ))}
              </div>
            )}
          </section>
          {isAdmin && <Accounts accounts={accounts} now={now} />}
        </>
      )}
      {tab === 'audit' && (
        <Content of={{ ...log, data: lines }} what="The audit trail could not be read">
          {(found) => (found.length === 0 ? <p className="muted">Nothing yet.</p> : <Trail lines={found} />)}
        </Content>
      )}
      {tab === 'sessions' && (
        <Content of={{ ...sessions, data: mine }} what="Sessions could not be read">
          {(found) => (
            <div className="panel">
              {found.length === 0 && <p className="li muted">Not signed in anywhere.</p>}
              {found.map((session) => (
                <div key={session.id} className="li">
                  <div className="grow">
                    <span className="strong">{nameOfAgent(session.agent)}</span>
                    <div className="small muted">
                      Signed in {dateTime(session.created_at, now)}, last seen {dateTime(session.seen_at, now)}
                    </div>
                  </div>
                  <Button
                    size="small"
                    onClick={() => {
                      end.mutate(session);
                    }}
                  >
                    End
                  </Button>
                </div>
              ))}
            </div>
          )}
        </Content>
      )}
      {asked && (
        <ConfirmDialog
          asked={asked}
          person={person}
          accounts={people.cloud_accounts}
          onClose={() => {
            setAsked(null);
          }}
          onRemoved={onClose}
        />
      )}
    </SidePanel>
  );
}

function Accounts({ accounts, now }: { accounts: readonly LinkedAccount[]; now: Date }) {
  return (
    <section className="sec">
      <h3>Linked accounts</h3>
      {accounts.length === 0 && (
        <p className="muted">None. The account with this e-mail is linked at the first single sign-on.</p>
      )}
      {accounts.length > 0 && (
        <div className="panel">
          {accounts.map((one) => (
            <div key={`${one.issuer} ${one.account}`} className="li">
              <div className="grow">
                <span className="strong">{one.account}</span>
                <div className="small muted mono">{one.issuer}</div>
                <div className="small muted">
                  {one.linked_at && `Linked ${dateOf(one.linked_at, now)}`}
                  {one.used_at && `, last used ${dateTime(one.used_at, now)}`}
                </div>
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
