import { useMemo } from 'react';
import { Chart, moneyTick } from '@/shared';
import type { Band, Dots, Numeric } from '@/shared';
import { amountOf } from './amount';
import { normalOf } from './normal';
import type { Row } from './row';

export type Days = readonly { date: string; amount: Numeric }[];

/** The series around an anomaly: actual cost, expected cost and normal range, where known. */
export function AnomalyChart({ row, days }: { row: Row; days: Days }) {
  const { currency } = row;
  const step = row.isHourly ? 'hour' : 'day';
  const chart = useMemo(() => chartOf(row, days), [row, days]);
  return (
    <>
      <Chart
        kind="lines"
        unit="day"
        label={`${row.name} per ${step}, ${row.days} and its comparison days, in ${row.kind === 'cost' ? currency : row.unit}.`}
        days={chart.days}
        series={chart.series}
        band={chart.band}
        dots={chart.dots}
        format={(value) => amountOf(row, value)}
        formatTick={(value) => (row.kind === 'cost' ? moneyTick(value, currency) : amountOf(row, value))}
        height={180}
      />
      {(chart.band?.days.length ?? 0) < row.reference.run.length && (
        <p className="small muted">
          {row.isNew
            ? 'A new service is compared on its first day only.'
            : 'The range of later days was not stored then. The next import stores it.'}
        </p>
      )}
    </>
  );
}

/** The series stored with the anomaly. For older anomalies: the comparison days, then the anomaly. */
export function ownDays({ reference }: Row): Days {
  if (reference.around.length > 0) return reference.around.map(({ date, value }) => ({ date, amount: value }));
  const compared = reference.values.map(({ date, value }) => ({ date, amount: value }));
  return [...compared, ...reference.run.map(({ date, actual }) => ({ date, amount: actual }))];
}

/** The chart data; a day without stored values has no expected value and no range. */
export function chartOf(row: Row, days: Days) {
  const { reference } = row;
  const expected = new Map(reference.run.map((day) => [day.date, day.expected]));
  const [first] = reference.run;
  const band: Band = {
    label: 'Normal range',
    days: reference.run.flatMap((day) => {
      if (day.low !== null && day.high !== null) return [{ day: day.date, low: day.low, high: day.high }];
      return day === first ? [{ day: day.date, ...normalOf(row) }] : [];
    }),
  };
  const out: Dots = { label: 'Outside the range', days: reference.run.map((day) => day.date), isOut: true };
  const drawn = new Set(days.map(({ date: day }) => day));
  const earlier = reference.values.map((one) => one.date).filter((day) => drawn.has(day));
  const compared: Dots = { label: 'Compared with', days: earlier, isOut: false };
  return {
    days: days.map(({ date: day }) => day),
    series: [
      { id: 'actual', label: 'Actual', color: 1 as const, values: days.map(({ amount }) => amount) },
      {
        id: 'expected',
        label: 'Expected',
        color: 'ink' as const,
        dashed: true,
        values: days.map(({ date: day }) => expected.get(day) ?? null),
      },
    ],
    band,
    // Of a range over 90 days nearly every day is compared with: dots would be all there is to see.
    dots: earlier.length > 0 && reference.values.length <= 14 ? [compared, out] : [out],
  };
}
