import { graphql } from './graphql';
import type { ResultOf } from './graphql';
import { useGraphQL } from './query';

/** What recommendations have saved and can save. */
const Ledger = graphql(`
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

/** What is identified, closed and proved in one currency. */
export type LedgerCurrency = NonNullable<ResultOf<typeof Ledger>['savings_ledger']>['currencies'][number];
export type LedgerMonth = LedgerCurrency['months'][number];

/** The ledger of savings, a part for each currency: the figures of every page that tells of savings. */
export function useLedger() {
  const { data, error, refetch } = useGraphQL(Ledger, {});
  return { data: data && (data.savings_ledger?.currencies ?? []), error, refetch };
}
