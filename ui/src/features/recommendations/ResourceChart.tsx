import { useMemo } from 'react';
import { inTotals, listingRows, useExtent, useGraphQL } from '@/api';
import { Chart, bounds, money, moneyTick, units } from '@/shared';
import type { Numeric } from '@/shared';
import { ResourceDays } from './queries';
import type { Row } from './row';
import { costsOf, levelOf, shownDays } from './resourceDays';

/** Daily cost of the resource over 90 days, and its daily cost after the change if the rule states it. Renders nothing without costs. */
export function ResourceChart({ row, resource }: { row: Row; resource: string }) {
  const last = useExtent().data?.days?.to;
  return last === undefined ? null : <Days row={row} resource={resource} last={last} />;
}

function Days({ row, resource, last }: { row: Row; resource: string; last: string }) {
  const range = useMemo(() => shownDays(last), [last]);
  const { currency } = row;
  const found = useGraphQL(ResourceDays, {
    where: {
      spend_date: bounds(range),
      resource_id: { _eq: resource },
      currency_type: { _eq: currency },
      ...inTotals,
    },
  });
  const answer = found.data?.spend_groupings_v2;
  const [days, values] = useMemo(() => {
    const all = units('day', range);
    return [all, costsOf(listingRows(answer), all)];
  }, [answer, range]);
  const series = useMemo(() => [{ id: 'cost', label: 'Cost', color: 1 as const, area: true, values }], [values]);
  if (values.every((value) => value === null)) return null;
  const format = (value: Numeric | null) => money(value, currency);
  const level = levelOf(row.card, row.savings);
  return (
    <section className="sec">
      <h3>Cost of the resource</h3>
      <Chart
        label={`Cost of ${row.resource} per day over 90 days, in ${currency}.`}
        kind="lines"
        unit="day"
        days={days}
        series={series}
        {...(level === null ? {} : { level: { label: 'After the change', value: level } })}
        format={format}
        formatTick={(tick) => moneyTick(tick, currency)}
        height={150}
      />
    </section>
  );
}
