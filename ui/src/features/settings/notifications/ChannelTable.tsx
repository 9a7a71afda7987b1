import { BellPlus, Plus } from 'lucide-react';
import { useWhyNot } from '@/api';
import { Button, DataTable, Empty, Status, dateTime, toast, useNow, timeRoom } from '@/shared';
import type { Column } from '@/shared';
import { useAdminOnly } from '../adminOnly';
import { useRemoveChannel } from './queries';
import type { Channel } from './queries';
import { kindTitle, words } from './words';

/** The channels of the tenant: kind, last delivery, and the last error. */
export function ChannelTable({
  rows,
  error,
  retry,
  onChange,
  onAdd,
}: {
  rows: readonly Channel[] | undefined;
  error: Error | null;
  retry: () => unknown;
  onChange: (channel: Channel) => void;
  /** Leads to the form for a new one. */
  onAdd: () => void;
}) {
  const now = useNow();
  const whyNot = useWhyNot();
  const adminOnly = useAdminOnly();
  const remove = useRemoveChannel();
  const failed = (problem: Error) => {
    toast({ tone: 'bad', text: problem.message });
  };
  const takeAway = ({ id, name }: Channel) => {
    const putBack = () => {
      remove.mutate({ id, restore: true }, { onError: failed });
    };
    remove.mutate(
      { id, restore: false },
      {
        onSuccess: () => {
          toast({ tone: 'ok', text: `Removed ${name}`, action: { label: 'Undo', run: putBack } });
        },
        onError: failed,
      },
    );
  };
  const columns: Column<Channel>[] = [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      cell: (row) => (
        <div className="wrapped">
          <span className="strong">{row.name}</span> <span className="muted">{kindTitle(row.kind)}</span>{' '}
          <span className="mono muted">{row.target}</span>
          {row.last_error !== null && <div className="small muted">{row.last_error}</div>}
        </div>
      ),
    },
    {
      id: 'sent',
      header: 'Last sent',
      value: (row) => row.last_sent_at,
      ...timeRoom(
        rows?.map((row) => row.last_sent_at),
        now,
      ),
      cell: (row) => (
        <span className="num">
          {row.last_sent_at ? dateTime(row.last_sent_at, now) : <span className="faint">nothing yet</span>}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: (row) => (row.is_active ? (row.last_error ? 'Failing' : 'In use') : 'Off'),
      width: 84,
      cell: (row) => {
        const [tone, text] = !row.is_active
          ? (['off', 'Off'] as const)
          : row.last_error
            ? (['bad', 'Failing'] as const)
            : (['ok', 'In use'] as const);
        return <Status tone={tone}>{text}</Status>;
      },
    },
    {
      id: 'change',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 176,
      cell: (row) => (
        <span className="row">
          <Button
            size="small"
            aria-label={`Change ${row.name}`}
            reason={adminOnly ?? whyNot({ fields: ['notice_channel_save'] })}
            onClick={() => {
              onChange(row);
            }}
          >
            Change…
          </Button>
          <Button
            size="small"
            kind="quiet"
            aria-label={`Remove ${row.name}`}
            reason={adminOnly ?? whyNot({ fields: ['notice_channel_remove'] })}
            onClick={() => {
              takeAway(row);
            }}
          >
            Remove
          </Button>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={words.channels}
      columns={columns}
      rows={rows === undefined ? undefined : [...rows]}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      defaultSort={[{ id: 'name', desc: false }]}
      empty={
        <Empty
          icon={BellPlus}
          title={words.noChannel}
          action={
            <Button reason={adminOnly ?? whyNot({ fields: ['notice_channel_save'] })} onClick={onAdd}>
              <Plus className="i" />
              {words.addChannel}
            </Button>
          }
        >
          {words.noChannelHelp}
        </Empty>
      }
    />
  );
}
