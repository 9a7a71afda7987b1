import { Info, TriangleAlert } from 'lucide-react';
import { CopyCommand } from '@/shared';
import { stepsOf } from './steps';
import type { Row } from './row';

/** Commands that carry out the first option, with what to know before. Nothing is run from here. */
export function Apply({ row }: { row: Row }) {
  const { commands, warnings, missing } = stepsOf(row.evidence);
  const account = row.stored.cloud_account.account_number;
  return (
    <>
      {warnings.map((warning) => (
        <div className="note warn" key={warning}>
          <TriangleAlert className="i" />
          <p>{warning}</p>
        </div>
      ))}
      {missing && (
        <div className="note">
          <Info className="i" />
          <p>{missing}</p>
        </div>
      )}
      {commands.length > 0 && (
        <section className="sec">
          <h3>With the AWS command line{account ? `, signed in to account ${account}` : ''}</h3>
          <ol className="stack tight">
            {commands.map(({ what, command }, i) => (
              <li key={command} className="do">
                <span className="muted">
                  {i + 1}. {what}
                </span>
                <CopyCommand label={what} command={command} />
              </li>
            ))}
          </ol>
          <p className="help">
            Quarterdeck shows the commands and runs none. They are built from the file; read them first.
          </p>
        </section>
      )}
    </>
  );
}
