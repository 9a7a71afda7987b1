import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Tone } from '@/shared/status';
import { request } from './client';
import type { ApiError } from './error';
import { graphql } from './graphql';
import type { ResultOf, VariablesOf } from './graphql';
import { useWhyNot } from './capabilities';
import { useGraphQL } from './query';
import { useSession } from './session';

const Tickets = graphql(`
  query TicketsAbout($text: String!) {
    tenant {
      id
      jira_configurations(where: { is_active: { _eq: true } }, order_by: { name: asc }) {
        id
        name
      }
      tickets(where: { description: { _like: $text } }, order_by: { created_at: desc }) {
        id
        ticket_id
        url
        status
        error_message
        is_new
        platform
        created_at
      }
    }
  }
`);

type Tenant = ResultOf<typeof Tickets>['tenant'][number];
export type Ticket = Tenant['tickets'][number];
export type Tracker = Tenant['jira_configurations'][number];

/** Polling interval while a ticket is being sent, in ms. */
const again = 3000;

/**
 * The tickets about something, and the trackers one can be sent to. Tickets have no column for what they are about: `mark`, a line of their text, says it,
 * in the tracker too. With `isLast` nothing may stand behind it.
 */
export function useTickets(mark: string, { isLast = false }: { isLast?: boolean } = {}) {
  // Escapes % and _, which are wildcards.
  const variables = { text: `%${mark.replace(/[\\%_]/g, (sign) => `\\${sign}`)}${isLast ? '' : '%'}` };
  const found = useGraphQL(Tickets, variables);
  const isOnItsWay = found.data?.tenant[0]?.tickets.some((ticket) => ticket.status === 'Pending') ?? false;
  return useGraphQL(Tickets, variables, { refetchInterval: isOnItsWay && again });
}

const Create = graphql(`
  mutation CreateTicket($object: TicketsInsertOneInput!) {
    tickets_insert_one(object: $object) {
      data {
        insert_tickets_one {
          message
          error
        }
      }
    }
  }
`);

/** A ticket to create. The service knows few sources; others are omitted. */
export type NewTicket = Omit<VariablesOf<typeof Create>['object'], 'source'> & { source?: 'event' | 'recommendation' };
type TicketAnswer = ResultOf<typeof Create>['tickets_insert_one']['data']['insert_tickets_one'];

export function useCreateTicket() {
  const client = useQueryClient();
  return useMutation<TicketAnswer, ApiError, NewTicket>({
    mutationFn: async (object) => (await request(Create, { object })).tickets_insert_one.data.insert_tickets_one,
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql', Tickets] }),
  });
}

/** Why this person cannot create a ticket; undefined when they can. */
export function useNoTicket(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['tickets_insert_one'] });
  if (whyNot !== undefined) return whyNot;
  if (!session || session.roles.some((role) => role === 'tenant_admin' || role === 'account_admin')) return undefined;
  return `Creating tickets needs the role tenant_admin or account_admin; an administrator of ${session.tenant.name} can give it to you`;
}

/** The tone of a ticket: any status of its tracker is fine, a ticket that was not delivered is not. */
export function ticketTone(ticket: Pick<Ticket, 'status' | 'is_new' | 'error_message' | 'platform'>): Tone {
  if (ticket.status === 'Failed') return 'bad';
  if (ticket.is_new) return ticket.error_message ? 'warn' : 'info';
  return ticket.platform === 'quarterdeck' ? 'off' : 'ok';
}
