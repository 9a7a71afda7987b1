import { useMemo } from 'react';
import { listingRows, useGraphQL } from '@/api';
import { Chart, money, moneyTick, range, units, useToday } from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import { ResourceDays } from './queries';
import { perDay } from './perDay';
import { costWhere } from './where';

/** Billed cost of a resource per day, in one currency. Renders nothing before it is loaded. */
export function CostDays({ id, name, days, currency }: { id: string; name: string; days: DayRange; currency: string }) {
  const now = useToday();
  const answer = useGraphQL(ResourceDays, { where: costWhere(days, id) }).data?.spend_groupings_v2;
  const all = useMemo(() => units('day', days), [days]);
  const series = useMemo(
    () => [{ id: 'billed', label: 'Billed', color: 1 as const, values: perDay(listingRows(answer), all, currency) }],
    [answer, all, currency],
  );
  if (answer === undefined) return null;
  return (
    <Chart
      label={`Billed cost of ${name} per day, ${range(days.from, days.to, now)}${currency && `, in ${currency}`}.`}
      kind="stacked"
      unit="day"
      days={all}
      series={series}
      format={(value: Numeric | null) => money(value, currency || null)}
      formatTick={(tick) => moneyTick(tick, currency || null)}
      height={120}
    />
  );
}
