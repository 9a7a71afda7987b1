import { useMutation, useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Eye, KeyRound, Laptop, ShieldCheck, SquarePen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, post, useAbout, useSignOut } from '@/api';
import type { ApiError, Rest, TenantChoice } from '@/api';
import { Button, Field, Loading, Status } from '@/shared';
import { host } from '@/host';
import { hostOf, originHere } from '@/shared/place';
import { Logo } from './Logo';
import { Steps } from './Steps';
import './sign-in.css';

/** The request of a desktop program. */
type DeviceRequest = Rest.DeviceRequest;

interface Answer {
  allow: boolean;
  tenant: string;
}

type DeviceDecision = Rest.DeviceAnswered;

/** The page a desktop program opens in the browser: shows device and account, and asks for approval. */
export function DevicePage() {
  const about = useAbout().data;
  // Passed on from the address unchanged: the service parses it, not this page.
  const [request] = useState(() => window.location.search.slice(1));
  const asked = useQuery<DeviceRequest, ApiError>({
    queryKey: ['desktop asks', request],
    staleTime: Infinity,
    queryFn: ({ signal }) => call<DeviceRequest>(`/api/auth/desktop/consent?${request}`, { signal }),
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const tenants = asked.data?.tenants ?? [];
  const tenant = tenants.find(({ id, current }) => (chosen ? id === chosen : current)) ?? tenants[0];
  const answer = useMutation<DeviceDecision, ApiError, Answer>({
    mutationFn: (given) => post<DeviceDecision>('/api/auth/desktop/consent', { request, ...given }),
    onSuccess: ({ redirect }) => {
      if (redirect) window.location.assign(redirect);
    },
  });
  useEffect(() => {
    document.title = 'Allow a desktop · Quarterdeck';
  }, []);
  return (
    <div className="plain-page">
      <header>
        <Logo />
        <span>Quarterdeck</span>
        <span className="muted instance">
          {about?.instance}
          {tenant && `, ${tenant.name}`}
        </span>
      </header>
      <main className="refused">
        {answer.data ? (
          <Done answered={answer.data} allowed={answer.variables.allow} />
        ) : asked.data && tenant ? (
          <Consent
            asked={asked.data}
            tenant={tenant}
            onTenant={setChosen}
            busy={answer.isPending}
            error={answer.error}
            onAnswer={(allow) => {
              answer.mutate({ allow, tenant: tenant.id });
            }}
          />
        ) : asked.error ? (
          <Wrong error={asked.error} />
        ) : (
          <Loading lines={4} label="Loading the request" />
        )}
      </main>
      <footer>
        <span>{hostOf(originHere)}</span>
      </footer>
    </div>
  );
}

function Consent({
  asked,
  tenant,
  onTenant,
  busy,
  error,
  onAnswer,
}: {
  asked: DeviceRequest;
  tenant: TenantChoice;
  onTenant: (id: string) => void;
  busy: boolean;
  error: ApiError | null;
  onAnswer: (allow: boolean) => void;
}) {
  const signOut = useSignOut();
  const writes = tenant.roles.some((role) => role.endsWith('_admin'));
  return (
    <div className="stack">
      <section className="sheet" aria-labelledby="asks">
        <div>
          <h1 id="asks">Allow this desktop to sign in?</h1>
          <p className="muted read">Quarterdeck on a computer asks to use your account, {asked.email}.</p>
        </div>
        <div className="panel said devcard">
          <span className="ic">
            <Laptop className="i" />
          </span>
          <b className="grow cut" title={asked.device}>
            {asked.device}
          </b>
          <span className="devmark">
            <span className="small muted">Code</span>
            <b className="mono">{asked.mark}</b>
          </span>
        </div>
        <p className="help">
          The desktop shows the same code. If it differs, or you did not start this, choose Do not allow.
        </p>
        {asked.tenants.length > 1 && (
          <Field label="Tenant" help="The desktop uses this tenant. For another one, sign in again from the desktop.">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={tenant.id}
                onChange={(event) => {
                  onTenant(event.target.value);
                }}
              >
                {asked.tenants.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <ul className="stack tight devlist">
          <li>
            <Eye className="i" />
            <span>
              <b>See what you can see</b>
              <span className="small muted block">Costs, events and settings of {tenant.name}</span>
            </span>
          </li>
          {writes && (
            <li>
              <SquarePen className="i" />
              <span>
                <b>Do what you may do</b>
                <span className="small muted block">
                  In your name; sign-in and sign-out are recorded in the audit trail
                </span>
              </span>
            </li>
          )}
          <li>
            <KeyRound className="i" />
            <span>
              <b>Stay signed in until you sign out</b>
              <span className="small muted block">
                Or until it is not used for 30 days. Revoke it under Settings, Sessions.
              </span>
            </span>
          </li>
        </ul>
        {error && <Status tone="bad">{error.message}</Status>}
        <div className="row devact">
          <Button
            size="large"
            disabled={busy}
            onClick={() => {
              onAnswer(false);
            }}
          >
            Do not allow
          </Button>
          <Button
            size="large"
            kind="primary"
            busy={busy && 'Answering'}
            onClick={() => {
              onAnswer(true);
            }}
          >
            <ShieldCheck className="i" />
            Allow sign-in
          </Button>
        </div>
        <p className="help">
          {asked.answers_to ? (
            <>
              Answers only to <span className="mono">{asked.answers_to}</span> on this computer
            </>
          ) : (
            'Shows a code to enter on the desktop'
          )}
        </p>
      </section>
      <p className="small muted center">
        Not {asked.email}?{' '}
        <button
          type="button"
          className="bare link"
          onClick={() => {
            signOut.mutate();
          }}
        >
          Sign in as someone else
        </button>
      </p>
    </div>
  );
}

function Done({ answered, allowed }: { answered: DeviceDecision; allowed: boolean }) {
  const { code } = answered;
  if (!allowed)
    return (
      <section className="sheet">
        <h1>
          <Ban className="i" /> Not allowed
        </h1>
        <p className="muted read">The desktop stays signed out. You can close this page.</p>
      </section>
    );
  if (!code)
    return (
      <section className="sheet">
        <h1>
          <CircleCheck className="i" /> Allowed
        </h1>
        <p className="muted read">Going back to the desktop. You can close this page.</p>
      </section>
    );
  return (
    <section className="sheet">
      <div>
        <h1>Copy this code</h1>
        <p className="muted read">
          Paste it into Quarterdeck on the computer that asked. It works once, for five minutes.
        </p>
      </div>
      <output className="panel said mono" aria-label="Code">
        {code}
      </output>
      <CopyCode code={code} />
    </section>
  );
}

function CopyCode({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      kind="primary"
      size="large"
      onClick={() => {
        void host.copy(code).then(() => {
          setCopied(true);
        });
      }}
    >
      {copied ? 'Copied' : 'Copy code'}
    </Button>
  );
}

/** Instructions for a link that is incomplete or of another version. */
const stepsBack = [
  'Go back to Quarterdeck on the computer that asked.',
  'Start the sign-in there again.',
  'Use the page that it opens, with its full address.',
];

function Wrong({ error }: { error: ApiError }) {
  return (
    <section className="sheet" aria-labelledby="wrong">
      <span className="disc bad">
        <Ban className="i l" />
      </span>
      <div>
        <h1 id="wrong">Not a valid desktop sign-in link</h1>
        <p className="muted read">No desktop was signed in.</p>
      </div>
      <div className="panel said">
        <span className="small muted">The server said</span>
        <div className="mono">{error.message}</div>
      </div>
      <Steps steps={stepsBack} />
      <div className="row">
        <a className="btn pri lg" href="/overview">
          Open Quarterdeck here
        </a>
      </div>
    </section>
  );
}
