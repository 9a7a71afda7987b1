import { LoaderCircle } from 'lucide-react';
import { useEffect } from 'react';
import { Button, Loading, Status } from '@/shared';
import { useStore } from '@/shared/store';
import { switchProgress } from './tenants';

/** Replaces every page while switching tenants, with the progress of the work done first. */
export function SwitchProgress() {
  const work = useStore(switchProgress);
  const isBusy = work !== null && work.failure === null;
  useEffect(() => {
    if (!isBusy) return;
    // Files not uploaded yet would be lost with the page; the browser asks with its own text.
    const ask = (event: BeforeUnloadEvent) => {
      if (switchProgress.get()?.failure === null) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
    };
  }, [isBusy]);
  if (!work) return <Loading lines={1} label="Opening the other tenant" />;
  return (
    <main className="alone">
      {work.failure === null ? (
        <p role="status" className="row">
          <LoaderCircle className="i" />
          {work.text}
        </p>
      ) : (
        <div className="stack">
          <p role="alert">
            <Status tone="bad">{work.failure}</Status>
          </p>
          <div className="row">
            <Button
              kind="primary"
              onClick={() => {
                window.location.replace(work.page);
              }}
            >
              Continue
            </Button>
          </div>
        </div>
      )}
    </main>
  );
}
