import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** The accounts, to choose one. */
export const LogAccounts = graphql(`
  query LogAccounts {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
    logs(limit: 1, order_by: [{ timestamp: desc }]) {
      account_id
    }
  }
`);

/** The first and the last line of an account, and how many there are. */
export const LogExtent = graphql(`
  query LogExtent($account: uuid!) {
    logs_aggregate(where: { account_id: { _eq: $account } }) {
      aggregate {
        count
        min {
          timestamp
        }
        max {
          timestamp
        }
      }
    }
  }
`);

export const LogLines = graphql(`
  query LogLines($request: FetchLogRequest!) {
    logs_query(request: $request) {
      timestamp
      severity
      message
      labels
    }
  }
`);

/** The number of lines in a time range by level and time, and their patterns. Older instances have none. */
export const LogSummary = graphql(`
  query LogSummary($request: LogsSummaryRequest!) {
    logs_summarise(request: $request) {
      total
      levels {
        level
        count
      }
      parts {
        error
        warn
        info
        debug
      }
      pattern_total
      unmatched
      patterns {
        template
        count
        level
        first_at
        last_at
        example
      }
    }
  }
`);

export type Summary = NonNullable<ResultOf<typeof LogSummary>['logs_summarise']>;
export type Pattern = Summary['patterns'][number];
