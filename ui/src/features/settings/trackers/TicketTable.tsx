import { Ticket as TicketIcon } from 'lucide-react';
import { ticketTone } from '@/api';
import { DataTable, Empty, Status, dateTime, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import type { Ticket } from './queries';
import { titleOf } from './tools';

/** The latest tickets: key and status in their tracker, or why they are not there yet. */
export function TicketTable({
  rows,
  error,
  retry,
}: {
  rows: readonly Ticket[] | undefined;
  error: Error | null;
  retry: () => unknown;
}) {
  const now = useNow();
  const columns: Column<Ticket>[] = [
    {
      id: 'ticket',
      header: 'Ticket',
      value: (row) => row.ticket_id,
      width: 96,
      cell: (row) =>
        row.url ? (
          <a className="mono strong" href={row.url} target="_blank" rel="noreferrer">
            {row.ticket_id}
          </a>
        ) : (
          <span className="mono">{row.ticket_id}</span>
        ),
    },
    {
      id: 'title',
      header: 'Title',
      value: (row) => row.title,
      cell: (row) => (
        <span className="cut">
          {row.title} <span className="muted">{titleOf(row.platform)}</span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: (row) => row.status,
      width: 110,
      cell: (row) => (
        <span title={row.error_message ?? undefined}>
          <Status tone={ticketTone(row)}>{row.status ?? 'Unknown'}</Status>
          {row.error_message && <span className="sr">{row.error_message}</span>}
        </span>
      ),
    },
    {
      id: 'opened',
      header: 'Opened',
      value: (row) => row.created_at,
      width: timeWidth,
      cell: (row) => <span className="muted num">{dateTime(row.created_at, now)}</span>,
    },
  ];
  return (
    <DataTable
      label="Tickets"
      columns={columns}
      rows={rows === undefined ? undefined : [...rows]}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      defaultSort={[{ id: 'opened', desc: true }]}
      empty={
        <Empty icon={TicketIcon} title="No tickets yet">
          Tickets are created from a recommendation, an event, an anomaly or a log line, and appear here with their key
          in the tracker.
        </Empty>
      }
    />
  );
}
