import { Link } from '@tanstack/react-router';
import { Info, TicketPlus } from 'lucide-react';
import { useState } from 'react';
import { ticketTone, useCreateTicket, useNoTicket, useTickets } from '@/api';
import type { Ticket } from '@/api';
import { Button, Content, Dialog, Select, Status, dateTimeZone, useCommands, useNow } from '@/shared';
import type { Row } from './row';
import { markOf, ticketOf } from './ticket';

/** Opens the tickets of an anomaly, and creates the next one. */
export function TicketButton({ row }: { row: Row }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
  };
  useCommands([{ id: 'ticket', title: 'Create a ticket', group: 'Do', keys: 't', icon: TicketPlus, run: open }]);
  return (
    <>
      <Button kind="quiet" onClick={open}>
        Create ticket
      </Button>
      {isOpen && (
        <TicketDialog
          row={row}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

/** Existing tickets, and a form with the text and the tracker of a new one. */
function TicketDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const found = useTickets(markOf(row.id));
  const reason = useNoTicket();
  const create = useCreateTicket();
  const [chosen, setChosen] = useState<string | null>(null);
  const { title, description } = ticketOf(row);
  const trackers = found.data?.tenant[0]?.jira_configurations ?? [];
  const tracker = trackers.find(({ id }) => id === chosen) ?? trackers[0];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create ticket"
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            kind="primary"
            reason={reason}
            disabled={!found.data}
            busy={create.isPending && 'Creating'}
            onClick={() => {
              create.mutate({
                title,
                description,
                ...(row.accountId === null ? {} : { account_id: row.accountId }),
                ...(tracker ? { integration_id: tracker.id } : {}),
              });
            }}
          >
            Create ticket
          </Button>
        </>
      }
    >
      <Content of={found} what="Tickets could not be read" lines={3}>
        {({ tenant: [tenant] }) => (
          <div className="stack">
            <Tickets of={tenant?.tickets ?? []} />
            {!tracker && (
              <div className="note">
                <Info className="i" />
                <p>
                  No tracker is connected, so the ticket is kept here. Connect one under{' '}
                  <Link to="/settings/trackers">Settings, Ticket trackers</Link>.
                </p>
              </div>
            )}
            {tracker && (
              <Select
                label="Send to"
                value={tracker.id}
                options={trackers.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={setChosen}
              />
            )}
            <div className="anomaly-ticket">
              <b>{title}</b>
              <p>{description}</p>
            </div>
            {reason !== undefined && <p className="small muted">{reason}</p>}
            <p role="status" className="small wrap">
              {create.error ? create.error.message : (create.data?.message ?? create.data?.error)}
            </p>
          </div>
        )}
      </Content>
    </Dialog>
  );
}

function Tickets({ of }: { of: readonly Ticket[] }) {
  const now = useNow();
  if (of.length === 0) return null;
  return (
    <ul className="stack tight" aria-label="Tickets of this anomaly">
      {of.map((ticket) => (
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
          <p className="small muted">Created {dateTimeZone(ticket.created_at, now)}</p>
          {ticket.error_message && <p className="small wrap">{ticket.error_message}</p>}
        </li>
      ))}
    </ul>
  );
}
