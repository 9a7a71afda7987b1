import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** Imports that have not ended: taken up again after a reload, from another window or another person of the tenant. */
export const Unfinished = graphql(`
  query UnfinishedImports {
    imports(where: { state: { _in: ["waiting", "running"] } }, order_by: { created_at: asc }) {
      id
      file_name
      size_bytes
    }
  }
`);

/** Imports that have ended, newest first, without the long parts of their reports. */
export const Earlier = graphql(`
  query EarlierImports($limit: Int!) {
    imports(
      where: { state: { _nin: ["waiting", "running"] } }
      order_by: [{ created_at: desc }, { id: asc }]
      limit: $limit
    ) {
      id
      file_name
      state
      rows_written
      rows_skipped
      created_at
      finished_at
      format_title: report(path: "format_title")
      written_then: report(path: "rows_written")
      found: report(path: "error.found")
      totals: report(path: "totals")
      savings: report(path: "savings")
      user {
        display_name
      }
    }
    imports_aggregate(where: { state: { _nin: ["waiting", "running"] } }) {
      aggregate {
        count
      }
    }
  }
`);

export type EarlierImport = ResultOf<typeof Earlier>['imports'][number];
