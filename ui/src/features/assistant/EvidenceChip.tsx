import { Link } from '@tanstack/react-router';
import type { Evidence } from './types';

/** Letter and number of the evidence of a sentence; opens its query in the API explorer. */
export function EvidenceChip({
  id,
  evidence,
  isListed = false,
}: {
  id: string;
  evidence: Evidence | undefined;
  /** Shown next to its title, which describes the result. */
  isListed?: boolean;
}) {
  if (!evidence?.query)
    return (
      <span className="ev no" title={evidence?.title ?? 'No such evidence'}>
        <b>{id}</b>
      </span>
    );
  return (
    <Link
      className={evidence.rows === 0 ? 'ev no' : 'ev'}
      to="/api-explorer"
      hash={hashOf(evidence)}
      title={`${evidence.title}. Open the query`}
    >
      <b>{id}</b>
      {evidence.rows === 0 && !isListed && 'nothing found'}
    </Link>
  );
}

/** Where the API explorer finds a query in an address. */
export function hashOf(evidence: Evidence): string {
  const variables = evidence.variables ? JSON.stringify(evidence.variables, null, 2) : '';
  return new URLSearchParams({ query: evidence.query ?? '', variables }).toString();
}
