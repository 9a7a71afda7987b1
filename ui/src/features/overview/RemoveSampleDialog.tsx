import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { readSampleContents } from '@/api';
import type { ApiError, SampleContents } from '@/api';
import { Button, Content, Dialog, Status, count, plural } from '@/shared';

/** Lists the sample data to be removed and asks for confirmation. */
export function RemoveSampleDialog({
  busy,
  error,
  onRemove,
  onClose,
}: {
  busy: boolean;
  error: Error | null;
  onRemove: () => void;
  onClose: () => void;
}) {
  const contents = useQuery<SampleContents, ApiError>({
    queryKey: ['sample', 'contents'],
    queryFn: ({ signal }) => readSampleContents(signal),
    staleTime: 0,
    gcTime: 0,
  });
  const files = contents.data?.imported ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remove the sample data?"
      help="Its tenant and everything in it are removed. This cannot be undone, but you can load the sample again."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="destructive" disabled={!contents.data} busy={busy && 'Removing'} onClick={onRemove}>
            {files.length > 0 ? `Remove it and ${plural(files.length, 'imported file')}` : 'Remove everything'}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Content of={contents} what="Its contents could not be counted" lines={2}>
          {(found) => (
            <>
              {found.imported.length > 0 && <Imported files={found.imported} />}
              {found.rows.length > 0 ? (
                <dl className="kv" aria-label="What is removed">
                  {found.rows.map((row) => (
                    <Row key={row.kind} {...row} />
                  ))}
                </dl>
              ) : (
                <p className="muted">It is empty.</p>
              )}
            </>
          )}
        </Content>
        {error && (
          <p role="alert">
            <Status tone="bad">{error.message}</Status>
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Row({ kind, count: many }: SampleContents['rows'][number]) {
  const word = many === 1 ? kind : kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return (
    <>
      <dt>{word.charAt(0).toUpperCase() + word.slice(1)}</dt>
      <dd className="num">{count(many)}</dd>
    </>
  );
}

/** Files imported into the sample tenant before such imports were refused. */
function Imported({ files }: { files: SampleContents['imported'] }) {
  return (
    <div className="note warn" role="alert">
      <TriangleAlert className="i" />
      <div>
        <b>{plural(files.length, 'file')} that someone imported here would also be removed</b>
        <ul>
          {files.map((file, at) => (
            // The same file may have been imported twice.
            <li key={`${String(at)} ${file.file_name}`}>
              <span className="mono">{file.file_name}</span>, {plural(file.rows, 'row')}
            </li>
          ))}
        </ul>
        <p>Import them into your own tenant first if you need them.</p>
      </div>
    </div>
  );
}
