import type { ApiError } from './error';
import { graphql } from './graphql';
import { listed } from './listed';
import { useGraphQL } from './query';
import { useSeesTenant } from './session';

const CostExtent = graphql(`
  query CostExtent {
    spend_groupings_v2(columns: ["first_date", "last_date"]) {
      rows {
        first_date
        last_date
      }
    }
  }
`);

/** Apart: whoever sees accounts alone sees their costs, and no imports. */
const LastRead = graphql(`
  query CostLastRead {
    imports_v2(
      where: { state: { _in: ["done", "done_with_skips"] } }
      order_by: [{ column: "finished_at", order: desc }]
      limit: 1
    ) {
      rows {
        finished_at
      }
    }
  }
`);

/** The days that hold costs, both included, and when the last file was read. */
export interface Extent {
  /** Null before the first import: show the first-run state. */
  days: { from: string; to: string } | null;
  lastRead: string | null;
}

/** Asked once for frame and pages alike; read again after every import. */
export function useExtent(): { data: Extent | undefined; error: ApiError | null; refetch: () => unknown } {
  const query = useGraphQL(CostExtent, {});
  const read = useGraphQL(LastRead, {}, { enabled: useSeesTenant() }).data;
  const reach = listed(query.data?.spend_groupings_v2)[0];
  const first = reach?.first_date?.slice(0, 10);
  // A charge stands on the day it begins; a purchase for three years does not say that costs are known until then.
  const last = reach?.last_date?.slice(0, 10);
  const data = query.data && {
    days: first && last ? { from: first, to: last } : null,
    lastRead: listed(read?.imports_v2)[0]?.finished_at ?? null,
  };
  return { data, error: query.error, refetch: query.refetch };
}
