import type { ResultOf } from '@/api';
import type { EventTimeline } from './queries';
import { triageOf } from './row';
import { triage } from './words';

/** One thing that happened to an event. */
export type Entry = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof EventTimeline>['event_get_timeline']>['timeline']>[number]
>;

const names: Record<string, string> = { started: 'Began', received: 'Came in', ended: 'Ended' };
const analyses: Record<string, string> = { root_cause: 'Likely causes worked out' };

/** What an entry says, in words. */
export function textOf({ action, summary, metadata }: Entry): string {
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

/** Why somebody did it, where it was said. */
export function reasonOf(metadata: unknown): string | null {
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
