import { Link } from '@tanstack/react-router';
import { CircleCheck, Eye, EyeOff, KeyRound, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL, useOriginInFront, useWhyNot, useSession } from '@/api';
import {
  Button,
  DataTable,
  Dialog,
  Empty,
  Field,
  Form,
  Panel,
  SearchBox,
  Status,
  dateOf,
  dateTime,
  dateTimeZone,
  plural,
  toast,
  useNow,
  dayRoom,
  timeRoom,
} from '@/shared';
import type { Column } from '@/shared';
import { focusNew } from '../focusNew';
import { CopyButton } from '../parts';
import { SettingsPage } from '../SettingsPage';
import { problemOfName, unusedDays } from './name';
import { Tokens, useCreateToken, useRevokeToken } from './queries';
import type { TokenRow } from './queries';

/** The API tokens page: create, show once, revoke. Every user has their own tokens. */
export function TokensPage() {
  const email = useSession().data?.email ?? '';
  const found = useGraphQL(Tokens, {});
  const tokens = found.data?.users_list_token?.tokens?.filter((token) => token !== null);
  const create = useCreateToken();
  const [search, setSearch] = useState('');
  const [revoking, setRevoking] = useState<TokenRow | null>(null);
  const shown = tokens?.filter((token) => token.name?.toLowerCase().includes(search.toLowerCase()));
  return (
    <SettingsPage title="API tokens">
      <div className="two-col tokens">
        <div className="stack">
          {create.data && (
            <Created
              key={create.data.token}
              name={create.data.name}
              secret={create.data.token}
              email={email}
              onClose={() => {
                create.reset();
              }}
            />
          )}
          <Panel
            title="Your tokens"
            meta={tokens && plural(tokens.length, 'token')}
            actions={
              tokens && tokens.length > 5 && <SearchBox label="Filter tokens" value={search} onChange={setSearch} />
            }
          >
            <TokenTable rows={shown} error={found.error} retry={found.refetch} onRevoke={setRevoking} />
          </Panel>
          <NewToken
            taken={(tokens ?? []).map((token) => token.name ?? '')}
            busy={create.isPending}
            failed={create.error?.message}
            onCreate={(name, onDone) => {
              create.mutate(name, { onSuccess: onDone });
            }}
          />
        </div>
        <Usage email={email} />
      </div>
      {revoking && (
        <RevokeDialog
          token={revoking}
          email={email}
          onClose={() => {
            setRevoking(null);
          }}
        />
      )}
    </SettingsPage>
  );
}

/** The secret, shown once and removed with "I have stored it". */
function Created({
  name,
  secret,
  email,
  onClose,
}: {
  name: string;
  secret: string;
  email: string;
  onClose: () => void;
}) {
  const [hidden, setHidden] = useState(false);
  return (
    <section className="panel shown-once" aria-label="New token" tabIndex={-1} ref={focusNew}>
      <div className="ph">
        <span className="st ok">
          <CircleCheck className="i" />
        </span>
        <h2>Token {name} was created</h2>
        <span className="small muted">owner {email}</span>
        <div className="acts">
          <Button kind="quiet" size="small" iconOnly aria-label="Close" onClick={onClose}>
            <X className="i s" />
          </Button>
        </div>
      </div>
      <div className="pb stack">
        <Field label="Secret" setting={`shown once, ${String(secret.length)} characters`}>
          {(control) => (
            <div className="join">
              <input
                {...control}
                className="in mono grow"
                readOnly
                type={hidden ? 'password' : 'text'}
                value={secret}
              />
              <Button
                iconOnly
                aria-label={hidden ? 'Show secret' : 'Hide secret'}
                onClick={() => {
                  setHidden(!hidden);
                }}
              >
                {hidden ? <Eye className="i" /> : <EyeOff className="i" />}
              </Button>
              <CopyButton text={secret} label="secret" size="default" />
            </div>
          )}
        </Field>
        <div className="split">
          <span className="st warn wrap">
            <TriangleAlert className="i" />
            It cannot be shown again. Store it in a vault before you close this.
          </span>
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </div>
      </div>
    </section>
  );
}

function TokenTable({
  rows,
  error,
  retry,
  onRevoke,
}: {
  rows: TokenRow[] | undefined;
  error: Error | null;
  retry: () => unknown;
  onRevoke: (token: TokenRow) => void;
}) {
  const now = useNow();
  const whyNot = useWhyNot();
  const columns: Column<TokenRow>[] = [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      cell: (row) => <span className="mono strong">{row.name}</span>,
    },
    {
      id: 'created',
      header: 'Created',
      value: (row) => row.created_at,
      ...dayRoom(
        rows?.map((row) => row.created_at),
        now,
      ),
      cell: (row) => <span className="muted num">{row.created_at ? dateOf(row.created_at, now) : '–'}</span>,
    },
    {
      id: 'used',
      header: 'Last used',
      value: (row) => row.accessed_at,
      ...timeRoom(
        rows?.map((row) => row.accessed_at),
        now,
      ),
      cell: (row) => (
        <span className="num">
          {row.accessed_at ? dateTime(row.accessed_at, now) : <span className="faint">never</span>}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: (row) => row.status,
      width: 128,
      cell: (row) => <State token={row} now={now} />,
    },
    {
      id: 'revoke',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 108,
      cell: (row) => (
        <Button
          size="small"
          aria-label={`Revoke ${row.name ?? ''}`}
          reason={whyNot({ fields: ['users_delete_token'] })}
          onClick={() => {
            onRevoke(row);
          }}
        >
          Revoke…
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label="API tokens"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id ?? row.name ?? ''}
      rowHeight={46}
      primary
      defaultSort={[{ id: 'created', desc: true }]}
      empty={
        <Empty icon={KeyRound} title="No tokens yet">
          A token lets a script sign in as you, with your permissions.
        </Empty>
      }
    />
  );
}

function State({ token, now }: { token: TokenRow; now: Date }) {
  if (token.status && token.status !== 'active') return <Status tone="bad">{token.status}</Status>;
  const days = unusedDays(token, now);
  if (days !== null) return <Status tone="warn">Unused for {days} d</Status>;
  return (
    <span className="st ok plain">
      <CircleCheck className="i" />
      Active
    </span>
  );
}

function NewToken({
  taken,
  busy,
  failed,
  onCreate,
}: {
  taken: readonly string[];
  busy: boolean;
  failed: string | undefined;
  /** Creates a token with this name, and calls `onDone` on success. */
  onCreate: (name: string, onDone: () => void) => void;
}) {
  const [name, setName] = useState('');
  const whyNot = useWhyNot();
  const [tried, setTried] = useState<string | null>(null);
  const problem = tried === name ? problemOfName(name, taken) : null;
  return (
    <Panel title={taken.length === 0 ? 'Create a token' : 'Create another'} padded>
      <Form
        className="inline3"
        onSubmit={() => {
          setTried(name);
          if (problemOfName(name, taken) !== null) return;
          // From here on the name is used by this token.
          setTried(null);
          onCreate(name, () => {
            // Text typed meanwhile is the name of the next token.
            setName((typed) => (typed === name ? '' : typed));
          });
        }}
      >
        <Field
          label="Name"
          help="Name what uses it, so you know later what stops when you revoke it. Letters, digits and hyphens."
          error={problem ?? failed}
        >
          {(control) => (
            <input
              {...control}
              className="in"
              placeholder="For example month-end"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        <Button type="submit" busy={busy && 'Creating'} reason={whyNot({ fields: ['users_create_token'] })}>
          <KeyRound className="i" />
          Create token
        </Button>
      </Form>
    </Panel>
  );
}

function Usage({ email }: { email: string }) {
  const origin = useOriginInFront();
  const curl = `curl -s ${origin ?? ''}/api/auth/token -H 'content-type: application/json' -d '{"email": "${email}", "secret": "…"}'`;
  return (
    <Panel title="How a token is used" padded>
      <div className="stack tight">
        <p className="help">
          The secret is exchanged for an access token that lasts 60 minutes. Rights are those of the owner, never more.
        </p>
        <pre className="log">{`POST /api/auth/token
{ "email": "${email}",
  "secret": "…" }

200 { "token": "…", "expiry": 3600 }`}</pre>
        <div className="row">
          {origin !== null && <CopyButton text={curl} label="as curl" words="Copy as curl" />}
          <Link className="btn sm ghost" to="/api-explorer">
            API explorer
          </Link>
        </div>
      </div>
    </Panel>
  );
}

/** Explains what still works and for how long; revoking is confirmed by the name. */
function RevokeDialog({ token, email, onClose }: { token: TokenRow; email: string; onClose: () => void }) {
  const revoke = useRevokeToken();
  const now = useNow();
  const name = token.name ?? '';
  const [typed, setTyped] = useState('');
  const submit = () => {
    if (typed !== name) return;
    revoke.mutate(name, {
      onSuccess: () => {
        toast({ tone: 'ok', text: `Revoked ${name}` });
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Revoke ${name}?`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            kind="destructive"
            type="submit"
            form="revoke"
            disabled={typed !== name}
            busy={revoke.isPending && 'Revoking'}
          >
            Revoke token
          </Button>
        </>
      }
    >
      <Form id="revoke" className="stack" onSubmit={submit}>
        <p>Scripts that use this secret can no longer sign in. This takes effect at once and cannot be undone.</p>
        <dl className="kv">
          <dt>Owner</dt>
          <dd>{email}</dd>
          <dt>Last used</dt>
          <dd>{token.accessed_at ? `${dateTimeZone(token.accessed_at, now)}` : 'never'}</dd>
          <dt>Still valid</dt>
          <dd>Access tokens it was exchanged for end after 60 minutes at most.</dd>
        </dl>
        <Field label={`Type ${name} to confirm`} error={revoke.error?.message}>
          {(control) => (
            <input
              {...control}
              className="in mono"
              autoFocus
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
