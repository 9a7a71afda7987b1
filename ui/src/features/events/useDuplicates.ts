import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { DuplicatesOf, EventsNamed, isNoDuplicate } from './duplicates';
import type { Row } from './row';

/** The number of duplicates of each event, by id: duplicates are not listed as firing, only their original shows them. */
export type DuplicateCounts = ReadonlyMap<string, number>;

export const none: DuplicateCounts = new Map();

/** Those of the events that a page shows. */
export function useDuplicates(rows: readonly Row[] | undefined): DuplicateCounts {
  const ids = useMemo(() => rows?.map(({ id }) => id).sort() ?? [], [rows]);
  const pairs = useGraphQL(DuplicatesOf, { ids }, { enabled: ids.length > 0 }).data?.event_classification;
  const found = useMemo(() => [...new Set(pairs?.map((pair) => pair.event_id))].sort(), [pairs]);
  const events = useGraphQL(EventsNamed, { ids: found }, { enabled: found.length > 0 }).data?.events;
  return useMemo(() => {
    // A judgement stays on record when an event is opened again.
    const held = new Set(events?.filter((event) => !isNoDuplicate(event)).map(({ id }) => id));
    const many = new Map<string, number>();
    for (const { event_id: id, linked_event_id: of } of pairs ?? [])
      if (of !== null && held.has(id)) many.set(of, (many.get(of) ?? 0) + 1);
    return many;
  }, [pairs, events]);
}
