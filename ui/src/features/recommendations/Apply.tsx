import { Info, TriangleAlert } from 'lucide-react';
import { Commands } from './Commands';
import type { Row } from './row';
import { stepsOf } from './steps';

/** Commands that carry out the first option, with what to know before. Nothing is run from here. */
export function Apply({ row }: { row: Row }) {
  const { commands, warnings, missing } = stepsOf(row.evidence);
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
      {missing && (
        <div className="note">
          <Info className="i" />
          <p>{missing}</p>
        </div>
      )}
      {commands.length > 0 && (
        <section className="sec">
          <h3>With the AWS command line{account ? `, signed in to account ${account}` : ''}</h3>
          <Commands commands={commands.map((step, i) => ({ ...step, what: `${String(i + 1)}. ${step.what}` }))} />
          <p className="help">
            Quarterdeck shows these commands and runs none. They are built from the imported file: read them before you
            run them.
          </p>
        </section>
      )}
    </>
  );
}
