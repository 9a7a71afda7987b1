import type { ImportReport } from '@/api';
import { count } from '@/shared';
import { linesOf, sentence } from './wording';

/** Why rows were skipped, by reason, with location and value found. `onLine` shows the first of them in the file. */
export function Skips({ report, onLine }: { report: ImportReport; onLine?: (line: number) => void }) {
  return (
    <div className="tw" tabIndex={0} role="group" aria-label="Rows that were skipped">
      <table className="tbl compact skipped">
        <thead>
          <tr>
            <th scope="col" className="n">
              Rows
            </th>
            <th scope="col">Why they were skipped</th>
            <th scope="col">Where</th>
            <th scope="col">Value found</th>
          </tr>
        </thead>
        <tbody>
          {report.reasons.map((reason) => (
            <tr key={`${reason.column} ${reason.reason}`}>
              <td className="n">{count(reason.count)}</td>
              <td className="why">{sentence(reason.reason)}</td>
              <td className="muted num where">
                {onLine && !reason.first_place ? (
                  <button
                    type="button"
                    className="link"
                    title={`Show line ${count(reason.first_line)} of the file`}
                    onClick={() => {
                      onLine(reason.first_line);
                    }}
                  >
                    {linesOf(reason)}
                  </button>
                ) : (
                  linesOf(reason)
                )}
              </td>
              <td className="mono muted value" title={reason.example}>
                {reason.column && `${reason.column} = `}
                {reason.example && `“${reason.example}”`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
