export const states = ['active', 'paused', 'failed'] as const;
export type State = (typeof states)[number];

/** The list settings, or the open workflow and run. Missing values use the default. */
export interface WorkflowsSearch {
  /** All workflows if missing. */
  show?: State;
  q?: string;
  /** The account of the workflow that is open. */
  account?: string;
  /** The workflow that is open. */
  id?: string;
  /** The selected run; the latest if missing. */
  run?: string;
  /** The selected task of the run. */
  task?: string;
  /** The workflow that is open is written, or a new one is. */
  edit?: 'yes' | 'new';
}

const texts = ['q', 'account', 'id', 'run', 'task'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function workflowsSearch(search: Record<string, unknown>): WorkflowsSearch {
  const show = states.find((state) => state === search['show']);
  const { edit } = search;
  const found: WorkflowsSearch = {
    ...(show ? { show } : {}),
    ...(edit === 'yes' || edit === 'new' ? { edit } : {}),
  };
  for (const name of texts) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
