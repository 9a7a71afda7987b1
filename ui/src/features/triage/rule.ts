import type { ResultOf } from '@/api';
import { plural } from '@/shared';
import type { Rules } from './queries';
import { actions } from './words';
import type { Action, Criterion } from './words';

export type Rule = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof Rules>['event_get_triage_rules']>['rules']>[number]
>;

/** The values of the form. */
export interface Draft extends Record<Criterion, string> {
  account: string;
  name: string;
  action: Action;
  /** Points, for a change of the score. */
  value: string;
  /** A day, "2026-12-01"; empty for always. */
  until: string;
  /** Whether existing events change as well. */
  apply: boolean;
}

export const emptyDraft: Draft = {
  account: '',
  name: '',
  action: 'suppress',
  value: '-10',
  until: '',
  apply: false,
  alert: '',
  namespace: '',
  service: '',
  priority: '',
  source: '',
};

export const criterionNames = ['alert', 'namespace', 'service', 'priority', 'source'] as const;

/** The criteria that are set; empty ones match everything and are omitted. */
export function given(draft: Draft): Partial<Record<Criterion, string>> {
  return Object.fromEntries(
    criterionNames.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])),
  );
}

/** Validation problems of a draft, by field; `match` if it would match every event. */
export function problemsOf(draft: Draft): Partial<Record<keyof Draft | 'match', string>> {
  return {
    ...(draft.name.trim() === '' ? { name: 'Enter a name, for example “Test alerts of staging”' } : {}),
    ...(Object.keys(given(draft)).length === 0
      ? { match: 'Fill in at least one: a rule that matches every event is rejected' }
      : {}),
    ...(draft.action === 'adjust_score' && !/^[+-]?\d{1,3}$/.test(draft.value.trim())
      ? { value: `“${draft.value}” is not a whole number. Enter points such as -10` }
      : {}),
  };
}

/** The criteria of a rule in words: "alert KubePodCrashLooping, namespace payments". */
export function matchWords(rule: Rule): string {
  const parts = [
    rule.match_alertname && `alert ${rule.match_alertname}`,
    rule.match_namespace && `namespace ${rule.match_namespace}`,
    rule.match_service && `service ${rule.match_service}`,
    rule.match_priority && `severity ${rule.match_priority}`,
    rule.match_source && `source ${rule.match_source}`,
    rule.match_finding_type && `type ${rule.match_finding_type}`,
    rule.match_fingerprint && 'one kind of event',
    rule.match_labels && rule.match_labels !== 'null' && `labels ${rule.match_labels}`,
    rule.match_occurrence_greater_than !== null && `after ${plural(rule.match_occurrence_greater_than, 'occurrence')}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

export function actionWords({ action, action_value: value }: Pick<Rule, 'action' | 'action_value'>): string {
  const known = actions[action as Action] as (typeof actions)[Action] | undefined;
  const name = known?.name ?? action;
  return action === 'adjust_score' && value ? `${name} by ${value}` : name;
}
