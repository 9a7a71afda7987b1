import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, ExternalLink, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { callHere, sendHere, useInstanceChange, useInstances } from '@/api';
import type { ApiError, Instance, Rest } from '@/api';
import { host } from '@/host';
import { Button, Field, Form, Loading, Status } from '@/shared';

type Keeping = Rest.Keeping;

type Begun = Rest.BegunSignIn;

type Course = Rest.SignInCourse;

/** Whether the system keyring accepts a key, tested with a real one. */
function useKeyring() {
  return useQuery<Rest.KeyringState, ApiError>({
    queryKey: ['keyring'],
    staleTime: 60_000,
    queryFn: ({ signal }) => callHere('/api/instances/keyring', { signal }),
  });
}

/** Signs this computer in to an instance: storage of the key, then the browser or a code to enter. */
export function SignInPanel({ instance, onDone }: { instance: Instance; onDone: () => void }) {
  const keyring = useKeyring();
  const [chosen, setChosen] = useState<Keeping | null>(null);
  if (keyring.isPending) return <Loading lines={2} label="Looking for a keyring" />;
  const works = keyring.data?.works === true;
  const keeping = chosen ?? (works ? 'keyring' : null);
  return (
    <div className="stack">
      {!works && (
        <fieldset className="stack tight keeping">
          <legend className="strong">Where should the key to {instance.name} be kept?</legend>
          <p className="help">{keyring.data?.why ?? keyring.error?.message}</p>
          <label className="row">
            <input
              type="radio"
              name="keeping"
              checked={keeping === 'file'}
              onChange={() => {
                setChosen('file');
              }}
            />
            In a file protected by a passphrase
          </label>
          <label className="row">
            <input
              type="radio"
              name="keeping"
              checked={keeping === 'run'}
              onChange={() => {
                setChosen('run');
              }}
            />
            Until Quarterdeck closes, then sign in again
          </label>
        </fieldset>
      )}
      {keeping === 'file' && <Passphrase />}
      <Begin instance={instance} keeping={keeping} onDone={onDone} />
    </div>
  );
}

/** Unlocks the key file; the first passphrase creates it. */
export function Passphrase({ onOpen }: { onOpen?: () => void }) {
  const file = useInstances().data?.file;
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const unlock = useInstanceChange((passphrase: string) =>
    sendHere<null>('POST', '/api/instances/unlock', { passphrase }),
  );
  if (file === 'open') return <Status tone="ok">The key file is unlocked</Status>;
  return (
    <Form
      className="row end"
      onSubmit={() => {
        setTried(true);
        if (text === '') return;
        unlock.mutate(text, {
          onSuccess: () => {
            onOpen?.();
          },
        });
      }}
    >
      <Field
        label={file === 'none' ? 'New passphrase' : 'Passphrase'}
        help={file === 'none' ? 'At least 10 letters. Nobody can recover it; without it you sign in again.' : undefined}
        error={tried && text === '' ? 'Enter a passphrase' : unlock.error?.message}
      >
        {(control) => (
          <input
            {...control}
            className="in"
            type="password"
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
        )}
      </Field>
      <Button type="submit" busy={unlock.isPending && 'Opening'}>
        {file === 'none' ? 'Use passphrase' : 'Open'}
      </Button>
    </Form>
  );
}

function Begin({ instance, keeping, onDone }: { instance: Instance; keeping: Keeping | null; onDone: () => void }) {
  const file = useInstances().data?.file;
  const path = `/api/instances/${instance.id}/sign-in`;
  const begin = useMutation<Begun, ApiError, 'browser' | 'code'>({
    mutationFn: (mode) => sendHere<Begun>('POST', path, { mode, keep_in: keeping }),
    onSuccess: ({ address }, mode) => {
      if (mode === 'browser') host.openOutside(address);
    },
  });
  const course = useQuery<Course, ApiError>({
    queryKey: ['sign-in course', instance.id, begin.data?.address],
    enabled: begin.data !== undefined,
    queryFn: ({ signal }) => callHere<Course>(path, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'waiting' ? 700 : false),
  }).data;
  const done = course?.state === 'done';
  const told = useRef(false);
  useEffect(() => {
    if (done && !told.current) {
      told.current = true;
      onDone();
    }
  }, [done, onDone]);
  const reason =
    keeping === null
      ? 'Choose where the key is kept'
      : keeping === 'file' && file !== 'open'
        ? 'Enter the passphrase first'
        : undefined;
  const giveUp = () => {
    // Errors are ignored: an abandoned sign-in expires on its own.
    void callHere<null>(path, { method: 'DELETE' }).catch(() => undefined);
    begin.reset();
  };
  const failed = begin.error?.message ?? (course?.state === 'failed' ? course.message : undefined);
  const waits = begin.data !== undefined && course?.state !== 'failed' && !done;
  return (
    <div className="stack">
      {failed && (
        <div role="alert">
          <div className="note bad">
            <CircleAlert className="i" />
            <div>{failed}</div>
          </div>
        </div>
      )}
      {waits ? (
        <>
          <Waiting begun={begin.data} byCode={begin.variables === 'code'} path={path} />
          <div className="row">
            {begin.variables === 'browser' && (
              <Button
                kind="quiet"
                onClick={() => {
                  begin.mutate('code');
                }}
              >
                <KeyRound className="i" />
                No browser opened? Use a code
              </Button>
            )}
            <Button kind="quiet" onClick={giveUp}>
              Cancel
            </Button>
          </div>
        </>
      ) : (
        <div className="row">
          <Button
            kind="primary"
            reason={reason}
            busy={begin.isPending && 'Opening the browser'}
            onClick={() => {
              begin.mutate('browser');
            }}
          >
            <ExternalLink className="i" />
            Sign in in the browser
          </Button>
          <Button
            kind="quiet"
            reason={reason}
            disabled={begin.isPending}
            onClick={() => {
              begin.mutate('code');
            }}
          >
            <KeyRound className="i" />
            With a code
          </Button>
        </div>
      )}
    </div>
  );
}

function Waiting({ begun, byCode, path }: { begun: Begun; byCode: boolean; path: string }) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const finish = useInstanceChange((typed: string) => sendHere<null>('POST', `${path}/code`, { code: typed }));
  return (
    <div className="stack tight" role="status">
      <div className="split">
        <span>{byCode ? 'Open this in any browser, allow it, and copy the code' : 'Allow it in the browser'}</span>
        <span>
          Code <b className="mono mark">{begun.mark}</b>
        </span>
      </div>
      <p className="help">The page there shows the same code. If it differs, do not allow it.</p>
      <a className="mono small wrap" href={begun.address} target="_blank" rel="noreferrer">
        {byCode ? begun.address : 'Open the page again'}
      </a>
      {byCode && (
        <Form
          className="row end"
          onSubmit={() => {
            setTried(true);
            if (code.trim() !== '') finish.mutate(code);
          }}
        >
          <Field
            label="Code from the browser"
            error={
              tried && code.trim() === '' ? 'Enter the code that the page in the browser shows' : finish.error?.message
            }
          >
            {(control) => (
              <input
                {...control}
                className="in mono"
                autoComplete="off"
                value={code}
                onChange={(event) => {
                  setCode(event.target.value);
                }}
              />
            )}
          </Field>
          <Button type="submit" kind="primary" busy={finish.isPending && 'Signing in'}>
            Sign in
          </Button>
        </Form>
      )}
    </div>
  );
}
