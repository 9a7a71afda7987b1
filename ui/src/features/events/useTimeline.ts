import { useGraphQL } from '@/api';
import { EventResolutions, EventTimeline } from './queries';
import { reasonOf } from './timeline';
import type { Entry } from './timeline';

/** The history of an event, oldest first, with reasons if given. */
export function useTimeline(id: string) {
  const query = useGraphQL(EventTimeline, { id });
  const resolutions = useGraphQL(EventResolutions, { id }).data?.event_resolution;
  const entries = query.data && (query.data.event_get_timeline?.timeline ?? []).filter((entry) => entry !== null);
  const why = ({ ref_id: ref, metadata }: Entry) =>
    reasonOf(resolutions?.find((one) => one.id === ref)?.data) ?? reasonOf(metadata);
  return { query: { ...query, data: entries }, why };
}
