import { Archive, CircleCheck, Lock, OctagonX, TriangleAlert } from 'lucide-react';
import { Button, DataTable, Empty, Panel, bytes, dateTime, useNow, zone, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import type { Backup, Backups } from './queries';

const reasons = {
  by_hand: 'By hand',
  schedule: 'Schedule',
  before_restore: 'Before a restore',
  uploaded: 'From a file',
} as const;

/** The backups, newest first, including failed ones. */
export function BackupList({
  data,
  opened,
  onOpen,
}: {
  data: Backups;
  opened: string | null;
  onOpen: (name: string) => void;
}) {
  const now = useNow();
  const columns: Column<Backup>[] = [
    {
      id: 'taken',
      header: `Taken, ${zone()}`,
      value: (row) => row.taken_at,
      width: timeWidth,
      cell: (row) => <span className="num strong">{dateTime(row.taken_at, now)}</span>,
    },
    {
      id: 'size',
      header: 'Size',
      value: (row) => row.bytes,
      kind: 'number',
      width: 66,
      cell: (row) => <span className="muted">{row.bytes > 0 ? bytes(row.bytes) : '–'}</span>,
    },
    { id: 'check', header: 'Check', value: (row) => row.check.state, cell: (row) => <CheckMark backup={row} /> },
    {
      id: 'reason',
      header: 'Reason',
      value: (row) => reasons[row.reason],
      width: 130,
      cell: (row) => (
        <span className="row muted">
          {reasons[row.reason]}
          {row.closed && <Lock className="i s" role="img" aria-label="closed with a passphrase" aria-hidden={false} />}
        </span>
      ),
    },
    {
      id: 'open',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 138,
      cell: (row) =>
        row.bytes > 0 && (
          <Button
            size="small"
            aria-label={`Preview restore of ${dateTime(row.taken_at, now)}`}
            onClick={() => {
              onOpen(row.name);
            }}
          >
            Preview restore
          </Button>
        ),
    },
  ];
  return (
    <Panel className="backuplist" title="Backups" meta="settings, costs, events, documents, not models">
      <DataTable
        label="Backups"
        columns={columns}
        rows={data.backups}
        error={null}
        rowId={(row) => row.name}
        openId={opened}
        onOpen={(row) => {
          if (row.bytes > 0) onOpen(row.name);
        }}
        rowHeight={46}
        primary
        defaultSort={[{ id: 'taken', desc: true }]}
        empty={
          <Empty icon={Archive} title="No backups yet">
            A backup is one file with all data except models and the keys of this computer. It is verified right after
            it is written, and stored in {data.folder}.
          </Empty>
        }
      />
    </Panel>
  );
}

function CheckMark({ backup: { check, left_out: leftOut = [] } }: { backup: Backup }) {
  const now = useNow();
  const without = leftOut.map(({ path, why }) => `${path} (${why})`).join(', ');
  if (check.state === 'verified')
    return (
      <div title={without && `Without ${without}`}>
        <span className="st ok plain">
          <CircleCheck className="i" />
          Verified
        </span>
        <div className="small faint cut">
          {dateTime(check.at, now)}
          {without && `, without ${without}`}
        </div>
      </div>
    );
  const failed = check.state === 'failed';
  return (
    <div title={check.why}>
      <span className={failed ? 'st bad' : 'st warn'}>
        {failed ? <OctagonX className="i" /> : <TriangleAlert className="i" />}
        {failed ? 'Failed' : 'Not verified'}
      </span>
      <div className="small faint cut">{check.why}</div>
    </div>
  );
}
