import type { ColumnFormat } from '@/api';

/** How numbers and dates of each column were parsed, and which columns were not imported. */
export function Formats({ formats, dropped }: { formats: readonly ColumnFormat[]; dropped: readonly string[] }) {
  return (
    <>
      {formats.length > 0 && (
        <section>
          <h3 className="strong">How numbers and dates were read</h3>
          <div className="tw" tabIndex={0} role="group" aria-label="How numbers and dates were read">
            <table className="tbl compact">
              <thead>
                <tr>
                  <th scope="col">Column</th>
                  <th scope="col">Format</th>
                  <th scope="col">In the file</th>
                  <th scope="col">Read as</th>
                </tr>
              </thead>
              <tbody>
                {formats.map((one) => (
                  <tr key={one.column}>
                    <td className="mono">{one.column}</td>
                    <td>{one.format}</td>
                    <td className="mono muted">{one.example}</td>
                    <td className="mono">{one.reads_as}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {dropped.length > 0 && (
        <section>
          <h3 className="strong">Columns that were not imported</h3>
          <p className="muted mono dropped">{dropped.join(', ')}</p>
        </section>
      )}
    </>
  );
}
