import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { ticketTone, useCreateTicket, useTickets } from '@/api';
import { Button, Content, Select, Status, dateTimeZone, useNow } from '@/shared';

/** The text of a ticket. */
export interface About {
  event: string;
  title: string;
  severity: string;
  account: string | undefined;
  /** Facts, a line each. */
  facts: readonly string[];
}

/** Tickets have no column for their subject: this line of their text identifies it, in the tracker too. */
export function markOf(event: string): string {
  return `Event ${event}`;
}

export function textOf({ event, facts }: About): string {
  return [facts.join('\n'), markOf(event)].filter(Boolean).join('\n\n');
}

/** The tickets of an event, and a form for a new one with its text and tracker. */
export function Tickets({ about, reason }: { about: About; reason: string | undefined }) {
  const now = useNow();
  const found = useTickets(markOf(about.event));
  const [chosen, setChosen] = useState<string | null>(null);
  const create = useCreateTicket();
  return (
    <Content of={found} what="Tickets could not be read" lines={3}>
      {({ tenant: [tenant] }) => {
        const trackers = tenant?.jira_configurations ?? [];
        const tracker = trackers.find(({ id }) => id === chosen) ?? trackers[0];
        const tickets = tenant?.tickets ?? [];
        return (
          <>
            {tickets.length === 0 && <p className="muted">No ticket was created from this event.</p>}
            <ul className="stack" aria-label="Tickets of this event">
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
                  <p className="small muted">Created {dateTimeZone(ticket.created_at, now)}</p>
                  {ticket.error_message && <p className="small wrap">{ticket.error_message}</p>}
                </li>
              ))}
            </ul>
            <section className="sec" aria-label="New ticket">
              <h3>New ticket</h3>
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
              <div className="event-ticket">
                <b>{about.title}</b>
                <p>{textOf(about)}</p>
              </div>
              <div className="row wrapping">
                <Button
                  size="small"
                  busy={create.isPending && 'Creating'}
                  reason={reason}
                  onClick={() => {
                    create.mutate({
                      title: about.title,
                      description: textOf(about),
                      severity: about.severity,
                      source: 'event',
                      ...(about.account ? { account_id: about.account } : {}),
                      ...(tracker ? { integration_id: tracker.id } : {}),
                    });
                  }}
                >
                  Create ticket
                </Button>
              </div>
              <p role="status" className="small wrap">
                {create.error ? create.error.message : (create.data?.message ?? create.data?.error)}
              </p>
            </section>
          </>
        );
      }}
    </Content>
  );
}
