import { Laptop } from 'lucide-react';
import { useSession } from '@/api';
import { Button, DataTable, Empty, Status, age, dateOf, dateTime, toast, useNow, timeRoom } from '@/shared';
import type { Column } from '@/shared';
import { useDevices, useRevokeDevice } from '../devices';
import type { DeviceRow } from '../devices';
import { isElsewhere } from '../elsewhere';

const keptIn = { keyring: 'Keyring', file: 'Encrypted file', run: 'Memory only' } as const;

function ended(row: DeviceRow, now: Date): string | null {
  if (row.revoked_at === null) return null;
  const day = dateOf(row.revoked_at, now);
  if (row.revoked_by === 'device') return `Signed out ${day}`;
  return row.revoked_by === 'reuse' ? `Key copied, out ${day}` : `Revoked ${day}`;
}

/** Approved desktop programs, which can be revoked. */
export function DeviceTable({ everyone }: { everyone: boolean }) {
  const now = useNow();
  const devices = useDevices(everyone);
  const front = useSession().data?.tenant.name;
  const revoke = useRevokeDevice();
  const columns: Column<DeviceRow>[] = [
    {
      id: 'name',
      header: 'Desktop',
      value: (row) => row.name,
      cell: (row) => (
        <span className="row who">
          <Laptop className="i" />
          <span className="cut" title={row.platform ?? undefined}>
            {row.name}
            <span className="small muted block">{row.platform ?? 'System not known'}</span>
          </span>
        </span>
      ),
    },
    ...(everyone ? [{ id: 'user', header: 'User', value: (row: DeviceRow) => row.user.email, width: 200 }] : []),
    ...(isElsewhere(devices.data, front)
      ? [{ id: 'tenant', header: 'Tenant', value: (row: DeviceRow) => row.tenant, width: 124 } as Column<DeviceRow>]
      : []),
    {
      id: 'state',
      header: 'State',
      value: (row) => ended(row, now) ?? 'Signed in',
      width: 160,
      cell: (row) => {
        const end = ended(row, now);
        return (
          <Status tone={end === null ? 'ok' : row.revoked_by === 'reuse' ? 'bad' : 'off'}>{end ?? 'Signed in'}</Status>
        );
      },
    },
    {
      id: 'created',
      header: 'Signed in',
      value: (row) => row.created_at,
      ...timeRoom(
        devices.data?.map((row) => row.created_at),
        now,
      ),
      cell: (row) => <span className="muted num">{dateTime(row.created_at, now)}</span>,
    },
    {
      id: 'seen',
      header: 'Last seen',
      value: (row) => row.seen_at,
      width: 110,
      cell: (row) => (
        <span className="num" title={row.seen_at}>
          {age(row.seen_at, now)}
          {row.address && <span className="small muted block">{row.address}</span>}
        </span>
      ),
    },
    {
      id: 'kept',
      header: 'Key kept in',
      value: (row) => (row.kept_in ? keptIn[row.kept_in] : null),
      width: 120,
    },
    {
      id: 'end',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 104,
      cell: (row) =>
        row.revoked_at === null && (
          <Button
            size="small"
            aria-label={`Revoke ${row.name}`}
            busy={revoke.isPending && revoke.variables === row.id && 'Revoking'}
            onClick={() => {
              revoke.mutate(row.id, {
                onSuccess: () => {
                  toast({ tone: 'ok', text: `Revoked ${row.name}. It is signed out with its next request.` });
                },
                onError: (failed) => {
                  toast({ tone: 'bad', text: `${row.name} was not revoked. ${failed.message}` });
                },
              });
            }}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      label="Desktops"
      columns={columns}
      rows={devices.data}
      error={devices.error}
      retry={devices.refetch}
      rowId={(row) => row.id}
      rowHeight={46}
      defaultSort={[{ id: 'seen', desc: true }]}
      empty={
        <Empty icon={Laptop} title="No desktop is signed in">
          Approved desktops appear here.
        </Empty>
      }
    />
  );
}
