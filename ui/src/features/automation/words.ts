import type { Tone } from '@/shared';

/** Texts of the pages of Automation. */

/** States of a workflow. */
export const workflowStates: Record<string, { name: string; tone: Tone; help: string }> = {
  ACTIVE: { name: 'Active', tone: 'ok', help: 'Its triggers start it.' },
  PAUSED: { name: 'Paused', tone: 'off', help: 'It runs by hand only.' },
  INACTIVE: { name: 'Off', tone: 'off', help: 'It does not run.' },
};

/** States of a run or a task. */
export const runStates: Record<string, { name: string; tone: Tone }> = {
  SCHEDULED: { name: 'Waiting', tone: 'info' },
  STARTED: { name: 'Running', tone: 'info' },
  RUNNING: { name: 'Running', tone: 'info' },
  COMPLETED: { name: 'Completed', tone: 'ok' },
  FAILED: { name: 'Failed', tone: 'bad' },
  SKIPPED: { name: 'Skipped', tone: 'off' },
  CANCELED: { name: 'Canceled', tone: 'off' },
  TERMINATED: { name: 'Ended by hand', tone: 'off' },
  TIMED_OUT: { name: 'Timed out', tone: 'bad' },
  UNKNOWN: { name: 'Needs a decision', tone: 'warn' },
};

/** States of a run that waits for a person. */
export const waitStates: Record<string, { name: string; tone: Tone }> = {
  approval: { name: 'Waits for approval', tone: 'warn' },
  decision: { name: 'Needs a decision', tone: 'warn' },
};

/** The trigger of a run. */
export const startedBy: Record<string, string> = {
  manual: 'By hand',
  schedule: 'Schedule',
  webhook: 'Webhook',
  event: 'Event',
  optimization: 'Recommendation',
  import: 'Import',
  budget: 'Budget',
  anomaly: 'Anomaly',
};

export const texts = {
  pinned: 'Its pinned output was used: the task did not run.',
  longPin: 'An output of more than 64 kB is too large to pin',
  empty: {
    title: 'No workflows yet',
    text: 'A workflow is a list of tasks. You start it by hand, or it starts on a schedule, a webhook, an event, a recommendation, an import, a budget threshold or an anomaly.',
  },
  noMatch: { title: 'No workflow matches', text: 'Try another search or another state.', action: 'Clear filters' },
  noAccount: {
    title: 'Workflows need an account',
    text: 'Import a cost file, a Kubernetes bundle or a scan: it creates its account.',
    action: 'Import files',
  },
  off: {
    title: 'Automation is off: nothing runs',
    text: 'Start the service with QUARTERDECK_AUTOMATION=on (setting automation_enabled). Meanwhile you can write workflows and try them as a dry run.',
  },
  sample: {
    title: 'This is sample data: nothing here runs',
    text: 'Runs, approvals and auto-pilots are examples. You can write workflows and try them as a dry run; they run in your own tenant.',
  },
  noRuns: 'No runs yet. Run it by hand, or wait for its trigger.',
  gone: {
    title: 'This workflow does not exist',
    text: 'It was removed, or it belongs to an account that you cannot see.',
  },
  mayNot: 'Changing and running workflows needs the role tenant_admin or account_admin',
  unknown:
    'The service stopped while this task was running, so its effect is unknown. Check the other system before you run the workflow again.',
  inactive: 'An inactive workflow does not run',
} as const;
