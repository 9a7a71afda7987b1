import { CircleCheck, CirclePlay, CircleUser, Inbox, Tags, Wrench } from 'lucide-react';
import { Content, dateTime, useNow } from '@/shared';
import { textOf } from './timeline';
import { useTimeline } from './useTimeline';

const icons: Record<string, typeof Inbox> = {
  started: CirclePlay,
  received: Inbox,
  ended: CircleCheck,
  classified: Tags,
  resolution: Wrench,
};

/** The history of an event, oldest first. */
export function Timeline({ id }: { id: string }) {
  const { query, why } = useTimeline(id);
  const now = useNow();
  return (
    <Content of={query} what="The timeline could not be read" lines={5}>
      {(entries) => (
        <ol className="tl" aria-label="Timeline">
          {entries.map((entry, at) => {
            const reason = why(entry);
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
