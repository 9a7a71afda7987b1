/** Evidence of an answer, as returned by the API. */
export interface Evidence {
  /** The name it is cited by, such as Q1. */
  id: string;
  type: string;
  title: string;
  query: string | null;
  variables: unknown;
  rows: number;
  of: string;
  ids: string[];
  cited?: boolean;
}

/** A line of the ledger. */
export interface SentLine {
  id: string;
  sent_at: string;
  host: string;
  model: string;
  left_machine: boolean;
  size_bytes: number;
  replaced_names: number;
}

/** A sentence with figures that its evidence does not have. */
export interface UnprovedSentence {
  text: string;
  cites: string[];
  figures_not_found: string[];
}

/** One place that was looked at. */
export interface Step {
  title: string;
  rows?: number;
  evidence?: Evidence;
  error?: string;
}

/** A question with its answer, finished or not. */
export interface Exchange {
  question: string;
  answer: string;
  steps: Step[];
  references: Evidence[];
  unproved: UnprovedSentence[];
  state: 'writing' | 'done' | 'failed' | 'stopped';
  /** Why there is no answer, or why it is incomplete. */
  error?: string;
  code?: string;
}

/** A model that can be chosen, as requests name it. */
export interface Model {
  llm_provider: string;
  llm_model: string;
}
