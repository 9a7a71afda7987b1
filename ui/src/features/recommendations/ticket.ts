import { estimate } from '@/shared';
import type { Row } from './row';

/** Tickets have no column for what they are about: this line of their text says it, in the tracker too. */
export function markOf(recommendation: string): string {
  return `Recommendation ${recommendation}`;
}

/** What a ticket says: the reason, what it is about, what it would save, and where it comes from. */
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
