/** A cause that may have led to an event. */
export interface Hypothesis {
  rank: number;
  claim: string;
  reason: string;
  score: number;
  likelihood: 'very_likely' | 'possible' | 'unlikely';
  evidence: string[];
  against: string[];
  next: string;
}

/** The findings of the rules. */
export interface Causes {
  summary: string;
  investigation: {
    hypotheses: Hypothesis[];
    evidence: { id: string; title: string }[];
    looked_at: Record<string, number>;
  };
}

export const likelihoods = { very_likely: 'Very likely', possible: 'Possible', unlikely: 'Unlikely' };
