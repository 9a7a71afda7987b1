import type { ResultOf } from '@/api';
import type { EventTimeline } from './queries';
import { triageOf } from './row';
import { triage } from './words';

/** One thing that happened to an event. */
export type Entry = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof EventTimeline>['event_get_timeline']>['timeline']>[number]
>;

const names: Record<string, string> = { started: 'Started', received: 'Received', ended: 'Ended' };
const analyses: Record<string, string> = {
  root_cause: 'Likely causes worked out',
  root_cause_written: 'Likely causes explained by a model',
};
/** How somebody went about resolving it. */
const attempts: Record<string, string> = {
  DeploymentChange: 'Resolved by hand',
  PullRequest: 'Pull request to resolve it',
  Ticket: 'Ticket to resolve it',
  WorkflowExecution: 'Workflow to resolve it',
};
const outcomes: Record<string, string> = {
  Configuring: 'being set up',
  Failed: 'failed',
  InProgress: 'in progress',
  Success: 'done',
};

/** What an entry says, in words. */
export function textOf({ action, summary, metadata }: Entry): string {
  const known = names[action ?? ''];
  if (known !== undefined) return known;
  const fields = (metadata ?? {}) as Partial<Record<'analysis_type' | 'resolver_type' | 'status' | 'type', string>>;
  if (action === 'analysis') return analyses[fields.analysis_type ?? ''] ?? words(summary ?? '');
  if (action === 'resolution') {
    if (fields.resolver_type === 'User' && fields.type === 'DeploymentChange') return 'Resolved by a person';
    const attempt = attempts[fields.type ?? ''];
    const outcome = outcomes[fields.status ?? ''];
    if (attempt !== undefined && outcome !== undefined) return `${attempt}: ${outcome}`;
  }
  return words(summary ?? action ?? '');
}

const acts = ['event_history', 'event_classification', 'event_resolution'];

/** What people and the service did with an event, newest first: what happened to it by itself is left out. */
export function actsOf(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ ref_type: type }) => type !== null && acts.includes(type)).reverse();
}

/** Who did it, by id; null when the service did. */
export function actorOf({ metadata }: Pick<Entry, 'metadata'>): string | null {
  const fields = (metadata ?? {}) as Partial<Record<'changed_by' | 'classified_by' | 'resolver_id', string>>;
  return fields.changed_by ?? fields.classified_by ?? fields.resolver_id ?? null;
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
