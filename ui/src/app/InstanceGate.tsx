import { useEffect } from 'react';
import { useInstanceInFront, useInstances } from '@/api';
import { Passphrase, SignInPanel } from '@/features/settings/instances/SignInPanel';
import { Failure, Loading } from '@/shared';
import { pageIn } from '@/shared/place';
import { programName } from '@/shared/windowName';
import { Logo } from './Logo';

const reload = () => {
  window.location.reload();
};

/** Replaces every page of a remote instance that this computer is not signed in to: signed out, revoked, or locked. */
export function InstanceGate({ why }: { why: 'instance_signed_out' | 'instance_locked' }) {
  const all = useInstances();
  const instance = useInstanceInFront();
  const name = instance?.name;
  useEffect(() => {
    document.title = ['Sign in', name, programName].filter(Boolean).join(' · ');
  }, [name]);
  return (
    <div className="plain-page">
      <header className={instance ? `inst-${instance.colour}` : ''}>
        <Logo />
        <span>Quarterdeck</span>
        <span className="muted instance">{instance?.name}</span>
      </header>
      <main className="gate">
        {all.error ? (
          <Failure what="Instances could not be read" error={all.error} retry={all.refetch} />
        ) : !all.data ? (
          <Loading lines={3} label="Reading instances" />
        ) : (
          <section className="sheet" aria-labelledby="gate">
            <div>
              <h1 id="gate">{instance ? `Sign in to ${instance.name}` : 'Unknown instance'}</h1>
              <p className="muted read">
                {!instance
                  ? 'It was removed from this computer. Add it again under Settings, Instances.'
                  : why === 'instance_locked'
                    ? 'The key to this instance is in a file protected by a passphrase.'
                    : instance.email
                      ? `This computer was signed out of the instance, or ${instance.email} revoked it.`
                      : 'This computer is not signed in to the instance.'}
              </p>
              {instance && <p className="mono small">{instance.address}</p>}
            </div>
            {instance &&
              (why === 'instance_locked' ? (
                <Passphrase onOpen={reload} />
              ) : (
                <SignInPanel instance={instance} onDone={reload} />
              ))}
            <a href={pageIn(null, '/overview')}>Go to this computer</a>
          </section>
        )}
      </main>
      <footer />
    </div>
  );
}
