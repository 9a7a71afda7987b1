import { useQueryClient } from '@tanstack/react-query';
import { Monitor, RefreshCw, Server, ServerOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callHere, sendHere, useInstanceChange, useInstances } from '@/api';
import type { Instance } from '@/api';
import {
  Button,
  Content,
  DataTable,
  Dialog,
  Empty,
  Field,
  Panel,
  SidePanel,
  Status,
  age,
  dateTime,
  toast,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { instanceInFront, pageIn } from '@/shared/place';
import { SettingsPage } from '../SettingsPage';
import { Switch } from '../parts';
import { Certificate } from '../Certificate';
import { AddInstance } from './AddInstance';
import { Colours } from './Colours';
import { SignInPanel } from './SignInPanel';
import { WayThere } from './WayThere';
import { useLook } from './look';
import { standing, versionNote } from './standing';

/** Settings, Instances: other Quarterdecks that are used from this computer. */
export function InstancesPage() {
  const all = useInstances();
  const client = useQueryClient();
  const [open, setOpen] = useState<string | null>(null);
  const shown = all.data?.instances.find(({ id }) => id === open);
  if (all.data === null)
    return (
      <SettingsPage title="Instances">
        <Empty icon={Server} title="Other instances are used from your own computer">
          Quarterdeck on a desktop adds this service under its Settings, Instances. A service for many people keeps
          nobody’s keys.
        </Empty>
      </SettingsPage>
    );
  return (
    <SettingsPage
      title="Instances"
      actions={
        <Button
          onClick={() => {
            void client.invalidateQueries({ queryKey: ['instance look'] });
          }}
        >
          <RefreshCw className="i" />
          Check all
        </Button>
      }
      side={
        shown && (
          <InstancePanel
            key={shown.id}
            instance={shown}
            onClose={() => {
              setOpen(null);
            }}
          />
        )
      }
    >
      <Content of={{ ...all, data: all.data ?? undefined }} what="Instances could not be read">
        {(data) => (
          <div className="stack">
            <Panel title="Instances" meta={`1 on this computer, ${String(data.instances.length)} elsewhere`}>
              <Table instances={data.instances} here={data.here} onOpen={setOpen} />
            </Panel>
            <AddInstance onAdded={setOpen} />
          </div>
        )}
      </Content>
    </SettingsPage>
  );
}

const thisComputer = 'this-computer';

interface Row {
  id: string;
  instance: Instance | null;
}

function Table({
  instances,
  here,
  onOpen,
}: {
  instances: readonly Instance[];
  here: { address: string; version: string };
  onOpen: (id: string) => void;
}) {
  const now = useNow();
  const rows: Row[] = [
    { id: thisComputer, instance: null },
    ...instances.map((one) => ({ id: one.id, instance: one })),
  ];
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: 'Instance',
      sortable: false,
      value: ({ instance }) => instance?.name ?? 'This computer',
      cell: ({ instance }) => (
        <span className="row who">
          {instance ? <span className={`dot inst-${instance.colour}`} /> : <Monitor className="i" />}
          <span className="cut">
            {instance?.name ?? 'This computer'}{' '}
            {(instance?.id ?? null) === instanceInFront && <span className="badge acc">In front</span>}
            <span className="small muted block">{instance?.address ?? here.address}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'Reachable',
      sortable: false,
      width: 130,
      value: () => null,
      cell: ({ instance }) => (instance ? <State instance={instance} /> : <Status tone="ok">Running</Status>),
    },
    {
      id: 'version',
      header: 'Version',
      sortable: false,
      width: 110,
      value: ({ instance }) => instance?.version ?? here.version,
      cell: ({ instance }) => (
        <span>
          {instance ? (instance.version ?? '–') : here.version}
          <span className="small muted block">{versionNote(instance?.version, here.version) ?? ''}</span>
        </span>
      ),
    },
    {
      id: 'seen',
      header: 'Last seen',
      sortable: false,
      width: 90,
      value: ({ instance }) => instance?.seen_at ?? null,
      cell: ({ instance }) => (
        <span className="num">{instance ? (instance.seen_at ? age(instance.seen_at, now) : '–') : 'now'}</span>
      ),
    },
  ];
  return (
    <DataTable
      label="Instances"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowHeight={46}
      onOpen={({ id }) => {
        if (id !== thisComputer) onOpen(id);
      }}
      empty={<Empty icon={Server} title="No instance" />}
    />
  );
}

function State({ instance }: { instance: Instance }) {
  const look = useLook(instance.id).data;
  const { tone, word } = standing(look, instance.kept_in);
  return (
    <span>
      <Status tone={tone}>{word}</Status>
      <span className="small muted block">{look && !look.trouble ? `${String(look.took)} ms` : ''}</span>
    </span>
  );
}

function InstancePanel({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const now = useNow();
  const look = useLook(instance.id);
  const { tone, word } = standing(look.data, instance.kept_in);
  const [leaving, setLeaving] = useState(false);
  const change = useInstanceChange((what: object) => sendHere<null>('PUT', `/api/instances/${instance.id}`, what));
  const signOut = useInstanceChange(() => callHere<null>(`/api/instances/${instance.id}/sign-out`, { method: 'POST' }));
  const colours = useInstances().data?.colours ?? [];
  const [name, setName] = useState(instance.name);
  const [certificate] = look.data?.certificates ?? [];
  return (
    <SidePanel
      label={instance.name}
      width="slim"
      onClose={onClose}
      head={
        <>
          <Status tone={tone}>{word}</Status>
          <h2 className="ttl">{instance.name}</h2>
          <span className="mono small wrap">{instance.address}</span>
        </>
      }
      actions={
        <>
          <Button
            busy={look.isFetching && 'Checking'}
            onClick={() => {
              void look.refetch();
            }}
          >
            <RefreshCw className="i" />
            Check again
          </Button>
          {instance.kept_in && instance.id !== instanceInFront && (
            <a className="btn" href={pageIn(instance.id, '/overview')}>
              Open
            </a>
          )}
          <Button
            kind="destructive"
            iconOnly
            aria-label={`Remove ${instance.name}`}
            className="end"
            onClick={() => {
              setLeaving(true);
            }}
          >
            <Trash2 className="i" />
          </Button>
        </>
      }
    >
      {look.data?.message && (
        <div className={tone === 'bad' ? 'note bad' : 'note'} role="status">
          <ServerOff className="i" />
          <div>{look.data.message}</div>
        </div>
      )}
      <section className="stack tight">
        <h3 className="strong">Signed in</h3>
        {instance.kept_in ? (
          <>
            <span>
              {instance.email}, {instance.tenant}
            </span>
            <span className="help">
              {
                {
                  keyring: 'The key is in the keyring of this system',
                  file: 'The key is in an encrypted file',
                  run: 'The key is kept until Quarterdeck ends',
                }[instance.kept_in]
              }
            </span>
            <div>
              <Button
                size="small"
                busy={signOut.isPending && 'Signing out'}
                onClick={() => {
                  signOut.mutate(undefined);
                }}
              >
                Sign out
              </Button>
            </div>
          </>
        ) : (
          <SignInPanel
            instance={instance}
            onDone={() => {
              toast({ tone: 'ok', text: `Signed in to ${instance.name}` });
              void look.refetch();
            }}
          />
        )}
      </section>
      {certificate && <Certificate certificate={certificate} trusted={look.data?.trouble !== 'certificate'} />}
      <WayThere key={instance.address} instance={instance} onChanged={() => void look.refetch()} />
      <section className="stack tight">
        <h3 className="strong">Copy on this computer</h3>
        <Switch
          label="Read the last copy while it cannot be reached"
          on={instance.keeps_copies}
          onChange={(keeps_copies) => {
            change.mutate({ keeps_copies });
          }}
        >
          {instance.copy_of
            ? `${(instance.copy_bytes / 1e6).toFixed(1)} MB, the newest of ${dateTime(instance.copy_of, now)} UTC`
            : 'None yet'}
        </Switch>
      </section>
      <section className="stack tight">
        <form
          className="row end"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ name });
          }}
        >
          <Field label="Name" error={change.error?.message}>
            {(control) => (
              <input
                {...control}
                className="in"
                maxLength={60}
                value={name}
                onChange={(event) => {
                  setName(event.target.value);
                }}
              />
            )}
          </Field>
          <Button type="submit" disabled={name.trim() === '' || name === instance.name}>
            Rename
          </Button>
        </form>
        <Colours
          colours={colours}
          value={instance.colour}
          onChange={(colour) => {
            change.mutate({ colour });
          }}
        />
      </section>
      {leaving && (
        <RemoveDialog
          instance={instance}
          onClose={() => {
            setLeaving(false);
          }}
        />
      )}
    </SidePanel>
  );
}

function RemoveDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const remove = useInstanceChange(() => callHere<null>(`/api/instances/${instance.id}`, { method: 'DELETE' }));
  // Without its key this computer cannot say goodbye there.
  const isLocked = useInstances().data?.file === 'locked' && instance.kept_in === 'file';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${instance.name}?`}
      help={
        isLocked
          ? 'Deletes the copy that is kept here. The file of keys is locked, so this computer stays on the instance’s list of devices until somebody ends it there, or for 30 days; unlock the file first to sign it out.'
          : 'Signs this computer out there and deletes the copy that is kept here. Nothing changes on the instance itself.'
      }
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button
            kind="destructive"
            busy={remove.isPending && 'Removing'}
            onClick={() => {
              remove.mutate(undefined, {
                onSuccess: () => {
                  if (instance.id === instanceInFront) window.location.assign('/settings/instances');
                  else onClose();
                },
              });
            }}
          >
            Remove instance
          </Button>
        </>
      }
    >
      {remove.error && <Status tone="bad">{remove.error.message}</Status>}
    </Dialog>
  );
}
