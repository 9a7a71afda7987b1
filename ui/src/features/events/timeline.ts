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
/** How a resolution was attempted. */
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

/** The text of an entry. */
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

/** Actions of people and the service, newest first; other entries are dropped. */
export function actsOf(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ ref_type: type }) => type !== null && acts.includes(type)).reverse();
}

/** The user id of the actor; null for the service. */
export function actorOf({ metadata }: Pick<Entry, 'metadata'>): string | null {
  const fields = (metadata ?? {}) as Partial<Record<'changed_by' | 'classified_by' | 'resolver_id', string>>;
  return fields.changed_by ?? fields.classified_by ?? fields.resolver_id ?? null;
}

/** "Status from Open to Snoozed" for "status from OPEN to SNOOZED". */
function words(summary: string): string {
  const named = summary.replace(/\b[A-Z_]{4,}\b/g, (word) => (word in triage ? triage[triageOf(word)].name : word));
  return named.charAt(0).toUpperCase() + named.slice(1);
}

/** The reason a user gave, if any. */
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
