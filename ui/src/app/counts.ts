import { graphql, keepingUp, listingRows, standing, useFiringEvents, useGraphQL } from '@/api';
import type { PageAddress } from './pages';

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

function useOpenRecommendations(): number | undefined {
  const data = useGraphQL(OpenRecommendations, {}).data;
  if (!data) return undefined;
  const open = listingRows(data.recommendation_groupings_v2).filter(
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
function useWaitingApprovals(): number | undefined {
  return useGraphQL(WaitingApprovals, {}, keepingUp).data?.workflow_count_approvals?.mine;
}

const AnomaliesWithoutVerdict = graphql(`
  query AnomaliesWithoutVerdict {
    anomaly_aggregate(where: { rule_version: { _is_null: false }, feedback: { _is_null: true } }) {
      aggregate {
        count
      }
    }
  }
`);

/** Anomalies of costs without a verdict. */
function useAnomaliesWithoutVerdict(): number | undefined {
  return useGraphQL(AnomaliesWithoutVerdict, {}, keepingUp).data?.anomaly_aggregate.aggregate?.count;
}

/** Work for this person under a place of the rail. */
export interface Count {
  of: number | undefined;
  /** What is counted: "open". */
  what: string;
  isBad?: boolean;
}

/** Counts in the rail mean work for this person; the palette shows the same counts. */
export function useCounts(): Partial<Record<PageAddress, Count>> {
  const open = useOpenRecommendations();
  const firing = useFiringEvents()?.count;
  const unjudged = useAnomaliesWithoutVerdict();
  const waiting = useWaitingApprovals();
  return {
    '/costs/anomalies': { of: unjudged, what: 'without a verdict' },
    '/recommendations': { of: open, what: 'open' },
    '/events': { of: firing, what: 'firing', isBad: true },
    '/automation/approvals': { of: waiting, what: 'wait for you' },
  };
}
