import type { ResultOf } from '@/api';
import { plural } from '@/shared';
import type { AnomalyRules } from './queries';

export type Rule = ResultOf<typeof AnomalyRules>['anomaly_config'][number];
export type Metric = Rule['anomaly_type'];
export type Operator = Rule['change_operator'];

/** A rule in the form, as texts. */
export interface Draft {
  account: string;
  metric: Metric;
  buffer: string;
  operator: Operator;
  period: string;
  unit: string;
}

export const metricNames: Record<Metric, string> = {
  APIRequest: 'API requests',
  CPU: 'CPU',
  ErrorRate: 'Error rate',
  Events: 'Events',
  Latency: 'Latency',
  Memory: 'Memory',
  Network: 'Network traffic',
};

export const operatorNames: Record<Operator, string> = {
  GT: 'more than … above',
  GTE: 'at least … above',
  LT: 'more than … below',
  LTE: 'at least … below',
};

const spans: Record<string, string> = { h: 'hour', d: 'day', w: 'week' };
const period = /^([1-9]\d*)([hdw])$/;

/** The rule in one line: "CPU more than 20% above P99 of the last 1 week". */
export function ruleWords(rule: Rule): string {
  const [, number, span = ''] = period.exec(rule.reference_period) ?? [];
  const past = number === undefined ? rule.reference_period : plural(Number(number), spans[span] ?? '');
  const how = operatorNames[rule.change_operator].replace('…', `${String(rule.buffer_percentage)}%`);
  return `${metricNames[rule.anomaly_type]} ${how} ${rule.reference_unit} of the last ${past}`;
}

export const emptyDraft: Draft = {
  account: '',
  metric: 'CPU',
  buffer: '20',
  operator: 'GT',
  period: '1w',
  unit: 'P99',
};

export function draftOf(rule: Rule): Draft {
  return {
    account: rule.cloud_account_id,
    metric: rule.anomaly_type,
    buffer: String(rule.buffer_percentage),
    operator: rule.change_operator,
    period: rule.reference_period,
    unit: rule.reference_unit,
  };
}

/** The API input of a draft, without account and metric. */
export function given(draft: Draft) {
  return {
    buffer_percentage: Number(draft.buffer.trim()),
    change_operator: draft.operator,
    reference_period: draft.period.trim(),
    reference_unit: draft.unit.trim(),
  };
}

export type Problems = { [field in keyof Draft]?: string };

/** Validation problems of a draft; `others` are the existing rules. */
export function problemsOf(draft: Draft, others: readonly Rule[]): Problems {
  const found: Problems = {};
  const buffer = draft.buffer.trim();
  if (!/^\d+(\.\d+)?$/.test(buffer)) found.buffer = `“${buffer}” is not a percentage. Enter 0 or more, such as 20`;
  if (!period.test(draft.period.trim()))
    found.period = `“${draft.period.trim()}” is not a period. Enter hours, days or weeks, such as 12h, 7d or 1w`;
  if (draft.unit.trim() === '') found.unit = 'Enter how to calculate the reference, such as P99';
  // The service allows one enabled rule per metric and account.
  const isTaken = ({ enabled, anomaly_type: metric, cloud_account_id: account }: Rule) =>
    enabled && metric === draft.metric && account === draft.account;
  if (others.some(isTaken))
    found.metric = `This account has a rule for ${metricNames[draft.metric]} that is on. Change that one or switch it off`;
  return found;
}
