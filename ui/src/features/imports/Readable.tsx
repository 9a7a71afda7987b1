import { useQuery } from '@tanstack/react-query';
import { readFormats, type ReadableFormat } from '@/api';

/** The supported formats: the list by which the service detects files. */
export function Readable() {
  const formats = useQuery<ReadableFormat[]>({
    queryKey: ['readable formats'],
    queryFn: ({ signal }) => readFormats(signal),
    staleTime: Infinity,
  });
  if (!formats.data) return null;
  return (
    <details>
      <summary className="strong">Supported files</summary>
      <div className="tw" tabIndex={0} role="group" aria-label="Supported files">
        <table className="tbl wrap">
          <thead>
            <tr>
              <th scope="col">Kind of file</th>
              <th scope="col">How to get it</th>
              <th scope="col">What it adds</th>
            </tr>
          </thead>
          <tbody>
            {formats.data.map((format) => (
              <tr key={format.title}>
                <td>{format.title}</td>
                <td className="muted">{format.source}</td>
                <td className="muted">{format.fills}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
