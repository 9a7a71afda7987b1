import type { Tone } from '@/shared';

/** Texts of the events pages that several components share. */

/** The state reported by the source. */
export const states = {
  FIRING: { name: 'Firing', tone: 'bad' },
  RESOLVED: { name: 'Resolved', tone: 'ok' },
  CLOSED: { name: 'Closed', tone: 'off' },
} as const satisfies Record<string, { name: string; tone: Tone }>;

/** The triage statuses. */
export const triage = {
  OPEN: { name: 'Open', tone: 'off' },
  ACKNOWLEDGED: { name: 'Acknowledged', tone: 'info' },
  INVESTIGATING: { name: 'Investigating', tone: 'info' },
  ACTION_REQUIRED: { name: 'Action required', tone: 'warn' },
  SNOOZED: { name: 'Snoozed', tone: 'off' },
  SUPPRESSED: { name: 'Suppressed', tone: 'off' },
  DROPPED: { name: 'Dropped', tone: 'off' },
  DUPLICATE: { name: 'Duplicate', tone: 'off' },
  RESOLVED: { name: 'Resolved', tone: 'ok' },
} as const satisfies Record<string, { name: string; tone: Tone }>;

/** The sources of events. */
export const sources: Record<string, string> & { none: string } = {
  none: 'Unknown',
  AWS_CloudTrail: 'AWS CloudTrail',
  AWS_CloudWatch_Alarm: 'AWS CloudWatch',
  AWS_EventBridge: 'AWS EventBridge',
  Azure_MetricAlert: 'Azure metric alert',
  Azure_Monitor_Alert: 'Azure Monitor',
  anomaly: 'Anomaly',
  azure_monitor_webhook: 'Azure Monitor',
  callback: 'Callback',
  chronosphere: 'Chronosphere',
  datadog_webhook: 'Datadog',
  helm_release: 'Helm release',
  kubernetes_api_server: 'Kubernetes',
  manual: 'By hand',
  nudgebee: 'Quarterdeck',
  pagerduty_webhook: 'PagerDuty',
  prometheus: 'Prometheus',
  prometheus_alertmanager_webhook: 'Prometheus Alertmanager',
  scheduler: 'Schedule',
  servicenow_webhook: 'ServiceNow',
  slo: 'SLO',
  workflow: 'Workflow',
  zenduty_webhook: 'Zenduty',
};

export const views = { all: 'All', firing: 'Firing', resolved: 'Resolved', closed: 'Closed' };

export const periods = { all: 'Any time', day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' };

export const fieldLabels = {
  severity: 'Severity',
  priority: 'Priority',
  source: 'Source',
  account: 'Account',
  triage: 'Triage',
  owner: 'Owner',
  cluster: 'Cluster',
  namespace: 'Namespace',
  workload: 'Workload',
  subject: 'Subject type',
  kind: 'Alert',
};

/** The factors of a score with explanations. */
export const factors: Record<string, { name: string; why: string }> = {
  priority_and_environment: {
    name: 'Severity and environment',
    why: 'Severity from the source, weighted by environment',
  },
  repeated: { name: 'Repeated', why: 'Minus 5 for each earlier occurrence, at most 30' },
  related: { name: 'Related events', why: 'A likely root cause counts more, a follow-up less' },
  finding_type: { name: 'Type', why: 'SLOs and anomalies count more, configuration changes less' },
  rules: { name: 'Triage rules', why: 'Points that rules add or subtract' },
};

/** How two events belong together. */
export const relations: Record<string, string> = {
  upstream_dependency: 'Dependency',
  downstream_impact: 'Depends on it',
  same_namespace: 'Same namespace',
  temporal_proximity: 'Around the same time',
  likely_root_cause: 'Likely root cause',
  same_service: 'Same service',
};

/** A person's judgement, and the reasons that go with it. */
export const judgements = {
  false_positive: {
    name: 'False alarm',
    help: 'The event is suppressed.',
    reasons: {
      known_noise: 'Known noise',
      threshold_too_sensitive: 'Threshold too sensitive',
      test_alert: 'Test alert',
      wrong_environment: 'Wrong environment',
    },
  },
  benign_positive: {
    name: 'Expected',
    help: 'The event is resolved.',
    reasons: {
      expected_behavior: 'Expected behaviour',
      maintenance_window: 'Maintenance window',
      deployment: 'Deployment',
      batch_job: 'Batch job',
    },
  },
  true_positive: {
    name: 'Real, action required',
    help: 'The event waits for action.',
    reasons: {
      correct_severity: 'Correct severity',
      wrong_service_tier: 'Wrong service tier',
      missing_dependency: 'Missing dependency',
    },
  },
  duplicate: {
    name: 'Duplicate',
    help: 'The event leaves the open list and is listed as a duplicate of the other event.',
    reasons: { duplicate_incident: 'Same incident' },
  },
} as const;

export const scopes = {
  this_event: 'This event only',
  this_fingerprint: 'This and every new event of the same kind, with a triage rule',
} as const;

/** Texts of actions: label, in progress, done, and for failures. */
export const acts = {
  acknowledge: { label: 'Acknowledge', doing: 'Acknowledging', done: 'Acknowledged', failed: 'acknowledged' },
  snooze: { label: 'Snooze…', doing: 'Snoozing', done: 'Snoozed', failed: 'snoozed' },
  resolve: { label: 'Resolve…', doing: 'Resolving', done: 'Resolved', failed: 'resolved' },
  judge: { label: 'Classify…', doing: 'Classifying', done: 'Classified', failed: 'classified' },
  close: { label: 'Close', doing: 'Closing', done: 'Closed', failed: 'closed' },
  reopen: { label: 'Reopen', doing: 'Reopening', done: 'Reopened', failed: 'reopened' },
} as const;

/** Texts of the selection and of bulk actions. */
export const selection = {
  all: (many: string) => `Select all ${many}`,
  reading: 'Reading',
  undoing: 'Undoing',
  stop: 'Stop',
  clear: 'Clear selection',
  failed: (why: string) => `Not all events could be selected: ${why}`,
};

export const empty = {
  title: 'No events yet',
  text: 'Import a Kubernetes support bundle, or have your alerting send events by webhook: Prometheus Alertmanager, Datadog, PagerDuty, ServiceNow, Azure Monitor, Zenduty.',
  action: 'Import files',
  webhooks: 'Create a webhook',
};

export const asideHelp =
  'These events are still firing at the source, but were snoozed, suppressed, dropped, resolved or marked as duplicates. Find them under All.';

export const noMatch = {
  title: 'No event matches',
  text: 'Try another search, other filters or another period.',
  action: 'Clear filters',
};
