import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiError } from '@/api';
import { addDays } from '@/shared';
import type { FilterField } from '@/shared';
import { useFilterFields } from './fields';
import { loadCurrencies } from './load';
import type { Ask } from './load';
import { isInScope } from './scope';

/** Filter fields of a scope: values of the 90 days until `last`, with their costs in `own`, or else in the currency of most charges. */
export function useScopeFields(last: string, own?: string | null): { fields: FilterField[]; currency: string | null } {
  const ask = useMemo((): Ask => {
    const range = { from: addDays(last, -89), to: last };
    return { range, before: null, unit: 'month', by: 'service', metric: 'billed', currency: undefined, filters: [] };
  }, [last]);
  const { range, filters } = ask;
  const currencies = useQuery<(string | null)[], ApiError>({
    queryKey: ['graphql', 'costs', 'currencies', { range, filters }],
    queryFn: ({ signal }) => loadCurrencies({ range, filters }, signal),
  }).data;
  const currency = own ?? currencies?.[0] ?? null;
  const fields = useFilterFields(ask, currency, (currencies?.length ?? 0) > 1);
  return { fields: fields.filter(({ id }) => isInScope(id)), currency };
}
