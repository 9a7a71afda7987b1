import { Status, plural } from '@/shared';

interface Finding {
  message: string;
  line: number | undefined;
}

/** Errors and warnings of the text, each with a link to its line. */
export function Mistakes({
  of,
  warnings,
  isCurrent,
  onLine,
}: {
  of: readonly Finding[];
  /** A text with warnings can be saved. */
  warnings: readonly Finding[];
  isCurrent: boolean;
  onLine: (line: number) => void;
}) {
  return (
    <div className="wf-mistakes" role="status" aria-live="polite">
      {!isCurrent && of.length === 0 ? (
        <span className="muted">Checking…</span>
      ) : of.length === 0 ? (
        <Status tone="ok">No errors</Status>
      ) : (
        <>
          <Status tone="bad">{plural(of.length, 'error')}</Status>
          <Findings of={of} onLine={onLine} />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <Status tone="warn">{plural(warnings.length, 'warning')}</Status>
          <Findings of={warnings} onLine={onLine} />
        </>
      )}
    </div>
  );
}

function Findings({ of, onLine }: { of: readonly Finding[]; onLine: (line: number) => void }) {
  return (
    <ul>
      {of.map(({ message, line }) => (
        <li key={message}>
          {line === undefined ? (
            message
          ) : (
            <button
              type="button"
              className="bare"
              onClick={() => {
                onLine(line);
              }}
            >
              {message.startsWith('line ') ? message : `line ${String(line)}, ${message}`}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
