import { Check, Copy, Info, TriangleAlert } from 'lucide-react';
import { Fragment, useState } from 'react';
import { host } from '@/host';
import { Button } from '@/shared';
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
          <ol className="steps-cli">
            {commands.map(({ what, command }, i) => (
              <Command key={command} what={`${String(i + 1)}. ${what}`} command={command} />
            ))}
          </ol>
          <p className="help">
            Quarterdeck shows these commands and runs none. They are built from the imported file: read them before you
            run them.
          </p>
        </section>
      )}
    </>
  );
}

/** The whole command, wrapped rather than cut. */
function Command({ what, command }: { what: string; command: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <li>
      <div className="split">
        <span className="muted">{what}</span>
        <Button
          size="small"
          kind="quiet"
          aria-label={`Copy: ${what}`}
          onClick={() => {
            void host.copy(command).then(() => {
              setCopied(true);
            });
          }}
        >
          {copied ? <Check className="i s" /> : <Copy className="i s" />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <code className="mono">
        {command.split(' ').map((word, i) => (
          <Fragment key={i}>
            {i > 0 && ' '}
            <span className="word">{word}</span>
          </Fragment>
        ))}
      </code>
    </li>
  );
}
