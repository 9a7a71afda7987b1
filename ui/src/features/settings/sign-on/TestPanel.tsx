import { LogIn, X } from 'lucide-react';
import { Button, Loading, dateTimeZone, useNow } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { Elsewhere } from './Elsewhere';
import { useTest } from './queries';
import { ReportView } from './ReportView';
import type { SettingName } from './types';

/** The dry run through the real provider, next to the form; narrow windows show it over the page. */
export function TestPanel({
  id,
  shown,
  starting,
  refusal,
  reason,
  onRun,
  onTake,
  onClose,
}: {
  id: string | null;
  shown: boolean;
  starting: boolean;
  /** Why the test did not start. */
  refusal: string | undefined;
  /** Why the test cannot start. */
  reason: string | undefined;
  onRun: () => void;
  onTake: (setting: SettingName, value: string) => void;
  onClose: () => void;
}) {
  const test = useTest(id);
  const now = useNow();
  const { data } = test;
  return (
    <aside className={shown ? 'drawer slim test shown' : 'drawer slim test'} aria-label="Test sign-in" tabIndex={-1}>
      <div className="dh split">
        <div>
          <h2 className="h2">Test sign-in</h2>
          <div className="small muted">
            {data ? `Dry run, ${dateTimeZone(data.at, now)}` : 'A dry run: changes nothing'}
          </div>
        </div>
        <span className="row">
          {instanceInFront === null && (
            <Button size="small" busy={starting && 'Starting'} reason={reason} onClick={onRun}>
              <LogIn className="i s" />
              {data ? 'Run again' : 'Test sign-in'}
            </Button>
          )}
          <Button size="small" kind="quiet" iconOnly className="show-m" aria-label="Close" onClick={onClose}>
            <X className="i s" />
          </Button>
        </span>
      </div>
      <div className="db stack">
        {instanceInFront !== null && <Elsewhere />}
        {refusal && (
          <div className="note bad" role="alert">
            {refusal}
          </div>
        )}
        {test.error && <div className="note bad">{test.error.message}</div>}
        {id !== null && test.isPending && <Loading lines={3} label="Reading the test" />}
        {data?.state === 'waiting' && (
          <div className="note info" role="status">
            <div>
              <div className="t">Sign in at your provider</div>
              <div className="muted">A new tab opened there. The result is shown here, check by check.</div>
            </div>
          </div>
        )}
        {data?.state === 'expired' && (
          <div className="note warn" role="status">
            <div>
              <div className="t">No response received</div>
              <div className="muted">
                The provider sent nothing in time. If it showed an error of its own, the assertion consumer URL or the
                audience registered there may differ from section 1.
              </div>
            </div>
          </div>
        )}
        {data?.report && <ReportView key={data.id} report={data.report} reference={data.reference} onTake={onTake} />}
        {instanceInFront === null && id === null && !refusal && (
          <div className="stack tight muted">
            <p>
              Opens your provider in a new tab with the values of the form, saved or not. Nobody is signed in, no user
              is created and no role changes.
            </p>
            <p>
              You see each check with what was expected and received, the attributes read, and which roles would follow.
            </p>
            {reason && <p className="hint">{reason}</p>}
          </div>
        )}
      </div>
    </aside>
  );
}
