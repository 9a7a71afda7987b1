import { Plus, TicketPlus } from 'lucide-react';
import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, DataTable, Empty, Panel, Status, dateTime, plural, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { useAdminOnly } from '../adminOnly';
import { SettingsPage } from '../SettingsPage';
import { useFormFocus } from '../useFormFocus';
import { projectOf } from './form';
import { useTrackers } from './queries';
import type { Ticket, Tracker } from './queries';
import { TicketTable } from './TicketTable';
import { titleOf } from './tools';
import { TrackerForm } from './TrackerForm';

/** The ticket trackers page: trackers, and the state of their tickets. */
export function TrackersPage() {
  const found = useTrackers();
  const [changing, setChanging] = useState<string | null>(null);
  const [form, leadToForm] = useFormFocus();
  const tenant = found.data?.tenant[0];
  const trackers = tenant?.jira_configurations;
  const tracker = trackers?.find((one) => one.id === changing) ?? null;
  return (
    <SettingsPage title="Ticket trackers">
      <div className="two-col">
        <div className="stack">
          <Panel title="Trackers" meta={trackers && plural(trackers.length, 'tracker')}>
            <TrackerTable
              rows={trackers}
              error={found.error}
              retry={found.refetch}
              onChange={(one) => {
                setChanging(one.id);
                leadToForm();
              }}
              onAdd={leadToForm}
            />
          </Panel>
          <Panel title="Tickets" meta={tenant && plural(tenant.tickets.length, 'ticket')}>
            <Refused tickets={tenant?.tickets} />
            <TicketTable rows={tenant?.tickets} error={found.error} retry={found.refetch} />
          </Panel>
        </div>
        <div className="stack" ref={form}>
          <TrackerForm
            key={tracker?.id ?? 'new'}
            tracker={tracker}
            onDone={() => {
              setChanging(null);
            }}
          />
        </div>
      </div>
    </SettingsPage>
  );
}

/** Why the newest ticket is not where it should be. */
function Refused({ tickets }: { tickets: readonly Ticket[] | undefined }) {
  const ticket = tickets?.find((one) => one.error_message);
  if (!ticket) return null;
  return (
    <div className={ticket.status === 'Failed' ? 'note bad' : 'note warn'} role="status">
      <div className="grow">
        <div className="t">
          {ticket.ticket_id} is {ticket.status === 'Failed' ? 'not in its tracker' : 'not in its tracker yet'}
        </div>
        <div className="muted">{ticket.error_message}</div>
      </div>
    </div>
  );
}

function TrackerTable({
  rows,
  error,
  retry,
  onChange,
  onAdd,
}: {
  rows: Tracker[] | undefined;
  error: Error | null;
  retry: () => unknown;
  onChange: (tracker: Tracker) => void;
  /** Leads to the form for a new one. */
  onAdd: () => void;
}) {
  const now = useNow();
  const whyNot = useWhyNot();
  const adminOnly = useAdminOnly();
  const columns: Column<Tracker>[] = [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      cell: (row) => (
        <span>
          <span className="strong">{row.name}</span> <span className="muted">{titleOf(row.tool)}</span>{' '}
          <span className="mono muted">{projectOf(row)}</span>
        </span>
      ),
    },
    {
      id: 'tested',
      header: 'Last answer',
      value: (row) => row.last_connected,
      width: timeWidth,
      cell: (row) => (
        <span className="num" title={row.status ?? undefined}>
          {row.last_connected ? dateTime(row.last_connected, now) : <span className="faint">not tested</span>}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: (row) => (row.is_active ? 'In use' : 'Off'),
      width: 110,
      cell: (row) => <Status tone={row.is_active ? 'ok' : 'off'}>{row.is_active ? 'In use' : 'Off'}</Status>,
    },
    {
      id: 'change',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 116,
      cell: (row) => (
        <Button
          size="small"
          aria-label={`Change ${row.name}`}
          reason={adminOnly ?? whyNot({ fields: ['ticket_integration_create_config'] })}
          onClick={() => {
            onChange(row);
          }}
        >
          Change…
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label="Trackers"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      defaultSort={[{ id: 'name', desc: false }]}
      empty={
        <Empty
          icon={TicketPlus}
          title="No trackers yet"
          action={
            <Button reason={adminOnly ?? whyNot({ fields: ['ticket_integration_create_config'] })} onClick={onAdd}>
              <Plus className="i" />
              Connect a tracker
            </Button>
          }
        >
          Tickets stay here until one is connected. Until then, nothing is sent.
        </Empty>
      }
    />
  );
}
