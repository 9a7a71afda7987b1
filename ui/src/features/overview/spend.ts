import { useMemo } from 'react';
import { inTotals, listingRows, useGraphQL } from '@/api';
import { bounds } from '@/shared';
import type { Period } from './period';
import { Spend } from './queries';

/** Daily costs of a period and the previous one; loaded once for key figures, chart and export. */
export function useSpend({ now, before, monthBefore }: Period) {
  const query = useGraphQL(Spend, {
    now: { spend_date: bounds(now), ...inTotals },
    before: { spend_date: bounds(monthBefore), ...inTotals },
    // Purchases of commitments are spread over the use they cover; counted here they would count twice (conventions, D.2).
    use: { spend_date: bounds(now), charge_category: { _neq: 'Purchase' }, ...inTotals },
  });
  const data = useMemo(
    () =>
      query.data && {
        now: listingRows(query.data.now),
        /** As far as it can be compared with this month. */
        before: listingRows(query.data.before).filter((row) => (row.spend_date ?? '').slice(0, 10) <= before.to),
        monthBefore: listingRows(query.data.before),
        use: listingRows(query.data.use),
      },
    [query.data, before.to],
  );
  return { data, error: query.error, refetch: query.refetch };
}
