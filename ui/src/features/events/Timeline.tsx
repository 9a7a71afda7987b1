import { CircleCheck, CirclePlay, CircleUser, Inbox, Tags, Wrench } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Content, dateTime, useNow } from '@/shared';
import { EventTimeline } from './queries';
import { triageOf } from './row';
import { triage } from './words';

const icons: Record<string, typeof Inbox> = {
  started: CirclePlay,
  received: Inbox,
  ended: CircleCheck,
  classified: Tags,
  resolution: Wrench,
};
const names: Record<string, string> = { started: 'Began', received: 'Came in', ended: 'Ended' };

/** What happened to an event, oldest first. */
export function Timeline({ id }: { id: string }) {
  const query = useGraphQL(EventTimeline, { id });
  const now = useNow();
  return (
    <Content of={query} what="The timeline could not be read" lines={5}>
      {({ event_get_timeline: found }) => (
        <ol className="tl" aria-label="Timeline">
          {found?.timeline
            ?.filter((entry) => entry !== null)
            .map((entry, at) => {
              const Icon = icons[entry.action ?? ''] ?? CircleUser;
              return (
                <li key={at}>
                  <time>{entry.timestamp ? dateTime(entry.timestamp, now) : '–'}</time>
                  <Icon className="i" />
                  <span className="wrap">
                    {names[entry.action ?? ''] ?? words(entry.summary ?? entry.action ?? '')}
                    {reasonOf(entry.metadata) && <span className="muted">. {reasonOf(entry.metadata)}</span>}
                  </span>
                </li>
              );
            })}
        </ol>
      )}
    </Content>
  );
}

/** "Status from Open to Snoozed" for "status from OPEN to SNOOZED". */
function words(summary: string): string {
  const named = summary.replace(/\b[A-Z_]{4,}\b/g, (word) => (word in triage ? triage[triageOf(word)].name : word));
  return named.charAt(0).toUpperCase() + named.slice(1);
}

function reasonOf(metadata: unknown): string | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { change_reason: reason, reason_text: text, status_message: message } = metadata as Record<string, unknown>;
  const found = [reason, text, message].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : null;
}
