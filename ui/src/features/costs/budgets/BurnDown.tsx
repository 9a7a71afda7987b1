import { useMemo } from 'react';
import { Chart, money, moneyTick, units } from '@/shared';
import type { Numeric, Series } from '@/shared';
import type { Budget } from './queries';
import { words } from './words';

/** Billed cost of the budget day by day, and the forecast for the rest of the period. */
export function BurnDown({ budget, several }: { budget: Budget; several: boolean }) {
  const { days: told, from, until, currency, amount } = budget;
  const days = useMemo(() => units('day', { from, to: until }), [from, until]);
  const format = (value: Numeric | null) => money(value, currency, { several });
  const series = useMemo((): Series[] => {
    const byDay = new Map(told.map((day) => [day.date, day]));
    const last = told.findLast((day) => !day.is_forecast)?.date;
    const value = (day: string, is: (forecast: boolean) => boolean) => {
      const entry = byDay.get(day);
      return entry && is(entry.is_forecast) ? entry.running : null;
    };
    const billed = days.map((day) => value(day, (forecast) => !forecast));
    // The forecast line starts where the line of billed cost ends.
    const expected = days.map((day) => value(day, (forecast) => forecast || day === last));
    const end = money(expected.findLast((one) => one !== null) ?? null, currency, { several, whole: true });
    return [
      { id: 'billed', label: words.chart.actual, color: 1, area: true, values: billed },
      ...(told.some((day) => day.is_forecast)
        ? [{ id: 'forecast', label: words.chart.forecast, color: 1, dashed: true, values: expected, end } as const]
        : []),
    ];
  }, [told, days, currency, several]);
  return (
    <Chart
      label={words.chart.label(budget.name, format(budget.spent), format(amount))}
      kind="lines"
      unit="day"
      days={days}
      series={series}
      level={{ label: words.chart.level(money(amount, currency, { several, whole: true })), value: amount }}
      format={format}
      formatTick={(tick) => moneyTick(tick, currency)}
      height={170}
    />
  );
}
