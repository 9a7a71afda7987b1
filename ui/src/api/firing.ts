import { graphql } from './graphql';
import type { VariablesOf } from './graphql';
import { listingRows } from './listing';
import { useGraphQL } from './query';
import { keepingUp } from './session';

const FiringEvents = graphql(`
  query FiringEvents($firing: EventGroupingsWhereRequest!) {
    event_groupings_v2(columns: ["priority", "event_count"], group_by: ["priority"], where: $firing) {
      rows {
        priority
        event_count
      }
    }
  }
`);

/** Triage statuses that need no action, even if the source still reports the event as firing. */
const putAside = ['SNOOZED', 'SUPPRESSED', 'DROPPED', 'DUPLICATE', 'RESOLVED'] as const;

/**
 * The definition of firing events for every page: the source reports them as firing, and triage has not hidden them, because a count means work.
 * Events without triage have no triage status.
 */
export const isFiring = {
  _and: [
    { status: { _eq: 'FIRING' as const } },
    { _or: [{ nb_status: { _is_null: true } }, { _not: { nb_status: { _in: [...putAside] } } }] },
  ],
} satisfies VariablesOf<typeof FiringEvents>['firing'];

/** The others that go on. */
export const isFiringAside = { _and: [{ status: { _eq: 'FIRING' as const } }, { nb_status: { _in: [...putAside] } }] };

/** Firing events that triage has not hidden. */
export interface Firing {
  count: number;
  /** How many of each priority: "HIGH", "MEDIUM", "LOW", "INFO". */
  byPriority: ReadonlyMap<string, number>;
}

/** The number of firing events. Events arrive by webhooks, which do not trigger import updates. Undefined until it is loaded. */
export function useFiringEvents(): Firing | undefined {
  const data = useGraphQL(FiringEvents, { firing: isFiring }, keepingUp).data;
  return data && firingOf(listingRows(data.event_groupings_v2));
}

export function firingOf(rows: readonly { priority: string | null; event_count: string | number | null }[]): Firing {
  const byPriority = new Map<string, number>();
  let count = 0;
  for (const { priority, event_count: many } of rows) {
    byPriority.set(priority ?? 'INFO', (byPriority.get(priority ?? 'INFO') ?? 0) + Number(many ?? 0));
    count += Number(many ?? 0);
  }
  return { count, byPriority };
}
