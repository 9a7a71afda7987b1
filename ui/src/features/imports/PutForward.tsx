import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileText, X } from 'lucide-react';
import { importWaiting, putBack, useSampleInFront, useWindow, windowKey } from '@/api';
import type { WaitingFile } from '@/api';
import { Button, Panel, bytes, plural, toast } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useReadOnly } from './readOnly';
import { filesToPlace } from './whereTo';
import { works } from './works';

/** Files handed to the window that wait for confirmation; they have not been read yet. */
export function PutForward() {
  const files = useWindow().data?.files ?? [];
  const reason = useReadOnly();
  const isSample = useSampleInFront() !== undefined;
  const client = useQueryClient();
  const heard = () => client.invalidateQueries({ queryKey: windowKey });
  const failed = (error: Error) => {
    toast({ tone: 'bad', text: error.message });
  };
  const take = useMutation({
    mutationFn: (all: readonly WaitingFile[]) => importWaiting(all),
    onSuccess: ({ imports, refused }) => {
      works.takeUp(imports.map(({ id, name, size_bytes }) => ({ id, name, size: size_bytes ?? 0 })));
      for (const text of refused) toast({ tone: 'bad', text });
    },
    onError: failed,
    onSettled: heard,
  });
  const leave = useMutation({ mutationFn: putBack, onError: failed, onSettled: heard });
  if (files.length === 0 || instanceInFront) return null;
  const there = files.filter((file) => file.size_bytes !== null);
  const size = there.reduce((sum, file) => sum + (file.size_bytes ?? 0), 0);
  return (
    <Panel
      title="Waiting for you"
      meta={`${plural(files.length, 'file')}, ${bytes(size)}; not read yet`}
      actions={
        <>
          {there.length < files.length && (
            <Button size="small" kind="quiet" onClick={() => void heard()}>
              Look again
            </Button>
          )}
          <Button
            kind="primary"
            size="small"
            reason={reason ?? (there.length === 0 ? 'All of these files were moved or removed' : undefined)}
            busy={take.isPending && 'Importing'}
            onClick={() => {
              if (isSample) filesToPlace.set({ kind: 'waiting', files: there });
              else take.mutate(there);
            }}
          >
            Import {plural(there.length, 'file')}
          </Button>
        </>
      }
    >
      <table className="tbl imp">
        <tbody>
          {files.map((file) => (
            <tr key={file.id}>
              <td className="flex file">
                <span className="row">
                  <FileText className="i" />
                  <span className="mono cut" title={file.name}>
                    {file.name}
                  </span>
                </span>
              </td>
              <td className="n muted size">{file.size_bytes === null ? 'Moved or removed' : bytes(file.size_bytes)}</td>
              <td className="n act">
                <Button
                  size="small"
                  aria-label={`Leave out ${file.name}`}
                  disabled={take.isPending}
                  onClick={() => {
                    leave.mutate(file);
                  }}
                >
                  <X className="i s" />
                  Leave out
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
