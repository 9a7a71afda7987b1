import { CloudOff, RefreshCw, ServerOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callHere, sendHere, useInstanceChange, useInstances } from '@/api';
import type { Instance } from '@/api';
import { Button, Field, Form, SidePanel, Status, age, dateTimeZone, toast, useNow } from '@/shared';
import { instanceInFront, pageIn } from '@/shared/place';
import { Certificate } from '../Certificate';
import { Colours } from './Colours';
import { RemoveDialog } from './RemoveDialog';
import { SignInPanel } from './SignInPanel';
import { WayThere } from './WayThere';
import { useLook } from './look';
import { standing } from './standing';

/** One remote instance: state, sign-in, connection and name. */
export function InstancePanel({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const now = useNow();
  const look = useLook(instance.id);
  const { tone, word } = standing(look.data, instance.kept_in);
  const [leaving, setLeaving] = useState(false);
  const change = useInstanceChange((what: object) => sendHere<null>('PUT', `/api/instances/${instance.id}`, what));
  const signOut = useInstanceChange(() => callHere<null>(`/api/instances/${instance.id}/sign-out`, { method: 'POST' }));
  const colours = useInstances().data?.colours ?? [];
  const [name, setName] = useState(instance.name);
  const isNameless = name.trim() === '';
  const [certificate] = look.data?.certificates ?? [];
  return (
    <SidePanel
      label={instance.name}
      width="slim"
      onClose={onClose}
      head={
        <>
          <Status tone={tone}>
            {word}
            {tone === 'off' && instance.seen_at && `, last seen ${age(instance.seen_at, now)}`}
          </Status>
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
      {tone === 'off' && instance.kept_in && instance.copy_of && (
        <div className="note">
          <CloudOff className="i" />
          <div>
            <b>You read the copy of {dateTimeZone(instance.copy_of, now)}</b>
            <div>Pages you opened before are shown as they were then. Changes are off.</div>
          </div>
        </div>
      )}
      <section className="stack tight">
        <h3 className="strong">Sign-in</h3>
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
                  run: 'The key is kept until Quarterdeck closes',
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
        <Form
          className="row end"
          onSubmit={() => {
            if (!isNameless) change.mutate({ name });
          }}
        >
          <Field label="Name" error={isNameless ? 'Enter a name' : change.error?.message}>
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
          <Button type="submit" disabled={name === instance.name}>
            Rename
          </Button>
        </Form>
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
