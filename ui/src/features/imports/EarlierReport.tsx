import { useQuery } from '@tanstack/react-query';
import { readImport } from '@/api';
import type { ApiError, ImportStatus } from '@/api';
import { Content, SidePanel, Status, bytes } from '@/shared';
import { Report } from './Report';
import { isRefused, standing } from './wording';

/** The report of an earlier import, beside the list. */
export function EarlierReport({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery<ImportStatus, ApiError>({
    queryKey: ['import', id],
    queryFn: ({ signal }) => readImport(id, signal),
  });
  const status = query.data;
  const { tone, word } = standing(status?.state ?? 'waiting', isRefused(status?.report ?? null));
  return (
    <SidePanel
      label="Report of an import"
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
    >
      <Content of={query} what="The report could not be read">
        {(found) =>
          found.report?.state ? (
            <Report id={id} report={found.report} />
          ) : (
            <p className="muted">This import has not ended yet.</p>
          )
        }
      </Content>
    </SidePanel>
  );
}
