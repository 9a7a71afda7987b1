import { sendHere, useInstanceChange } from '@/api';
import type { Instance } from '@/api';
import { DataTable, Empty, Panel, Status, Toggle, bytes, dateTime, useNow, zone, timeRoom } from '@/shared';
import type { Column } from '@/shared';
import { Server } from 'lucide-react';

/** Stored copies of remote instances, for use while they cannot be reached. */
export function KeptPanel({ instances }: { instances: readonly Instance[] }) {
  const now = useNow();
  const change = useInstanceChange(({ id, keeps_copies }: { id: string; keeps_copies: boolean }) =>
    sendHere<null>('PUT', `/api/instances/${id}`, { keeps_copies }),
  );
  const columns: Column<Instance>[] = [
    { id: 'name', header: 'Instance', sortable: false, value: ({ name }) => name },
    {
      id: 'copy',
      header: `Copy, ${zone()}`,
      sortable: false,
      ...timeRoom(
        instances.map((one) => one.copy_of),
        now,
      ),
      value: ({ copy_of }) => copy_of,
      cell: ({ copy_of }) => (copy_of ? dateTime(copy_of, now) : <span className="muted">none</span>),
    },
    {
      id: 'size',
      header: 'Size',
      kind: 'number',
      sortable: false,
      width: 90,
      least: 64,
      value: ({ copy_bytes }) => copy_bytes,
      cell: ({ copy_of, copy_bytes }) => (copy_of ? bytes(copy_bytes) : '–'),
    },
    {
      id: 'keeps',
      header: 'Offline use',
      sortable: false,
      width: 120,
      least: 96,
      value: () => null,
      cell: ({ id, name, keeps_copies }) => (
        <Toggle
          label={`Store the pages you open of ${name}, for use while it cannot be reached`}
          on={keeps_copies}
          onChange={(keeps_copies) => {
            change.mutate({ id, keeps_copies });
          }}
        />
      ),
    },
  ];
  return (
    <Panel title="Stored on this computer" meta="the last responses; removed when switched off">
      <DataTable
        label="Stored on this computer"
        columns={columns}
        rows={instances}
        rowId={({ id }) => id}
        empty={<Empty icon={Server} title="No instance" />}
      />
      {change.error && <Status tone="bad">{change.error.message}</Status>}
    </Panel>
  );
}
