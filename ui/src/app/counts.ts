import { graphql, keepingUp, listed, standing, useGraphQL } from '@/api';

const OpenRecommendations = graphql(`
  query OpenRecommendations {
    recommendation_groupings_v2(columns: ["status", "is_dismissed", "count"]) {
      rows {
        status
        is_dismissed
        count
      }
    }
  }
`);

/** A count in the rail means work for this person. */
export function useOpenRecommendations(): number | undefined {
  const data = useGraphQL(OpenRecommendations, {}).data;
  if (!data) return undefined;
  const open = listed(data.recommendation_groupings_v2).filter(
    ({ status, is_dismissed }) => standing({ status, is_dismissed: is_dismissed ?? false }) === 'open',
  );
  return open.reduce((all, row) => all + (row.count ?? 0), 0);
}

const WaitingApprovals = graphql(`
  query WaitingApprovals {
    workflow_count_approvals(request: {}) {
      mine
    }
  }
`);

/** Questions of runs that wait for this person. */
export function useWaitingApprovals(): number | undefined {
  return useGraphQL(WaitingApprovals, {}, keepingUp).data?.workflow_count_approvals?.mine;
}

const FiringEvents = graphql(`
  query FiringEvents {
    event_groupings_v2(
      columns: ["nb_status", "event_count"]
      group_by: ["nb_status"]
      where: { status: { _eq: "FIRING" } }
    ) {
      rows {
        nb_status
        event_count
      }
    }
  }
`);

/** Triage statuses of events that need nobody now, though their source says that they go on. */
const quiet = ['SNOOZED', 'SUPPRESSED', 'DROPPED', 'DUPLICATE', 'RESOLVED'];

/** Events that go on and that triage has not put aside. They come in by webhooks, which no import tells of. */
export function useFiringEvents(): number | undefined {
  const data = useGraphQL(FiringEvents, {}, keepingUp).data;
  if (!data) return undefined;
  return listed(data.event_groupings_v2)
    .filter(({ nb_status: status }) => !quiet.includes(status ?? ''))
    .reduce((all, { event_count: count }) => all + Number(count ?? 0), 0);
}
