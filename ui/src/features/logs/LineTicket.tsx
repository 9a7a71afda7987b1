import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { request, ticketTone, useGraphQL, useWhyNot } from '@/api';
import { Button, Content, Select, Status, useNow } from '@/shared';
import type { Line } from './lines';
import { CreateLineTicket, LineTickets } from './queries';
import { ticketOf } from './ticket';

/** How often is looked while a ticket is on its way, ms. */
const again = 3000;

/** The tickets that were created from a log line, and the next one: what it will say and where it goes. */
export function LineTicket({ line, account }: { line: Line; account: string }) {
  const now = useNow();
  const client = useQueryClient();
  const reason = useWhyNot()({ fields: ['tickets_insert_one'] });
  const ticket = ticketOf(line, now);
  // % and _ stand for themselves.
  const variables = { text: `%${ticket.mark.replace(/[\\%_]/g, (sign) => `\\${sign}`)}` };
  const first = useGraphQL(LineTickets, variables);
  const isPending = first.data?.tenant[0]?.tickets.some(({ status }) => status === 'Pending') ?? false;
  const found = useGraphQL(LineTickets, variables, { refetchInterval: isPending && again });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const create = useMutation({
    mutationFn: async (tracker: string | undefined) => {
      const { title, description, severity } = ticket;
      const made = await request(CreateLineTicket, {
        object: {
          title,
          description,
          severity,
          source: 'log',
          account_id: account,
          ...(tracker === undefined ? {} : { integration_id: tracker }),
        },
      });
      return made.tickets_insert_one.data.insert_tickets_one;
    },
    onSuccess: () => {
      setOpen(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql', LineTickets] }),
  });
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
                        create.mutate(tracker?.id);
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
