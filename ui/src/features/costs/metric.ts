/** Which cost is shown. */
export type Metric = keyof typeof metrics;

export const metrics = {
  billed: {
    title: 'Billed',
    long: 'Billed cost',
    meaning: 'what is invoiced',
    listed: 'spend_amount',
    stored: 'amount',
  },
  effective: {
    title: 'Effective',
    long: 'Effective cost',
    meaning: 'prepaid commitments spread over the use they cover',
    listed: 'effective_cost',
    stored: 'effective_cost',
  },
  list: {
    title: 'List',
    long: 'List cost',
    meaning: 'the same use at public prices',
    listed: 'list_cost',
    stored: 'list_cost',
  },
  contracted: {
    title: 'Contracted',
    long: 'Contracted cost',
    meaning: 'the same use at negotiated prices, before commitments',
    listed: 'contracted_cost',
    stored: 'contracted_cost',
  },
} as const;

export function isMetric(text: unknown): text is Metric {
  return typeof text === 'string' && text in metrics;
}
