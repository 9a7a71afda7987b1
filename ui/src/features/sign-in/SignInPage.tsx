import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useLocation } from '@tanstack/react-router';
import { CircleAlert, Server, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { codeOfLink, isOwnWindow, lookForSession, refusedLink, useAbout, useSession, useSignIn } from '@/api';
import type { Session } from '@/api';
import { CopyCommand, Status } from '@/shared';
import { hostOf, originHere } from '@/shared/place';
import { useStore } from '@/shared/store';
import { linkCommand } from './linkCommand';
import { Logo } from './Logo';
import { singleSignOn } from './next';
import { PasswordForm } from './PasswordForm';
import { RefusedPage } from './RefusedPage';
import './sign-in.css';
import { TokenForm } from './TokenForm';
import { Waves } from './Waves';

/** Checks for a sign-in in another tab when the user returns. */
function useOtherTabs(ended: Session | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!ended) return;
    const look = () => void lookForSession(client);
    window.addEventListener('focus', look);
    return () => {
      window.removeEventListener('focus', look);
    };
  }, [ended, client]);
}

/**
 * The ways in: single sign-on where it is switched on, the local administrator's password, an API token pair, a one-time link. `ended` is whose session is
 * over while their page is open.
 */
export function SignInPage({ ended = null }: { ended?: Session | null }) {
  useOtherTabs(ended);
  const session = useSession().data;
  const { pathname, href } = useLocation();
  const ways = useAbout().data?.sign_in;
  const [refused, setRefused] = useState(() => new URLSearchParams(window.location.search).get('refused'));
  const [other, setOther] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const link = useSignIn();
  const before = useStore(refusedLink);
  const noLink = link.error ?? before;
  const { mutate } = link;
  useEffect(() => {
    const follow = () => {
      const code = codeOfLink();
      if (code) mutate({ code });
    };
    follow();
    // A link pasted into the tab of this page changes only the part after #, so the browser loads nothing.
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, [mutate]);
  useEffect(() => {
    document.title = 'Sign in · Quarterdeck';
  }, []);
  if (session && pathname === '/sign-in' && !link.isPending) return <Navigate to="/overview" replace />;
  if (refused !== null && pathname === '/sign-in')
    return (
      <RefusedPage
        id={refused}
        onSignIn={() => {
          window.history.replaceState(window.history.state, '', '/sign-in');
          setRefused(null);
        }}
      />
    );
  const byProvider = ways?.saml === true;
  return (
    <div className="si">
      <header className="art">
        <div className="row brand">
          <Logo onArt />
          Quarterdeck
        </div>
        <p className="lead">
          See what the cloud costs,
          <br />
          and what to do about it.
        </p>
        <Waves />
      </header>
      <main className="sf">
        <div className="sc stack">
          <h1>{ended ? 'Sign in again' : 'Sign in to Quarterdeck'}</h1>
          {ended && (
            <p role="status">
              Your session has ended. Sign in as {ended.email}, and continue where you were: what you typed is still
              there.
            </p>
          )}
          <Instance isChecked={isChecked} />
          {noLink && !link.isPending && (
            <div className="note bad" role="alert">
              <CircleAlert className="i" />
              <div>
                <div className="t">This sign-in link is not valid</div>
                {noLink.code === 'link_spent'
                  ? `It was used before, has expired or was never valid. ${isOwnWindow() ? 'Close this window and open it again' : 'Print another with the command below'}, or sign in with an API token.`
                  : noLink.message}
              </div>
            </div>
          )}
          {link.isPending && <Status tone="info">Signing in with the link</Status>}
          {byProvider && !link.isPending && (
            <>
              {/* What was typed would not be there after another load of this tab. */}
              <a className="btn pri lg wide" href={singleSignOn(href)} target={ended ? '_blank' : undefined}>
                <ShieldCheck className="i" />
                Continue with single sign-on
              </a>
              <div className="or">
                <span>or</span>
              </div>
            </>
          )}
          {!link.isPending &&
            (ways?.password && !other ? (
              <>
                <PasswordForm />
                <Other
                  onPress={() => {
                    setOther(true);
                  }}
                >
                  Use an API token instead
                </Other>
              </>
            ) : (
              <>
                <TokenForm primary={!byProvider} />
                {ways?.password && (
                  <Other
                    onPress={() => {
                      setOther(false);
                    }}
                  >
                    Use the local administrator’s password instead
                  </Other>
                )}
              </>
            ))}
          {isOwnWindow() ? <OpenAgain /> : <LinkByCommand />}
          <section className="sec other">
            <h2 className="strong">Your data is elsewhere?</h2>
            <p className="help">
              Sign in at this computer, then add the other Quarterdeck under Settings, Instances: you sign in to it in
              your browser.
            </p>
          </section>
        </div>
        <Foot
          onCheck={() => {
            setChecked(true);
          }}
        />
      </main>
    </div>
  );
}

/** Opening the desktop window signs in the user of this computer. */
function OpenAgain() {
  return (
    <section className="sec other">
      <h2 className="strong">Or open the window again</h2>
      <p className="help">
        Close this window and open Quarterdeck again: it signs you in as the local administrator of this computer.
      </p>
    </section>
  );
}

function LinkByCommand() {
  return (
    <section className="sec other">
      <h2 className="strong">Or use a one-time link</h2>
      <p className="help">
        Quarterdeck prints one whenever it starts. Run this for a new link, with your e-mail if you have a user of your
        own:
      </p>
      <CopyCommand command={linkCommand(originHere)} />
    </section>
  );
}

function Other({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button type="button" className="bare otherway" onClick={onPress}>
      {children}
    </button>
  );
}

/** The instance and its availability, with latency after a manual check. */
function Instance({ isChecked }: { isChecked: boolean }) {
  const about = useAbout();
  return (
    <div className="instrow">
      <span className="ic">
        <Server className="i" />
      </span>
      <span className="grow">
        <b>{about.data?.instance ?? 'Quarterdeck'}</b>
        <span className="small muted block">{hostOf(originHere)}</span>
      </span>
      {about.error && <Status tone="bad">No answer</Status>}
      {about.data && !about.error && (
        <Status tone="ok">{isChecked ? `Reachable, ${String(about.data.latency)} ms` : 'Reachable'}</Status>
      )}
    </div>
  );
}

/** Links available before sign-in. */
function Foot({ onCheck }: { onCheck: () => void }) {
  const about = useAbout();
  const version = about.data?.version;
  return (
    <footer className="row small faint foot">
      {version && <span>v{version}</span>}
      <button
        type="button"
        className="bare link"
        onClick={() => {
          onCheck();
          void about.refetch();
        }}
      >
        Check connection
      </button>
      <a href="/licenses.txt">Licenses</a>
    </footer>
  );
}
