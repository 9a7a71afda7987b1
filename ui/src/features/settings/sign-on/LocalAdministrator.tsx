import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Button, Content, Field, Form } from '@/shared';
import { Switch } from '../parts';
import { LockOutDialog, reasonsOf } from './LockOutDialog';
import { useChangeLocal, useLocal } from './queries';
import type { Local } from './queries';

/** Sign-in without an identity provider, for emergencies. Takes effect at once, not with Save. */
export function LocalAdministrator() {
  const local = useLocal();
  return (
    <section className="form-sec" aria-labelledby="local">
      <h2 id="local">6. Local administrator</h2>
      <p className="help">
        Emergency password, for when single sign-on does not work. It takes effect at once and is not part of Save.
      </p>
      <Content of={local} what="The local administrator could not be read" lines={2}>
        {(data) => <Password local={data} />}
      </Content>
    </section>
  );
}

function Password({ local }: { local: Local }) {
  const change = useChangeLocal();
  const [open, setOpen] = useState(false);
  const reasons = change.error && reasonsOf(change.error);
  const put = (enabled: boolean, confirm = false) => {
    change.mutate({ enabled, ...(confirm ? { confirm } : {}) });
  };
  return (
    <>
      <div className="panel">
        <div className="pb split">
          <div>
            <div className="strong">{local.email}</div>
            <div className="small muted">
              {local.set ? 'A password is set; it is never shown.' : 'No password set yet.'}
            </div>
          </div>
          {!open && (
            <Button
              size="small"
              onClick={() => {
                setOpen(true);
              }}
            >
              {local.set ? 'Change password' : 'Set a password'}
            </Button>
          )}
        </div>
        {open && (
          <PasswordForm
            onClose={() => {
              setOpen(false);
            }}
          />
        )}
      </div>
      <Switch
        label="Let the password sign in"
        on={local.set && local.enabled}
        reason={local.set ? undefined : 'Set a password first.'}
        onChange={(on) => {
          put(on);
        }}
      >
        {local.set &&
          (local.enabled
            ? 'The sign-in page asks for e-mail and password beside single sign-on.'
            : 'Off: nobody can sign in with the password. One-time links from the command line still work.')}
        {change.error && !reasons && <span className="err">{change.error.message}</span>}
      </Switch>
      {reasons && (
        <LockOutDialog
          title="Switch the password off?"
          reasons={reasons}
          confirm="Switch it off anyway"
          busy={change.isPending}
          onConfirm={() => {
            put(false, true);
          }}
          onClose={() => {
            change.reset();
          }}
        />
      )}
    </>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const change = useChangeLocal();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const short =
    tried && [...password].length < 12
      ? `It has ${String([...password].length)} characters; at least 12 are required.`
      : undefined;
  const submit = () => {
    setTried(true);
    if ([...password].length >= 12 && password === again) change.mutate({ password }, { onSuccess: onClose });
  };
  return (
    <Form className="pb stack tight topline" onSubmit={submit}>
      <div className="fields two">
        <Field
          label="New password"
          help="At least 12 characters. A sentence is easier to remember than symbols."
          error={short ?? change.error?.message}
        >
          {(control) => (
            <input
              {...control}
              className="in"
              type="password"
              autoFocus
              autoComplete="new-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label="Repeat password" error={tried && password !== again ? 'The passwords differ.' : undefined}>
          {(control) => (
            <input
              {...control}
              className="in"
              type="password"
              autoComplete="new-password"
              value={again}
              onChange={(event) => {
                setAgain(event.target.value);
              }}
            />
          )}
        </Field>
      </div>
      <div className="row">
        <Button type="submit" size="small" busy={change.isPending && 'Saving'}>
          <CircleCheck className="i s" />
          Save password
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
