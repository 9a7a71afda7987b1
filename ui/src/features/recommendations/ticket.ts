import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL, useSession, useWhyNot } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';
import { estimate } from '@/shared';
import type { Row } from './row';

/** Tickets have no column for what they are about: this line of their text says it, in the tracker too. */
export function markOf(recommendation: string): string {
  return `Recommendation ${recommendation}`;
}

/** What a ticket says: the reason, what it is about, what it would save, and where it comes from. */
export function textOf(row: Row): string {
  const { stored, evidence } = row;
  const region = stored.cloud_resourse?.region ?? evidence.region;
  const facts = [
    row.resource && `Resource: ${row.resource}`,
    `Account: ${row.account}`,
    region && `Region: ${region}`,
    row.savings !== null && `Estimated saving: ${estimate(row.savings, row.currency || null)} per month`,
  ];
  return [row.reason, facts.filter(Boolean).join('\n'), markOf(row.id)].filter(Boolean).join('\n\n');
}

const Tickets = graphql(`
  query RecommendationTickets($text: String!) {
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

type Found = ResultOf<typeof Tickets>['tenant'][number];
export type Ticket = Found['tickets'][number];
export type Tracker = Found['jira_configurations'][number];

/** How often is looked while a ticket is on its way. */
const again = 3000;

/** The tickets of a recommendation, and the trackers one can be sent to. */
export function useTickets(recommendation: string) {
  const variables = { text: `%${markOf(recommendation)}%` };
  const found = useGraphQL(Tickets, variables);
  const isOnItsWay = found.data?.tenant[0]?.tickets.some((ticket) => ticket.status === 'Pending') ?? false;
  return useGraphQL(Tickets, variables, { refetchInterval: isOnItsWay && again });
}

const Create = graphql(`
  mutation RecommendationCreateTicket($object: TicketsInsertOneInput!) {
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

type Wanted = VariablesOf<typeof Create>['object'];
type Created = ResultOf<typeof Create>['tickets_insert_one']['data']['insert_tickets_one'];

export function useCreateTicket() {
  const client = useQueryClient();
  return useMutation<Created, ApiError, Wanted>({
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
