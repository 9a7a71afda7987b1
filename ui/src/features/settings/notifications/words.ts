/** Texts of Settings, Notifications. */
export const words = {
  title: 'Notifications',
  channels: 'Channels',
  noChannel: 'No channels yet',
  addChannel: 'Add a channel',
  noChannelHelp:
    'Add one to get notices about budgets, anomalies, critical findings and late bills by e-mail or chat. Until then, nothing is sent.',
  windows: 'Maintenance windows',
  windowsHelp:
    'Nothing is sent during a maintenance window. Notices of that time are sent in one message when it ends.',
  noWindow: 'No maintenance windows',
  history: 'Recent notices',
  noHistory: 'No notices yet',
  noHistoryHelp: 'Each notice is sent once through every channel that includes its subject.',
  notSent: 'not sent',
  over: 'not sent, outdated',
  states: {
    sent: 'Sent',
    waiting: 'Waiting',
    failed: 'Not sent',
    dropped: 'Not sent: outdated, or the channel was off',
  },
  triedAgain: 'Retried for a day',
  secretKept: 'Leave empty to keep the current one.',
  secretNew: 'Stored encrypted and never shown again.',
  quietHelp: 'Notices in these hours are sent when they end. Times are UTC.',
  tested: 'Sent. Look for the test message there.',
} as const;

/** The subjects of notices. */
export const subjects = [
  { name: 'budget', title: 'Budgets', help: 'Billed cost or the forecast reached a threshold.' },
  { name: 'anomaly', title: 'Anomalies', help: 'A cost is higher than expected, or a service is new.' },
  {
    name: 'finding',
    title: 'Critical findings',
    help: 'New recommendations and findings of scans with severity Critical.',
  },
  { name: 'stale', title: 'Late bills', help: 'The newest charge of an account is three days old.' },
  {
    name: 'approval',
    title: 'Approvals',
    help: 'A run waits for approval; sent again when half of its time has passed.',
  },
  { name: 'digest', title: 'Weekly digest', help: 'Once a week: changes of the last whole week and their causes.' },
] as const;

export const subjectTitle = (name: string): string =>
  subjects.find((subject) => subject.name === name)?.title ??
  (name === 'workflow' ? 'Workflow' : name === 'report' ? 'Report' : name);

/** Kinds of channels, with the fields of their forms. */
export const kinds = [
  { name: 'email', title: 'E-mail' },
  {
    name: 'slack',
    title: 'Slack',
    url: {
      label: 'Webhook address',
      help: 'From Slack: Apps, Incoming webhooks, Add to a channel.',
      example: 'https://hooks.slack.com/services/…',
    },
  },
  {
    name: 'teams',
    title: 'Microsoft Teams',
    url: {
      label: 'Workflow address',
      help: 'From the channel in Teams: Workflows, “Send webhook alerts to a channel”.',
      example: 'https://….logic.azure.com/workflows/…',
    },
  },
  {
    name: 'webhook',
    title: 'Webhook',
    url: {
      label: 'Address',
      help: 'Gets a POST with JSON; the guide lists its members.',
      example: 'https://example.com/hooks/costs',
    },
  },
] as const;

export type KindName = (typeof kinds)[number]['name'];

export const kindTitle = (name: string): string => kinds.find((kind) => kind.name === name)?.title ?? name;

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
