import { Check, Copy } from 'lucide-react';
import { Fragment, useState } from 'react';
import { host } from '@/host';
import { Button } from '@/shared';

/** Commands to run elsewhere, in order, each with a description and a copy button. */
export function Commands({ commands }: { commands: readonly { what: string; command: string }[] }) {
  return (
    <ol className="steps-cli">
      {commands.map(({ what, command }) => (
        <Command key={command} what={what} command={command} />
      ))}
    </ol>
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
