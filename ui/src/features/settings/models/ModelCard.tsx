import { Link } from '@tanstack/react-router';
import {
  CircleCheck,
  CircleDashed,
  Download as DownloadIcon,
  LoaderCircle,
  Pause,
  Play,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog, Field, Status, bytes, dateTime, dateTimeZone, toast, useNow } from '@/shared';
import { serviceAddress } from '@/shared/place';
import { useAct } from './queries';
import { isActive } from './types';
import type { Download, Here, Model } from './types';
import { ofWhole, pace, percent, problemOfHash, shortHash, stateOf, vouched } from './wording';

/** One model: purpose, state and actions. */
export function ModelCard({ model, canDownload }: { model: Model; canDownload: boolean }) {
  const { name, about, here, download } = model;
  const state = download
    ? stateOf(download)
    : here
      ? ({ word: 'Ready', tone: 'ok' } as const)
      : ({ word: 'Not downloaded', tone: 'off' } as const);
  const size = download?.size_bytes ?? here?.size_bytes ?? null;
  return (
    <section className="panel model" aria-label={name}>
      <div className="row">
        <h2 className="mono strong">{name}</h2>
        <span className={`badge ${state.tone}`}>
          <Status tone={state.tone}>{state.word}</Status>
        </span>
        {size !== null && <span className="small faint end">{bytes(size)}</span>}
      </div>
      {about && <div className="muted">{about}</div>}
      {download && <OnItsWay download={download} canDownload={canDownload} />}
      {here && !download && <IsHere here={here} />}
      {!here && !download && <NotHere name={name} canDownload={canDownload} />}
    </section>
  );
}

const needed = 'Downloading needs a registry and a license key: see Registry';

function NotHere({ name, canDownload }: { name: string; canDownload: boolean }) {
  const act = useAct();
  return (
    <>
      <div className="row acts">
        <Button
          size="small"
          aria-label={`Download ${name}`}
          reason={canDownload ? undefined : needed}
          busy={act.isPending && 'Starting'}
          onClick={() => {
            act.mutate({ act: 'start', name });
          }}
        >
          <DownloadIcon className="i" />
          Download
        </Button>
      </div>
      <Refusal message={act.error?.message} />
    </>
  );
}

function OnItsWay({ download, canDownload }: { download: Download; canDownload: boolean }) {
  const act = useAct();
  const now = useNow();
  const { name, state } = download;
  const active = isActive(download);
  const verifying = state === 'verifying' && download.size_bytes !== null;
  const done = verifying ? download.hashed_bytes : download.bytes;
  const whole = percent(done, download.size_bytes);
  const tone = { info: '', warn: 'warn', bad: 'bad', off: 'hold', ok: '' }[stateOf(download).tone];
  const notice = download.notices.at(-1);
  // A paused download needs no explanation, and earlier errors no longer apply.
  const failure = active || state === 'paused' ? null : download.failure;
  return (
    <>
      {download.size_bytes !== null && (
        <div className="progress">
          <div
            className={`prog ${tone}`}
            role="progressbar"
            aria-label={verifying ? `Verifying ${name}` : `Downloading ${name}`}
            aria-valuenow={whole}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <i style={{ width: `${String(whole)}%` }} />
          </div>
          <div className="split small muted num">
            <span>
              <b>{ofWhole(done, download.size_bytes)}</b>
              {active ? `, ${String(whole)}%` : download.kept_bytes > 0 && ' kept on disk'}
              {download.again_bytes > 0 && `; ${bytes(download.again_bytes)} fetched again`}
            </span>
            {state === 'downloading' && <span>{pace(download)}</span>}
            {!active && <span>Stopped {dateTimeZone(download.updated_at, now)}</span>}
          </div>
        </div>
      )}
      {failure && (
        <div className={stateOf(download).tone === 'bad' ? 'note bad' : 'note warn'} role="alert">
          <TriangleAlert className="i" />
          <div className="grow wraps">
            {failure.reason} {failure.remedy}
            {download.can_resume && download.kept_bytes > 0 && ' Nothing is fetched twice.'}
          </div>
        </div>
      )}
      {active && download.trouble && (
        <div className="note warn" role="status">
          <TriangleAlert className="i" />
          <div className="grow wraps">{download.trouble} It resumes automatically.</div>
        </div>
      )}
      {active && notice && (
        <p className="small muted wraps">
          {dateTime(notice.at, now)}: {notice.text}
        </p>
      )}
      <div className="row acts">
        {active ? (
          <>
            <Steps state={state} />
            <span className="row end">
              <Button
                size="small"
                aria-label={`Pause ${name}`}
                busy={act.isPending && 'Pausing'}
                onClick={() => {
                  act.mutate({ act: 'pause', name });
                }}
              >
                <Pause className="i" />
                Pause
              </Button>
              <Button
                size="small"
                kind="quiet"
                aria-label={`Cancel ${name}`}
                disabled={act.isPending}
                onClick={() => {
                  act.mutate({ act: 'cancel', name });
                }}
              >
                Cancel
              </Button>
            </span>
          </>
        ) : (
          <>
            {download.can_resume && (
              <Button
                size="small"
                kind="primary"
                aria-label={`Resume ${name}`}
                reason={canDownload ? undefined : needed}
                busy={act.isPending && 'Starting'}
                onClick={() => {
                  act.mutate({ act: 'start', name });
                }}
              >
                <Play className="i" />
                Resume
              </Button>
            )}
            <Button
              size="small"
              aria-label={`Start ${name} over`}
              reason={canDownload ? undefined : needed}
              disabled={act.isPending}
              onClick={() => {
                act.mutate({ act: 'again', name });
              }}
            >
              Start over
            </Button>
            <Button
              size="small"
              kind="quiet"
              className="end"
              aria-label={`Cancel ${name}`}
              disabled={act.isPending}
              onClick={() => {
                act.mutate({ act: 'cancel', name });
              }}
            >
              Cancel
            </Button>
          </>
        )}
      </div>
      <Refusal message={act.error?.message} />
    </>
  );
}

const steps = ['Download', 'Verify', 'Ready'];

/** Which of the three steps it is at. */
function Steps({ state }: { state: Download['state'] }) {
  const at = state === 'verifying' || state === 'installing' ? 1 : 0;
  return (
    <ol className="row steps3" aria-label="Steps">
      {steps.map((step, index) => {
        const Icon = index < at ? CircleCheck : index === at ? LoaderCircle : CircleDashed;
        return (
          <li key={step} className={index === at ? 'row small strong' : 'row small faint'}>
            <Icon className="i s" />
            {step}
          </li>
        );
      })}
    </ol>
  );
}

function IsHere({ here }: { here: Here }) {
  const act = useAct();
  const now = useNow();
  const [asked, setAsked] = useState<'remove' | 'verify' | null>(null);
  const { name } = here;
  const Shield = here.trust === 'first_use' ? ShieldAlert : ShieldCheck;
  const address = serviceAddress(`/api/models/${encodeURIComponent(name)}`);
  return (
    <>
      <div className="row small muted facts">
        <Shield className="i s" />
        <span>{vouched(here)}</span>
        <span className="mono" title={here.sha256}>
          {shortHash(here.sha256)}
        </span>
        <span className="end">
          {here.source === 'import' ? `Imported from ${here.origin}` : `From ${here.origin}`}{' '}
          {dateTimeZone(here.installed_at, now)}
        </span>
      </div>
      <div className="row acts">
        <Button
          size="small"
          aria-label={`Verify ${name} again`}
          busy={act.isPending && act.variables.act === 'verify' && 'Verifying'}
          onClick={() => {
            if (here.trust === 'first_use') setAsked('verify');
            else verify();
          }}
        >
          <ShieldCheck className="i" />
          Verify again
        </Button>
        <Link className="btn sm" to="/settings/model-providers">
          Use in providers
        </Link>
        <a className="btn sm" href={`${address}/file`} download={name} aria-label={`Export ${name}`}>
          Export
        </a>
        <a
          className="btn sm"
          href={`${address}/sha256`}
          download={`${name}.sha256`}
          aria-label={`Export the SHA-256 of ${name}`}
        >
          .sha256
        </a>
        <Button
          size="small"
          kind="quiet"
          className="end bad"
          aria-label={`Remove ${name}`}
          onClick={() => {
            setAsked('remove');
          }}
        >
          <Trash2 className="i" />
          Remove
        </Button>
      </div>
      <Refusal message={act.error?.message} />
      {asked === 'remove' && (
        <Dialog
          open
          onClose={() => {
            setAsked(null);
          }}
          title={`Remove ${name}?`}
          actions={
            <>
              <Button
                onClick={() => {
                  setAsked(null);
                }}
              >
                Cancel
              </Button>
              <Button
                kind="destructive"
                busy={act.isPending && 'Removing'}
                onClick={() => {
                  act.mutate(
                    { act: 'remove', name },
                    {
                      onSuccess: () => {
                        toast({ tone: 'ok', text: `Removed ${name}` });
                      },
                    },
                  );
                  setAsked(null);
                }}
              >
                Remove model
              </Button>
            </>
          }
        >
          <p>
            {bytes(here.size_bytes)} are freed, unless another model has the same file. To get it back, download it or
            add it from a file.
          </p>
        </Dialog>
      )}
      {asked === 'verify' && (
        <HashDialog
          name={name}
          onClose={() => {
            setAsked(null);
          }}
          onVerify={verify}
        />
      )}
    </>
  );

  function verify(sha256?: string) {
    setAsked(null);
    act.mutate(
      { act: 'verify', name, ...(sha256 ? { sha256 } : {}) },
      {
        onSuccess: () => {
          toast({ tone: 'ok', text: `${name} is intact` });
        },
      },
    );
  }
}

/** Requests the expected hash; without one, the file is compared with its first download. */
function HashDialog({
  name,
  onClose,
  onVerify,
}: {
  name: string;
  onClose: () => void;
  onVerify: (sha256?: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const submit = () => {
    const problem = problemOfHash(typed);
    setWrong(problem);
    if (!problem) onVerify(typed.trim() || undefined);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Verify ${name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={submit}>
            Verify
          </Button>
        </>
      }
    >
      <Field
        label="Expected SHA-256"
        error={wrong}
        help="From the publisher of the model. Leave it empty to check only that the file has not changed since the download."
      >
        {(control) => (
          <input
            {...control}
            className="in mono"
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              if (wrong) setWrong(problemOfHash(event.target.value));
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') submit();
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}

function Refusal({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <div role="alert" className="refusal">
      <Status tone="bad">{message}</Status>
    </div>
  );
}
