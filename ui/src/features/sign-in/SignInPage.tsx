import { Navigate, useLocation } from '@tanstack/react-router';
import { CircleAlert, CloudOff, Server } from 'lucide-react';
import { useEffect } from 'react';
import { useAbout, useSession, useSignIn } from '@/api';
import { Button, CopyCommand, Status } from '@/shared';
import { linkCommand, takeCode } from './code';
import './sign-in.css';
import { TokenForm } from './TokenForm';
import { Waves } from './Waves';

/** The ways in: a one-time link, which signs in by itself, or an API token pair. */
export function SignInPage() {
  const session = useSession().data;
  const { pathname } = useLocation();
  const link = useSignIn();
  const { mutate } = link;
  useEffect(() => {
    const code = takeCode();
    if (code) mutate({ code });
  }, [mutate]);
  useEffect(() => {
    document.title = 'Sign in · Quarterdeck';
  }, []);
  if (session && pathname === '/sign-in' && !link.isPending) return <Navigate to="/overview" replace />;
  return (
    <div className="si">
      <header className="art">
        <div className="row brand">
          <Mark />
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
          <h1>Sign in to Quarterdeck</h1>
          <Instance />
          {link.error && (
            <div className="note bad" role="alert">
              <CircleAlert className="i" />
              <div>
                <div className="t">This link does not sign in</div>
                {link.error.code === 'link_spent'
                  ? 'It was used before, has expired or was never valid. Print another with the command below, or sign in with an API token.'
                  : link.error.message}
              </div>
            </div>
          )}
          {link.isPending ? <Status tone="info">Signing in with the link</Status> : <TokenForm />}
          <section className="sec other">
            <h2 className="strong">Or use a one-time link</h2>
            <p className="help">
              Quarterdeck prints one whenever it starts. While it runs, this prints another, with your e-mail in place
              of the local administrator’s if you have one:
            </p>
            <CopyCommand command={linkCommand(window.location.origin)} />
          </section>
          <section className="sec other">
            <Button size="large" className="wide" disabled aria-describedby="no-remote">
              <CloudOff className="i" />
              Connect to a remote instance
            </Button>
            <p className="help" id="no-remote">
              Not available in this version: it works with the data on this computer. To bring in costs, sign in and
              import files.
            </p>
          </section>
        </div>
        <Version />
      </main>
    </div>
  );
}

function Instance() {
  const about = useAbout();
  return (
    <div className="instrow">
      <span className="ic">
        <Server className="i" />
      </span>
      <span className="grow">
        <b>{about.data?.instance ?? 'Quarterdeck'}</b>
        <span className="small muted block">{window.location.host}</span>
      </span>
      {about.error && <Status tone="bad">No answer</Status>}
      {about.data && !about.error && <Status tone="ok">Reachable</Status>}
    </div>
  );
}

function Version() {
  const version = useAbout().data?.version;
  return <div className="small faint">{version && `v${version}`}</div>;
}

function Mark() {
  return (
    <svg width="36" height="36" viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill="rgb(255 255 255 / .14)" />
      <path d="M6.5 17.5a8 8 0 0 1 8-8v8z" fill="#fff" />
      <path d="M17 9.5h4.5v8H17z" fill="#fff" opacity=".42" />
      <path d="M6.5 20h15v2h-15z" fill="#fff" />
    </svg>
  );
}
