import { CircleCheck, CirclePlay, CircleUser, Inbox, Tags, Wrench } from 'lucide-react';
import { useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { Content, dateTime, useNow } from '@/shared';
import { EventResolutions, EventTimeline } from './queries';
import { triageOf } from './row';
import { triage } from './words';

type Entry = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof EventTimeline>['event_get_timeline']>['timeline']>[number]
>;

const icons: Record<string, typeof Inbox> = {
  started: CirclePlay,
  received: Inbox,
  ended: CircleCheck,
  classified: Tags,
  resolution: Wrench,
};
const names: Record<string, string> = { started: 'Began', received: 'Came in', ended: 'Ended' };
const analyses: Record<string, string> = { root_cause: 'Likely causes worked out' };

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

/** What an entry says, in words. */
function textOf({ action, summary, metadata }: Entry): string {
  const known = names[action ?? ''];
  if (known !== undefined) return known;
  const fields = (metadata ?? {}) as { analysis_type?: string; resolver_type?: string; type?: string };
  if (action === 'analysis') return analyses[fields.analysis_type ?? ''] ?? words(summary ?? '');
  if (action === 'resolution' && fields.resolver_type === 'User' && fields.type === 'DeploymentChange')
    return 'Resolved by a person';
  return words(summary ?? action ?? '');
}

/** "Status from Open to Snoozed" for "status from OPEN to SNOOZED". */
function words(summary: string): string {
  const named = summary.replace(/\b[A-Z_]{4,}\b/g, (word) => (word in triage ? triage[triageOf(word)].name : word));
  return named.charAt(0).toUpperCase() + named.slice(1);
}

function reasonOf(metadata: unknown): string | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const {
    change_reason: change,
    reason_text: text,
    status_message: message,
    data,
  } = metadata as Record<string, unknown>;
  const inner = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)['reason'] : undefined;
  const found = [inner, change, text, message].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : null;
}
