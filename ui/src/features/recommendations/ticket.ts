import { estimate } from '@/shared';
import type { Row } from './row';

/** Tickets have no column for their subject: this line of their text identifies it, in the tracker too. */
export function markOf(recommendation: string): string {
  return `Recommendation ${recommendation}`;
}

/** The text of a ticket: reason, subject, saving and link. */
export function textOf(row: Row): string {
  const { stored, evidence } = row;
  const region = stored.cloud_resourse?.region ?? evidence.region;
  const facts = [
    row.resource && `Resource: ${row.resource}`,
    `Account: ${row.account}`,
    region && `Region: ${region}`,
    row.savings !== null && `Estimated saving: ${estimate(row.savings, row.currency || null)} per month`,
  ];
  return [row.reason, facts.filter(Boolean).join('\n'), markOf(row.id)].filter(Boolean).join('\n\n');
}
