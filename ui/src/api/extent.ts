import type { ApiError } from './error';
import { graphql } from './graphql';
import { useGraphQL } from './query';

const CostExtent = graphql(`
  query CostExtent {
    spends_aggregate {
      aggregate {
        min {
          date
        }
        max {
          date
        }
      }
    }
    imports(
      where: { state: { _in: ["done", "done_with_skips"] } }
      order_by: { finished_at: desc_nulls_last }
      limit: 1
    ) {
      finished_at
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
  const aggregate = query.data?.spends_aggregate.aggregate;
  const first = aggregate?.min?.date?.slice(0, 10);
  // A charge stands on the day it begins; a purchase for three years does not say that costs are known until then.
  const last = aggregate?.max?.date?.slice(0, 10);
  const data = query.data && {
    days: first && last ? { from: first, to: last } : null,
    lastRead: query.data.imports[0]?.finished_at ?? null,
  };
  return { data, error: query.error, refetch: query.refetch };
}
