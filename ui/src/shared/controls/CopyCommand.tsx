import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

/** A command to run elsewhere, with a copy button that answers "Copied". */
export function CopyCommand({ command, label = 'Command' }: { command: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="join copycmd">
      <input
        className="in mono grow"
        readOnly
        size={Math.max(command.length, 1)}
        title={command}
        value={command}
        aria-label={label}
        onFocus={(event) => {
          event.target.select();
        }}
      />
      <button
        type="button"
        className="btn"
        onClick={() => {
          void navigator.clipboard.writeText(command).then(() => {
            setCopied(true);
          });
        }}
      >
        {copied ? <Check className="i s" /> : <Copy className="i s" />}
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
