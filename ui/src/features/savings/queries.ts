import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** What recommendations have saved and can save. */
export const Ledger = graphql(`
  query SavingsLedger {
    savings_ledger {
      currencies {
        currency
        identified {
          count
          amount
        }
        closed {
          count
          amount
        }
        verified {
          count
          amount
        }
        none {
          count
          amount
        }
        months {
          month
          count
          before
          after
          saved
        }
      }
    }
  }
`);

export type Currency = NonNullable<ResultOf<typeof Ledger>['savings_ledger']>['currencies'][number];
export type Month = Currency['months'][number];
