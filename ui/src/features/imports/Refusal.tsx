import type { ImportReport } from '@/api';
import { sentence, howToFix } from './wording';

/** A file that cannot be read: what was found, what was expected, what to do. */
export function Refusal({ report }: { report: ImportReport }) {
  const { error } = report;
  if (!error) return null;
  return (
    <div className="panel report">
      <div className="body stack">
        <p className="strong">{sentence(error.message)}</p>
        <dl className="kv">
          <dt>How to fix</dt>
          <dd>{howToFix(report)}</dd>
          {error.found && (
            <>
              <dt>Found</dt>
              <dd>{sentence(error.found)}</dd>
            </>
          )}
          {error.looked_for.length > 0 && (
            <>
              <dt>Looked for</dt>
              <dd>
                {error.looked_for.length > 4 ? (
                  `${error.looked_for.map(title).join(', ')}. “Where the files come from” shows what each needs.`
                ) : error.looked_for.every((name) => !name.includes(' ')) ? (
                  error.looked_for.join(', ')
                ) : (
                  <ul>
                    {error.looked_for.map((wanted) => (
                      <li key={wanted}>{sentence(wanted)}</li>
                    ))}
                  </ul>
                )}
              </dd>
            </>
          )}
        </dl>
      </div>
    </div>
  );
}

/** The name of a format listed together with its file type: “Trivy report: JSON of …”. */
function title(wanted: string): string {
  return wanted.split(': ', 1)[0] ?? wanted;
}
