import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ticketTone, useCreateTicket, useNoTicket, useTickets } from '@/api';
import { Button, Content, Select, Status, useNow } from '@/shared';
import type { Line } from './lines';
import { ticketOf } from './ticket';

/** The tickets of a log line, and a form for a new one with its text and tracker. */
export function LineTicket({ line, account }: { line: Line; account: string }) {
  const now = useNow();
  const reason = useNoTicket();
  const ticket = ticketOf(line, now);
  const found = useTickets(ticket.mark, { isLast: true });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const create = useCreateTicket();
  const send = (tracker: string | undefined) => {
    const { title, description, severity } = ticket;
    const said = { title, description, severity, account_id: account };
    create.mutate(tracker === undefined ? said : { ...said, integration_id: tracker }, {
      onSuccess: () => {
        setOpen(false);
      },
    });
  };
  return (
    <section className="sec" aria-label="Tickets">
      <h3>Tickets</h3>
      <Content of={found} what="Tickets could not be read" lines={2}>
        {({ tenant: [tenant] }) => {
          const trackers = tenant?.jira_configurations ?? [];
          const tracker = trackers.find(({ id }) => id === chosen) ?? trackers[0];
          const tickets = tenant?.tickets ?? [];
          return (
            <div className="stack tight">
              {tickets.map((one) => (
                <div key={one.id} className="split wrapping">
                  {one.url ? (
                    <a className="mono strong" href={one.url} target="_blank" rel="noreferrer">
                      {one.ticket_id}
                    </a>
                  ) : (
                    <b className="mono">{one.ticket_id}</b>
                  )}
                  <Status tone={ticketTone(one)}>{one.status ?? 'Unknown'}</Status>
                  {one.error_message && <p className="small wrap">{one.error_message}</p>}
                </div>
              ))}
              {isOpen && (
                <>
                  {tracker ? (
                    <Select
                      label="Send to"
                      value={tracker.id}
                      options={trackers.map(({ id, name }) => ({ value: id, label: name }))}
                      onChange={setChosen}
                    />
                  ) : (
                    <p className="small muted">
                      No tracker is connected, so the ticket is kept here. Connect one under{' '}
                      <Link to="/settings/trackers">Settings, Ticket trackers</Link>.
                    </p>
                  )}
                  <div className="line-ticket">
                    <b>{ticket.title}</b>
                    <p className="small">{ticket.description}</p>
                  </div>
                </>
              )}
              <div className="row wrapping">
                {isOpen ? (
                  <>
                    <Button
                      size="small"
                      kind="primary"
                      reason={reason}
                      busy={create.isPending && 'Creating'}
                      onClick={() => {
                        send(tracker?.id);
                      }}
                    >
                      Create ticket
                    </Button>
                    <Button
                      size="small"
                      onClick={() => {
                        setOpen(false);
                      }}
                    >
                      Cancel
                    </Button>
                  </>
                ) : (
                  <Button
                    size="small"
                    reason={reason}
                    onClick={() => {
                      setOpen(true);
                    }}
                  >
                    New ticket…
                  </Button>
                )}
              </div>
              <p role="status" className="small wrap">
                {create.error ? create.error.message : (create.data?.message ?? create.data?.error)}
              </p>
            </div>
          );
        }}
      </Content>
    </section>
  );
}
