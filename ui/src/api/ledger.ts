import { graphql } from './graphql';
import type { ResultOf } from './graphql';
import { useGraphQL } from './query';

/** Savings of recommendations: realised and possible. */
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

/** Identified, closed and proved savings in one currency. */
export type LedgerCurrency = NonNullable<ResultOf<typeof Ledger>['savings_ledger']>['currencies'][number];
export type LedgerMonth = LedgerCurrency['months'][number];

/** The savings ledger, one part per currency: the source of all savings figures. */
export function useLedger() {
  const { data, error, refetch } = useGraphQL(Ledger, {});
  return { data: data && (data.savings_ledger?.currencies ?? []), error, refetch };
}
