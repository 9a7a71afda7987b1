import { KeyRound } from 'lucide-react';
import { Button, DataTable, Empty, dateTime, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import type { Secret } from './queries';
import { texts } from './words';

/** The secrets with where they may be sent; each is changed and removed in its row. */
export function SecretTable({
  rows,
  error,
  retry,
  reason,
  onChange,
  onRemove,
}: {
  rows: Secret[] | undefined;
  error: Error | null;
  retry: () => unknown;
  /** Why nothing can be changed. */
  reason: string | undefined;
  onChange: (secret: Secret) => void;
  onRemove: (secret: Secret) => void;
}) {
  const now = useNow();
  const columns: Column<Secret>[] = [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      cell: (row) => (
        <>
          <div className="cut strong mono">{row.name}</div>
          <div className="cut small muted">
            {row.is_sealed ? 'Stored here, encrypted' : 'From the environment of the service'}
          </div>
        </>
      ),
    },
    {
      id: 'hosts',
      header: 'Sent to',
      value: (row) => row.hosts.join(', '),
      cell: (row) =>
        row.hosts.length === 0 ? (
          <span className="muted">anywhere</span>
        ) : (
          <span className="cut" title={row.hosts.join(', ')}>
            {row.hosts.join(', ')}
          </span>
        ),
    },
    {
      id: 'changed',
      header: 'Changed',
      value: (row) => row.updated_at,
      width: timeWidth,
      cell: (row) => (
        <>
          <div className="num">{row.updated_at ? dateTime(row.updated_at, now) : ''}</div>
          <div className="cut small muted">{row.updated_by}</div>
        </>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 178,
      cell: (row) => (
        <span className="row">
          <Button
            size="small"
            aria-label={`Change ${row.name}`}
            reason={reason}
            onClick={() => {
              onChange(row);
            }}
          >
            Change
          </Button>
          <Button
            size="small"
            aria-label={`Remove ${row.name}`}
            reason={reason}
            onClick={() => {
              onRemove(row);
            }}
          >
            Remove…
          </Button>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label="Workflow secrets"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      empty={
        <Empty icon={KeyRound} title={texts.empty.title}>
          {texts.empty.text}
        </Empty>
      }
    />
  );
}
