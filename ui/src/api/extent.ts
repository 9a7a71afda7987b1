import { useToday } from '@/shared/now';
import { addDays, endOfMonth } from '@/shared/time/range';
import type { ApiError } from './error';
import { graphql } from './graphql';
import { listingRows } from './listing';
import { useGraphQL } from './query';
import { useSeesTenant } from './session';

const CostExtent = graphql(`
  query CostExtent {
    all: spend_groupings_v2(columns: ["first_date", "last_date"]) {
      rows {
        first_date
        last_date
      }
    }
    used: spend_groupings_v2(
      columns: ["last_date"]
      where: { _or: [{ charge_category: { _is_null: true } }, { charge_category: { _eq: "Usage" } }] }
    ) {
      rows {
        last_date
      }
    }
  }
`);

/** Charges after the last usage, with the bills that contain them. */
const ChargesAhead = graphql(`
  query ChargesAhead($after: Datetime!) {
    spend_groupings_v2(
      columns: ["billing_period_start", "last_date"]
      group_by: ["billing_period_start"]
      where: { spend_date: { _gt: $after } }
    ) {
      rows {
        billing_period_start
        last_date
      }
    }
  }
`);

/** A separate query: users with account roles see costs, but not imports. */
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

/** Bills contain fees at most this many days ahead of usage; the service uses the same number. */
const mostAhead = 35;

/** From the first day with costs to the last day covered by bills. */
export interface CostDays {
  from: string;
  to: string;
  /** The day of the last charge: taxes and fees may be dated ahead. */
  last: string;
}

/** The days with costs, and the time of the last import. */
export interface Extent {
  /** Null before the first import: show the first-run state. */
  days: CostDays | null;
  lastRead: string | null;
}

const earliest = (...days: string[]) => days.reduce((one, other) => (one < other ? one : other));
const latest = (...days: string[]) => days.reduce((one, other) => (one > other ? one : other));

/** The last day covered by bills, from the last usage and the bills with charges after it. */
function knownDay(
  used: string,
  bills: readonly { billing_period_start: string | null; last_date: string | null }[],
  today: string,
) {
  const ends = bills.map(({ billing_period_start: start, last_date: last }) =>
    // A fee dated after the end of its bill, or after today, does not prove that earlier days are covered.
    earliest((last ?? used).slice(0, 10), start === null ? today : endOfMonth(start.slice(0, 10)), today),
  );
  const until = latest(used, ...ends);
  // Without any usage, the day of the last charge.
  return until > addDays(used, mostAhead) ? until : used;
}

/** Shared by the frame and the pages; reloaded after every import. */
export function useExtent(): { data: Extent | undefined; error: ApiError | null; refetch: () => unknown } {
  const today = useToday().toISOString().slice(0, 10);
  const query = useGraphQL(CostExtent, {});
  const read = useGraphQL(LastRead, {}, { enabled: useSeesTenant() }).data;
  const reach = listingRows(query.data?.all)[0];
  const first = reach?.first_date?.slice(0, 10);
  // A charge is dated by its first day; a purchase for three years does not prove that costs are known until then.
  const last = reach?.last_date?.slice(0, 10);
  const used = listingRows(query.data?.used)[0]?.last_date?.slice(0, 10) ?? last;
  const isFarAhead = last !== undefined && used !== undefined && last > addDays(used, mostAhead);
  const ahead = useGraphQL(ChargesAhead, { after: used ?? '' }, { enabled: isFarAhead });
  if (isFarAhead && !ahead.data) return { data: undefined, error: query.error ?? ahead.error, refetch: ahead.refetch };
  const data = query.data && {
    days:
      first && last && used
        ? {
            from: first,
            to: isFarAhead ? knownDay(used, listingRows(ahead.data?.spend_groupings_v2), today) : used,
            last,
          }
        : null,
    lastRead: listingRows(read?.imports_v2)[0]?.finished_at ?? null,
  };
  return { data, error: query.error, refetch: query.refetch };
}
