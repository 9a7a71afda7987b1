/** Texts of the triage rules page. */

/** The actions of a rule, with their API types. */
export const actions = {
  suppress: { name: 'Suppress', type: 'suppression', help: 'Matching events are stored without notifications.' },
  drop: { name: 'Drop', type: 'suppression', help: 'Matching events are hidden.' },
  auto_classify_duplicate: {
    name: 'Mark as duplicate',
    type: 'classification',
    help: 'Matching events are duplicates.',
  },
  auto_classify_fp: {
    name: 'Mark as false alarm',
    type: 'classification',
    help: 'Matching events are suppressed as false alarms.',
  },
  adjust_score: { name: 'Change the score', type: 'scoring', help: 'Points from −100 to 100 are added to the score.' },
} as const;
export type Action = keyof typeof actions;

/** The criteria of a rule, each with an example. */
export const criteria = {
  alert: { label: 'Alert', example: 'KubePodCrashLooping' },
  namespace: { label: 'Namespace', example: 'payments' },
  service: { label: 'Service', example: 'payments-api' },
  priority: { label: 'Severity', example: 'LOW' },
  source: { label: 'Source', example: 'prometheus' },
} as const;
export type Criterion = keyof typeof criteria;

export const severities = ['HIGH', 'MEDIUM', 'LOW', 'INFO', 'DEBUG'] as const;

export const empty = {
  title: 'No rules yet',
  text: 'A rule suppresses, drops or reclassifies events that match it, or changes their score. It shows which events it would change before it is saved.',
};
