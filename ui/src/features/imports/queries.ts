import { graphql } from '@/api';
import type { ResultOf, VariablesOf } from '@/api';

/**
 * Imports that have not ended, or wait for a decision or for further parts: taken up again after a reload, from another window or another person
 * of the tenant.
 */
export const Unfinished = graphql(`
  query UnfinishedImports {
    imports(
      where: { state: { _in: ["waiting", "running", "needs_decision", "waiting_for_parts"] } }
      order_by: { created_at: asc }
    ) {
      id
      file_name
      size_bytes
      state
    }
  }
`);

/** The state of imports that have ended in this window: they may have been decided, completed or undone since. */
export const States = graphql(`
  query ImportStates($ids: [uuid!]!) {
    imports(where: { id: { _in: $ids } }) {
      id
      state
    }
  }
`);

/** Imports that have ended, newest first, without the long parts of their reports. */
export const Earlier = graphql(`
  query EarlierImports($where: imports_bool_exp!, $limit: Int!) {
    imports(where: $where, order_by: [{ created_at: desc }, { id: asc }], limit: $limit) {
      id
      file_name
      state
      rows_written
      rows_skipped
      created_at
      finished_at
      written_then: report(path: "rows_written")
      found: report(path: "error.found")
      totals: report(path: "totals")
      savings: report(path: "savings")
      user {
        display_name
      }
    }
    imports_aggregate(where: $where) {
      aggregate {
        count
      }
    }
  }
`);

/** The filter of earlier imports: finished ones, with file names that contain `name`. */
export function endedOf(name: string): VariablesOf<typeof Earlier>['where'] {
  const ended = { state: { _nin: ['waiting', 'running'] } };
  const wanted = name.trim();
  if (wanted === '') return ended;
  return { ...ended, file_name: { _ilike: `%${wanted.replace(/[\\%_]/g, '\\$&')}%` } };
}

export type EarlierImport = ResultOf<typeof Earlier>['imports'][number];
