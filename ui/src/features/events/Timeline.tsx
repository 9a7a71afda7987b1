import { CircleCheck, CirclePlay, CircleUser, Inbox, Tags, Wrench } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Content, dateTime, useNow } from '@/shared';
import { EventResolutions, EventTimeline } from './queries';
import { reasonOf, textOf } from './timeline';

const icons: Record<string, typeof Inbox> = {
  started: CirclePlay,
  received: Inbox,
  ended: CircleCheck,
  classified: Tags,
  resolution: Wrench,
};

/** What happened to an event, oldest first. */
export function Timeline({ id }: { id: string }) {
  const query = useGraphQL(EventTimeline, { id });
  const resolutions = useGraphQL(EventResolutions, { id }).data?.event_resolution;
  const now = useNow();
  return (
    <Content of={query} what="The timeline could not be read" lines={5}>
      {({ event_get_timeline: found }) => (
        <ol className="tl" aria-label="Timeline">
          {found?.timeline
            ?.filter((entry) => entry !== null)
            .map((entry, at) => {
              const written = resolutions?.find((one) => one.id === entry.ref_id)?.data;
              const reason = reasonOf(written) ?? reasonOf(entry.metadata);
              const Icon = icons[entry.action ?? ''] ?? CircleUser;
              return (
                <li key={at}>
                  <time>{entry.timestamp ? dateTime(entry.timestamp, now) : '–'}</time>
                  <Icon className="i" />
                  <span className="wrap">
                    {textOf(entry)}
                    {reason && <span className="muted">. {reason}</span>}
                  </span>
                </li>
              );
            })}
        </ol>
      )}
    </Content>
  );
}
