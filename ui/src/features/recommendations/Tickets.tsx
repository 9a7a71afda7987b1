import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { ticketTone, useCreateTicket, useNoTicket, useTickets } from '@/api';
import type { Ticket, Tracker } from '@/api';
import { Button, Content, Select, Status, dateTimeZone, useNow } from '@/shared';
import type { Row } from './row';
import { markOf, textOf } from './ticket';

/** The tickets of a recommendation, and a form for a new one with its text and tracker. */
export function Tickets({ row }: { row: Row }) {
  const found = useTickets(markOf(row.id));
  return (
    <Content of={{ ...found, data: found.data?.tenant }} what="Tickets could not be read" lines={3}>
      {([tenant]) => (
        <>
          <TicketList tickets={tenant?.tickets ?? []} />
          <NewTicket row={row} trackers={tenant?.jira_configurations ?? []} />
        </>
      )}
    </Content>
  );
}

function TicketList({ tickets }: { tickets: readonly Ticket[] }) {
  const now = useNow();
  if (tickets.length === 0) return <p className="muted">No ticket was created from this recommendation.</p>;
  return (
    <ul className="stack" aria-label="Tickets of this recommendation">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <div className="split">
            {ticket.url ? (
              <a className="mono strong" href={ticket.url} target="_blank" rel="noreferrer">
                {ticket.ticket_id}
              </a>
            ) : (
              <b className="mono">{ticket.ticket_id}</b>
            )}
            <Status tone={ticketTone(ticket)}>{ticket.status ?? 'Unknown'}</Status>
          </div>
          <p className="small muted wrap">
            {ticket.url ?? (ticket.platform === 'quarterdeck' ? 'Kept here: no tracker has it.' : 'No link yet.')}
          </p>
          <p className="small muted">Created {dateTimeZone(ticket.created_at, now)}</p>
          {ticket.error_message && <p className="small wrap">{ticket.error_message}</p>}
        </li>
      ))}
    </ul>
  );
}

function NewTicket({ row, trackers }: { row: Row; trackers: readonly Tracker[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const reason = useNoTicket();
  const create = useCreateTicket();
  const tracker = trackers.find(({ id }) => id === chosen) ?? trackers[0];
  const text = textOf(row);
  return (
    <section className="sec" aria-label="New ticket">
      <h3>New ticket</h3>
      {!tracker && (
        <div className="note">
          <Info className="i" />
          <p>
            No tracker is connected, so tickets stay here. Connect one under{' '}
            <Link to="/settings/trackers">Settings, Ticket trackers</Link>.
          </p>
        </div>
      )}
      {tracker && trackers.length === 1 && (
        <p className="muted">
          It is sent to <b>{tracker.name}</b> with this text:
        </p>
      )}
      {tracker && trackers.length > 1 && (
        <Select
          label="Send to"
          value={tracker.id}
          options={trackers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
      )}
      <div className="ticket-text">
        <b>{row.title}</b>
        <p>{text}</p>
      </div>
      <div className="row wrapping">
        <Button
          size="small"
          busy={create.isPending && 'Creating'}
          reason={reason}
          onClick={() => {
            create.mutate({
              title: row.title,
              description: text,
              severity: row.severity,
              source: 'recommendation',
              account_id: row.stored.cloud_account.id,
              ...(tracker ? { integration_id: tracker.id } : {}),
            });
          }}
        >
          Create ticket
        </Button>
        {reason && <span className="small muted">{reason}</span>}
      </div>
      <p role="status" className="small wrap">
        {create.error ? create.error.message : (create.data?.message ?? create.data?.error)}
      </p>
    </section>
  );
}
