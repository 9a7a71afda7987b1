import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { readImport } from '@/api';
import type { ApiError, ImportStatus } from '@/api';
import { Button, Content, SidePanel, Status, bytes } from '@/shared';
import { Outcome } from './Outcome';
import { useReadOnly } from './readOnly';
import { Report } from './Report';
import { reportOf } from './work';
import { isRefused, isUndoable, standing } from './wording';

/** The report of an earlier import in the side panel. */
export function EarlierReport({
  id,
  onClose,
  onUndo,
}: {
  id: string;
  onClose: () => void;
  onUndo: (id: string, name: string) => void;
}) {
  const reason = useReadOnly();
  const query = useQuery<ImportStatus, ApiError>({
    queryKey: ['import', id],
    queryFn: ({ signal }) => readImport(id, signal),
  });
  const status = query.data;
  const { tone, word } = standing(status?.state ?? 'waiting', isRefused(status?.report ?? null));
  return (
    <SidePanel
      label="Import report"
      head={
        <div className="stack tight">
          <h2 className="title mono-title">{status?.file_name ?? 'Import'}</h2>
          {status && (
            <div className="row">
              <Status tone={tone}>{word}</Status>
              <span className="muted num">{bytes(status.size_bytes)}</span>
            </div>
          )}
        </div>
      }
      onClose={onClose}
      actions={
        status &&
        isUndoable(status.state) && (
          <Button
            reason={reason}
            onClick={() => {
              onUndo(id, status.file_name);
            }}
          >
            <Undo2 className="i s" />
            Undo import
          </Button>
        )
      }
    >
      <Content of={query} what="The report could not be read">
        {(found) => {
          const report = reportOf(found);
          if (!report || found.state === 'waiting' || found.state === 'running') {
            return <p className="muted">This import has not finished yet.</p>;
          }
          return (
            <>
              <Outcome id={id} report={report} />
              <Report id={id} report={report} fileKept={found.file_kept !== false} />
            </>
          );
        }}
      </Content>
    </SidePanel>
  );
}
