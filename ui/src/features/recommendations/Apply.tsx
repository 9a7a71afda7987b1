import { TriangleAlert } from 'lucide-react';
import { Suspense, lazy } from 'react';
import { Loading } from '@/shared';
import { Commands } from './Commands';
import type { Row } from './row';
import { stepsOf } from './steps';

const ResolutionPlan = lazy(() => import('./ResolutionPlan').then((found) => ({ default: found.ResolutionPlan })));

/** Prerequisites, the ways to apply it from here, and commands to run yourself. */
export function Apply({ row }: { row: Row }) {
  const { commands, warnings } = stepsOf(row.evidence);
  const account = row.evidence.owner ?? row.stored.cloud_account.account_number;
  return (
    <>
      {warnings.length > 0 && (
        <div className="note warn">
          <TriangleAlert className="i" />
          <div className="stack tight">
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </div>
        </div>
      )}
      <Suspense fallback={<Loading lines={4} />}>
        <ResolutionPlan row={row} />
      </Suspense>
      {commands.length > 0 && (
        <section className="sec">
          <h3>With the AWS command line{account ? `, signed in to account ${account}` : ''}</h3>
          <Commands commands={commands.map((step, i) => ({ ...step, what: `${String(i + 1)}. ${step.what}` }))} />
          <p className="help">
            These commands are for you to run. They are built from the imported file: read them before.
          </p>
        </section>
      )}
    </>
  );
}
