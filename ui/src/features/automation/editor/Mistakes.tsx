import { Status, plural } from '@/shared';

/** What is wrong with the text, each with its line; one press leads there. */
export function Mistakes({
  of,
  isCurrent,
  onLine,
}: {
  of: readonly { message: string; line: number | undefined }[];
  isCurrent: boolean;
  onLine: (line: number) => void;
}) {
  return (
    <div className="wf-mistakes" role="status" aria-live="polite">
      {!isCurrent && of.length === 0 ? (
        <span className="muted">Being checked…</span>
      ) : of.length === 0 ? (
        <Status tone="ok">No mistakes</Status>
      ) : (
        <>
          <Status tone="bad">{plural(of.length, 'mistake')}</Status>
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
        </>
      )}
    </div>
  );
}
