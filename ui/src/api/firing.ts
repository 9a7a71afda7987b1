import { graphql } from './graphql';
import { listed } from './listed';
import { useGraphQL } from './query';
import { keepingUp } from './session';

const FiringEvents = graphql(`
  query FiringEvents {
    event_groupings_v2(
      columns: ["priority", "nb_status", "event_count"]
      group_by: ["priority", "nb_status"]
      where: { status: { _eq: "FIRING" } }
    ) {
      rows {
        priority
        nb_status
        event_count
      }
    }
  }
`);

/** Triage statuses of events that need nobody now, though their source says that they go on. */
const quiet = ['SNOOZED', 'SUPPRESSED', 'DROPPED', 'DUPLICATE', 'RESOLVED'];

/** Events that go on and that triage has not put aside. */
export interface Firing {
  count: number;
  /** How many of each priority: "HIGH", "MEDIUM", "LOW", "INFO". */
  byPriority: ReadonlyMap<string, number>;
}

/** Counts what goes on now. Events come in by webhooks, which no import tells of. Undefined until it is read. */
export function useFiringEvents(): Firing | undefined {
  const data = useGraphQL(FiringEvents, {}, keepingUp).data;
  return data && firingOf(listed(data.event_groupings_v2));
}

export function firingOf(
  rows: readonly { priority: string | null; nb_status: string | null; event_count: string | number | null }[],
): Firing {
  const byPriority = new Map<string, number>();
  let count = 0;
  for (const { priority, nb_status: status, event_count: many } of rows) {
    if (quiet.includes(status ?? '')) continue;
    byPriority.set(priority ?? 'INFO', (byPriority.get(priority ?? 'INFO') ?? 0) + Number(many ?? 0));
    count += Number(many ?? 0);
  }
  return { count, byPriority };
}
