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

/** Triage statuses of events that need nobody now, though their source says that they go on. */
const putAside = ['SNOOZED', 'SUPPRESSED', 'DROPPED', 'DUPLICATE', 'RESOLVED'] as const;

/**
 * The one rule of what counts as firing, on every page: the source says that it goes on, and triage has not put it aside: a count means work. What
 * triage has not looked at has no status of it.
 */
export const isFiring = {
  _and: [
    { status: { _eq: 'FIRING' as const } },
    { _or: [{ nb_status: { _is_null: true } }, { _not: { nb_status: { _in: [...putAside] } } }] },
  ],
} satisfies VariablesOf<typeof FiringEvents>['firing'];

/** The others that go on. */
export const isFiringAside = { _and: [{ status: { _eq: 'FIRING' as const } }, { nb_status: { _in: [...putAside] } }] };

/** Events that go on and that triage has not put aside. */
export interface Firing {
  count: number;
  /** How many of each priority: "HIGH", "MEDIUM", "LOW", "INFO". */
  byPriority: ReadonlyMap<string, number>;
}

/** Counts what goes on now. Events come in by webhooks, which no import tells of. Undefined until it is read. */
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
