import { useQuery } from '@tanstack/react-query';
import { Ban, KeyRound, RotateCcw, ShieldAlert, TimerOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { call, useAbout } from '@/api';
import type { ApiError, Rest } from '@/api';
import { Loading, Status, dateTimeZone, useNow } from '@/shared';
import { host } from '@/host';
import { hostOf, originHere } from '@/shared/place';
import { Logo } from './Logo';
import { Steps } from './Steps';
import { useState } from 'react';

/** Why a sign-in was refused, as shown to the user: kept for 15 minutes. */
type SignInRefusal = Rest.RefusedSignIn;

/** Causes that trying again may mend. */
const passing = /late|expired_request|session|request|replay|clock|code/;
const withdrawn = /suspend|allowed|inactive|placement|tenant/;

/** The cause in one line, the message of the service, steps, one button, and a reference. */
export function RefusedPage({ id, onSignIn }: { id: string; onSignIn: () => void }) {
  const about = useAbout().data;
  const refused = useQuery<SignInRefusal, ApiError>({
    queryKey: ['refused', id],
    staleTime: Infinity,
    queryFn: ({ signal }) => call<SignInRefusal>(`/api/auth/refusals/${encodeURIComponent(id)}`, { signal }),
  });
  return (
    <div className="plain-page">
      <header>
        <Logo />
        <span>Quarterdeck</span>
        <span className="muted instance">{about?.instance}</span>
      </header>
      <main className="refused">
        {refused.data ? (
          <Card refused={refused.data} password={about?.sign_in.password === true} onSignIn={onSignIn} />
        ) : refused.error ? (
          <section className="sheet">
            <span className="disc warn">
              <TimerOff className="i l" />
            </span>
            <div>
              <h1>Sign-in was refused</h1>
              <p className="muted read">
                {refused.error.status === 404
                  ? 'The reason is shown for 15 minutes only. An administrator can find it under Settings, Single sign-on, Recent refusals.'
                  : refused.error.message}
              </p>
            </div>
            <div className="row">
              <Again onSignIn={onSignIn} />
            </div>
          </section>
        ) : (
          <Loading lines={4} label="Reading why" />
        )}
      </main>
      <footer>
        <span>{hostOf(originHere)}</span>
        {about ? <Status tone="ok">Reachable</Status> : null}
      </footer>
    </div>
  );
}

function Again({ onSignIn }: { onSignIn: () => void }) {
  return (
    <button type="button" className="btn pri lg" onClick={onSignIn}>
      <RotateCcw className="i" />
      Sign in again
    </button>
  );
}

function Card({ refused, password, onSignIn }: { refused: SignInRefusal; password: boolean; onSignIn: () => void }) {
  const now = useNow();
  const { cause } = refused;
  const [Icon, tone]: [LucideIcon, string] = withdrawn.test(cause)
    ? [Ban, 'bad']
    : passing.test(cause)
      ? [TimerOff, 'warn']
      : [ShieldAlert, 'bad'];
  return (
    <section className="sheet" aria-labelledby="refused">
      <span className={`disc ${tone}`}>
        <Icon className="i l" />
      </span>
      <div>
        <h1 id="refused">{refused.title}</h1>
        <p className="muted read">{refused.explanation}</p>
      </div>
      <div className="panel said">
        <span className="small muted">The server said</span>
        <div className="mono">{refused.message}</div>
      </div>
      {refused.steps.length > 0 && <Steps steps={refused.steps} />}
      <div className="row">
        {password && tone === 'bad' && !withdrawn.test(cause) ? (
          <button type="button" className="btn lg" onClick={onSignIn}>
            <KeyRound className="i" />
            Sign in another way
          </button>
        ) : (
          <Again onSignIn={onSignIn} />
        )}
      </div>
      <div className="split small muted ref">
        <span>
          Reference <span className="mono">{refused.reference}</span>
        </span>
        <span className="row">
          <time className="num" dateTime={refused.at}>
            {dateTimeZone(refused.at, now)}
          </time>
          <CopyReference text={refused.reference} />
        </span>
      </div>
    </section>
  );
}

function CopyReference({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="btn ghost sm"
      aria-label={`Copy reference ${text}`}
      onClick={() => {
        void host.copy(text).then(() => {
          setCopied(true);
        });
      }}
    >
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}
