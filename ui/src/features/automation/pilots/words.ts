import type { Tone } from '@/shared';

/** Texts of the page Auto-pilot and Playbooks. */

export const categories: Record<string, string> = {
  vertical_rightsize: 'CPU and memory',
  horizontal_rightsize: 'Replicas',
  pvc_rightsize: 'Volumes',
  continuous_rightsize: 'Continuous right-sizing',
};

/** States of an auto-pilot. */
export const pilotStates: Record<string, { name: string; tone: Tone; help: string }> = {
  Active: { name: 'Active', tone: 'ok', help: 'It applies recommendations on its schedule.' },
  Dryrun: { name: 'Dry run', tone: 'info', help: 'Reports what it would do, without doing it.' },
  DRAFT: { name: 'Waits for approval', tone: 'warn', help: 'Reviewers of its account must approve it before it acts.' },
  Disabled: { name: 'Paused', tone: 'off', help: 'Not running.' },
};

/** States of a playbook. */
export const playbookStates: Record<string, { name: string; tone: Tone }> = {
  ACTIVE: { name: 'Active', tone: 'ok' },
  DISABLED: { name: 'Paused', tone: 'off' },
  DRAFT: { name: 'Draft', tone: 'off' },
};

/** States of a recommendation handled by an auto-pilot. */
export const taskStates: Record<string, { name: string; tone: Tone }> = {
  Scheduled: { name: 'Scheduled', tone: 'info' },
  In_Progress: { name: 'In progress', tone: 'info' },
  Executed: { name: 'Done, not verified yet', tone: 'ok' },
  Complete: { name: 'Done, verified', tone: 'ok' },
  Failed: { name: 'Failed', tone: 'bad' },
  Skipped: { name: 'Skipped', tone: 'off' },
  Dryrun: { name: 'Would be applied', tone: 'info' },
};

/** States of a playbook run or one of its steps. */
export const runStates: Record<string, { name: string; tone: Tone }> = {
  SCHEDULED: { name: 'Waiting', tone: 'info' },
  QUEUED: { name: 'Waiting', tone: 'info' },
  PENDING_APPROVAL: { name: 'Waits for approval', tone: 'warn' },
  IN_PROGRESS: { name: 'Running', tone: 'info' },
  EXECUTED: { name: 'Done', tone: 'ok' },
  COMPLETE: { name: 'Complete', tone: 'ok' },
  COMPLETE_WITH_ERROR: { name: 'Complete with errors', tone: 'warn' },
  FAILED: { name: 'Failed', tone: 'bad' },
  SKIPPED: { name: 'Skipped', tone: 'off' },
};

export const texts = {
  pilots: 'apply recommendations inside the limits you set',
  playbooks: 'steps that run on an event, on a schedule or by hand',
  noPilots: {
    title: 'No auto-pilots yet',
    text: 'An auto-pilot applies recommendations for the resources it covers, on a schedule. It starts as a dry run.',
  },
  noPlaybooks: {
    title: 'No playbooks yet',
    text: 'A playbook is a list of steps that an event or a schedule starts. Create one through the API: auto_runbook_insert_one.',
  },
  noMatch: 'Try another search or another state.',
  noTasks: 'No recommendations applied yet.',
  noRuns: 'It has not run yet.',
  isPaused: 'It is paused: activate it first',
  waits: 'It waits for approval by reviewers',
} as const;
