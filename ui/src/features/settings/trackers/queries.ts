import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';

/** Trackers of the tenant, never their secrets, and the tickets that were opened last. */
export const Trackers = graphql(`
  query SettingsTrackers {
    tenant {
      id
      jira_configurations(order_by: { name: asc }) {
        id
        name
        tool
        url
        username
        projects
        is_active
        status
        last_connected
      }
      tickets(order_by: { created_at: desc }, limit: 100) {
        id
        ticket_id
        title
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

type TrackerTenant = ResultOf<typeof Trackers>['tenant'][number];
export type Tracker = TrackerTenant['jira_configurations'][number];
export type Ticket = TrackerTenant['tickets'][number];

/** Polling interval while a ticket is being sent, ms. */
const again = 3000;

export function useTrackers() {
  const found = useGraphQL(Trackers, {});
  const isOnItsWay = found.data?.tenant[0]?.tickets.some((ticket) => ticket.status === 'Pending') ?? false;
  return useGraphQL(Trackers, {}, { refetchInterval: isOnItsWay && again });
}

const Save = graphql(`
  mutation SettingsSaveTracker($object: ticket_integration_create_config_input!) {
    ticket_integration_create_config(object: $object) {
      id
    }
  }
`);

const Check = graphql(`
  mutation SettingsTestTracker($object: ticket_integration_create_config_input!) {
    ticket_check_connection_by_config(object: $object) {
      success
      message
      error
    }
  }
`);

export type TrackerInput = VariablesOf<typeof Save>['object'];
export type ConnectionCheck = ResultOf<typeof Check>['ticket_check_connection_by_config'];

/** Connects or edits a tracker. A typed secret is not stored in the page. */
export function useSaveTracker() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, TrackerInput>({
    mutationFn: (object) => request(Save, { object }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Trackers] }),
    gcTime: 0,
  });
}

/** Sends one request to the tracker and returns its response. */
export function useTestTracker() {
  const client = useQueryClient();
  return useMutation<ConnectionCheck, ApiError, TrackerInput>({
    mutationFn: async (object) => (await request(Check, { object })).ticket_check_connection_by_config,
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Trackers] }),
    gcTime: 0,
  });
}
