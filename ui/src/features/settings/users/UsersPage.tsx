import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useGraphQL, useWhyNot, useSession } from '@/api';
import { Button, DataTable, Empty, SearchBox, Segmented, Select, count, plural, useNow } from '@/shared';
import type { Column } from '@/shared';
import { useSecurityLog } from '../log';
import { roleName, tenantRoles } from '../roles';
import { SettingsPage } from '../SettingsPage';
import { Tabs } from '../Tabs';
import type { UsersSearch } from '../search';
import { AddUser } from './AddUser';
import { AuditTab } from './AuditTab';
import { ExportUsers } from './ExportUsers';
import { lastSignIns } from './lastSignIns';
import { byUser, useLinkedAccounts } from './linked';
import type { LinkedAccount } from './linked';
import { People } from './queries';
import type { Everybody, Person } from './queries';
import { LinkedCell, RolesCell, StatusCell, WhoCell } from './cells';
import { UserPanel } from './UserPanel';

/** The users page: users with roles and reasons, and the audit trail. */
export function UsersPage() {
  const search = useSearch({ from: '/settings/users' });
  const navigate = useNavigate({ from: '/settings/users' });
  const session = useSession().data;
  const isAdmin = session?.roles.includes('tenant_admin') ?? false;
  const people = useGraphQL(People, {});
  const whyNot = useWhyNot();
  const [adding, setAdding] = useState(false);
  const now = useNow();
  const log = useSecurityLog(500, isAdmin).data;
  const seen = useMemo(() => lastSignIns(log ?? []), [log]);
  const linked = useLinkedAccounts(isAdmin).data;
  const accounts = useMemo(() => byUser(linked ?? []), [linked]);
  const all = people.data?.users;
  const open = all?.find((person) => person.id === search.id);
  const go = (changes: Partial<Record<keyof UsersSearch, string | undefined>>) => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined),
    );
    void navigate({ search: next as UsersSearch, replace: true });
  };
  const rows = all?.filter((person) => isWanted(person, search));
  const step = (by: number) => {
    const at = rows?.findIndex((person) => person.id === search.id) ?? -1;
    const next = rows?.[at + by];
    return next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  return (
    <SettingsPage
      title="Users & roles"
      plain
      actions={
        <>
          {rows && people.data && search.tab === undefined && (
            <ExportUsers rows={rows} people={people.data} seen={seen} accounts={accounts} now={now} />
          )}
          <Button
            kind="primary"
            reason={
              whyNot({ fields: ['users_insert_one'] }) ??
              (isAdmin ? undefined : 'Administrators add users; your role is read-only')
            }
            onClick={() => {
              setAdding(true);
            }}
          >
            <UserPlus className="i" />
            Add user
          </Button>
        </>
      }
      side={
        open &&
        people.data &&
        search.tab === undefined && (
          <UserPanel
            key={open.id}
            person={open}
            people={people.data}
            accounts={accounts.get(open.id) ?? []}
            isAdmin={isAdmin}
            isSelf={open.username === session?.email}
            onClose={() => {
              go({ id: undefined });
            }}
            onPrevious={step(-1)}
            onNext={step(1)}
          />
        )
      }
    >
      <Tabs
        label="Users & roles"
        value={search.tab ?? 'users'}
        options={[
          { value: 'users', label: 'Users', count: all?.length },
          { value: 'audit', label: 'Audit trail' },
        ]}
        onChange={(tab) => {
          void navigate({ search: tab === 'audit' ? { tab } : {}, replace: true });
        }}
      />
      <div className="settable" role="tabpanel" aria-label={search.tab === 'audit' ? 'Audit trail' : 'Users'}>
        {search.tab === 'audit' ? (
          <AuditTab />
        ) : (
          <>
            <div className="bar">
              <Segmented
                label="Status"
                value={search.status ?? 'all'}
                options={[
                  { value: 'all', label: 'All', count: all ? count(all.length) : '' },
                  { value: 'suspended', label: 'Suspended', count: tally(all, 'suspended') },
                  { value: 'inactive', label: 'Inactive', count: tally(all, 'inactive') },
                ]}
                onChange={(status) => {
                  go({ status: status === 'all' ? undefined : status, id: undefined });
                }}
              />
              <Select
                label="Role"
                value={search.role ?? 'all'}
                options={[
                  { value: 'all', label: 'All' },
                  ...tenantRoles.map((role) => ({ value: role as string, label: roleName(role) })),
                ]}
                onChange={(role) => {
                  go({ role: role === 'all' ? undefined : role, id: undefined });
                }}
              />
              <span className="end-bar">
                <SearchBox
                  label="Filter users"
                  value={search.q ?? ''}
                  onChange={(q) => {
                    go({ q: q || undefined });
                  }}
                />
              </span>
            </div>
            <UserTable
              rows={rows}
              all={people.data}
              error={people.error}
              retry={people.refetch}
              openId={search.id ?? null}
              seen={seen}
              accounts={linked && accounts}
              now={now}
              onOpen={(person) => {
                go({ id: person.id });
              }}
            />
            {all && rows && <Summary all={all} shown={rows.length} />}
          </>
        )}
      </div>
      {adding && (
        <AddUser
          taken={(all ?? []).map((person) => person.username)}
          accounts={people.data?.cloud_accounts ?? []}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </SettingsPage>
  );
}

function isWanted(person: Person, search: UsersSearch): boolean {
  const text = `${person.display_name} ${person.username}`.toLowerCase();
  return (
    (!search.status || person.status === search.status) &&
    (!search.role || person.user_roles.some((role) => role.role === search.role)) &&
    (!search.q || text.includes(search.q.toLowerCase()))
  );
}

function tally(people: readonly Person[] | undefined, status: Person['status']): string {
  return people ? count(people.filter((person) => person.status === status).length) : '';
}

function Summary({ all, shown }: { all: readonly Person[]; shown: number }) {
  const admins = all.filter((person) => person.user_roles.some((role) => role.role === 'tenant_admin')).length;
  return (
    <p className="small muted summary">
      {shown < all.length && `${count(shown)} of ${plural(all.length, 'user')} shown. `}
      {tally(all, 'active')} active, {tally(all, 'inactive')} inactive, {tally(all, 'suspended')} suspended.{' '}
      {plural(admins, 'administrator')}.
    </p>
  );
}

function UserTable({
  rows,
  all,
  error,
  retry,
  openId,
  seen,
  accounts,
  now,
  onOpen,
}: {
  rows: Person[] | undefined;
  all: Everybody | undefined;
  error: Error | null;
  retry: () => unknown;
  openId: string | null;
  seen: ReadonlyMap<string, string>;
  /** Undefined unless the user is an administrator. */
  accounts: ReadonlyMap<string, LinkedAccount[]> | undefined;
  now: Date;
  onOpen: (person: Person) => void;
}) {
  const columns: Column<Person>[] = [
    { id: 'user', header: 'User', value: (row) => row.display_name, cell: (row) => <WhoCell person={row} /> },
    {
      id: 'status',
      header: 'Status, last sign-in',
      value: (row) => row.status,
      width: 180,
      least: 132,
      cell: (row) => <StatusCell person={row} last={seen.get(row.username.toLowerCase())} now={now} />,
    },
    {
      id: 'roles',
      header: 'Roles and why',
      value: (row) => row.user_roles[0]?.role,
      width: 260,
      least: 150,
      cell: (row) => all && <RolesCell person={row} people={all} now={now} />,
    },
  ];
  // Next to an open user three columns fit; the panel shows the accounts.
  if (accounts && openId === null)
    columns.push({
      id: 'linked',
      header: 'Linked account',
      value: (row) => accounts.get(row.id)?.[0]?.account,
      width: 190,
      cell: (row) => <LinkedCell accounts={accounts.get(row.id) ?? []} />,
    });
  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      defaultSort={[{ id: 'user', desc: false }]}
      openId={openId}
      onOpen={onOpen}
      empty={
        <Empty icon={Users} title="No matching users">
          People appear here when they are added, or when they first sign in with single sign-on.
        </Empty>
      }
    />
  );
}
