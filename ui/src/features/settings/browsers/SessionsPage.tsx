import { Globe, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '@/api';
import {
  Button,
  DataTable,
  Dialog,
  Empty,
  Segmented,
  Status,
  age,
  dateTime,
  plural,
  toast,
  useNow,
  timeRoom,
  dayRoom,
} from '@/shared';
import type { Column } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { nameOfAgent } from '../agent';
import { isElsewhere } from '../elsewhere';
import { DeviceTable } from './DeviceTable';
import { useEndSession, useSessions, useSignOutEverywhere } from '../sessions';
import type { SessionRow } from '../sessions';

/** The sign-in method. */
const ways: Record<string, string> = {
  window: 'Desktop window',
  saml: 'Single sign-on',
  password: 'Password',
  link: 'One-time link',
  token: 'API token',
};

function wayOf({ way }: SessionRow): string | null {
  return way ? (ways[way] ?? way) : null;
}

/** Settings, Sessions: the browsers and desktops that are signed in, each to be ended, or all of one's own at once. */
export function SessionsPage() {
  const isAdmin = useSession().data?.roles.includes('tenant_admin') ?? false;
  const [whose, setWhose] = useState<'mine' | 'everyone'>('mine');
  const sessions = useSessions(whose === 'everyone');
  const [leaving, setLeaving] = useState(false);
  return (
    <SettingsPage
      title="Sessions"
      plain
      actions={
        <Button
          kind="destructive"
          onClick={() => {
            setLeaving(true);
          }}
        >
          <LogOut className="i" />
          Sign out everywhere
        </Button>
      }
    >
      <div className="bar">
        {isAdmin ? (
          <Segmented
            label="Whose"
            value={whose}
            options={[
              { value: 'mine', label: 'Only mine' },
              { value: 'everyone', label: 'Everyone' },
            ]}
            onChange={setWhose}
          />
        ) : (
          <span className="muted">Your own</span>
        )}
        <span className="small muted">{sessions.data && `${plural(sessions.data.length, 'browser')} signed in`}</span>
      </div>
      <div className="settable">
        <SessionTable
          rows={sessions.data}
          error={sessions.error}
          retry={sessions.refetch}
          users={whose === 'everyone'}
        />
      </div>
      <div className="settable">
        <DeviceTable everyone={whose === 'everyone'} />
      </div>
      {leaving && (
        <LeaveDialog
          onClose={() => {
            setLeaving(false);
          }}
        />
      )}
    </SettingsPage>
  );
}

/** The table of sessions; also in the panel of a user, without the user column. */
export function SessionTable({
  rows,
  error,
  retry,
  users,
}: {
  rows: readonly SessionRow[] | undefined;
  error: Error | null;
  retry: () => unknown;
  users: boolean;
}) {
  const now = useNow();
  const front = useSession().data?.tenant.name;
  const end = useEndSession();
  const columns: Column<SessionRow>[] = [
    {
      id: 'agent',
      header: 'Browser',
      value: (row) => nameOfAgent(row.agent),
      cell: (row) => (
        <span className="row who">
          <Globe className="i" />
          <span className="cut" title={row.agent ?? undefined}>
            {nameOfAgent(row.agent)} {row.current && <span className="badge acc">This browser</span>}
            <span className="small muted block">{wayOf(row)}</span>
          </span>
        </span>
      ),
    },
    ...(users
      ? [
          {
            id: 'user',
            header: 'User',
            value: (row: SessionRow) => row.user?.email,
            width: 200,
            least: 120,
          } as Column<SessionRow>,
        ]
      : []),
    ...(isElsewhere(rows, front)
      ? [
          {
            id: 'tenant',
            header: 'Tenant',
            value: (row: SessionRow) => row.tenant,
            width: 160,
            least: 104,
          } as Column<SessionRow>,
        ]
      : []),
    {
      id: 'created',
      header: 'Signed in',
      value: (row) => row.created_at,
      ...timeRoom(
        rows?.map((row) => row.created_at),
        now,
      ),
      cell: (row) => <span className="muted num">{dateTime(row.created_at, now)}</span>,
    },
    {
      id: 'seen',
      header: 'Last seen',
      value: (row) => row.seen_at,
      ...dayRoom(
        rows?.map((row) => row.seen_at),
        now,
      ),
      cell: (row) => (
        <span className="num" title={row.seen_at}>
          {age(row.seen_at, now)}
        </span>
      ),
    },
    {
      id: 'expires',
      header: 'Ends',
      value: (row) => row.expires_at,
      ...timeRoom(
        rows?.map((row) => row.expires_at),
        now,
      ),
      cell: (row) => <span className="muted num">{dateTime(row.expires_at, now)}</span>,
    },
    {
      id: 'end',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 104,
      least: 88,
      cell: (row) => (
        <Button
          size="small"
          busy={end.isPending && end.variables?.id === row.id && 'Ending'}
          onClick={() => {
            end.mutate(row, {
              onSuccess: () => {
                toast({ tone: 'ok', text: `Ended the session in ${nameOfAgent(row.agent)}` });
              },
              onError: (failed) => {
                toast({ tone: 'bad', text: `The session was not ended. ${failed.message}` });
              },
            });
          }}
        >
          {row.current ? 'Sign out' : 'End'}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label="Sessions"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      defaultSort={[{ id: 'seen', desc: true }]}
      empty={
        <Empty icon={Globe} title="Nobody is signed in">
          Browsers that are signed in appear here.
        </Empty>
      }
    />
  );
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const leave = useSignOutEverywhere();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Sign out everywhere?"
      help="Every browser and desktop you are signed in with has to sign in again, including this one. API tokens keep working; revoke them under API tokens."
      actions={
        <>
          <Button onClick={onClose}>Stay signed in</Button>
          <Button
            kind="destructive"
            busy={leave.isPending && 'Signing out'}
            onClick={() => {
              leave.mutate();
            }}
          >
            Sign out everywhere
          </Button>
        </>
      }
    >
      {leave.error && <Status tone="bad">{leave.error.message}</Status>}
    </Dialog>
  );
}
