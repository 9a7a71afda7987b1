import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Chart, Content, Panel, Segmented, length, money, moneyTick, range, units, useToday } from '@/shared';
import type { Numeric, Series } from '@/shared';
import { useAhead } from './monthForecast';
import { figure, perDay, running, totals } from './amounts';
import type { DayRow } from './amounts';
import type { MonthProps } from './Month';
import { useSpend } from './spend';
import { ToExplorer } from './ToExplorer';
import { words } from './words';

const route = getRouteApi('/overview');

/** The month day by day, cumulative or daily, compared with the previous month. */
export function SpendPanel(props: MonthProps) {
  const { shown, currency, several } = props;
  const { chart } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Panel
      title="Spend"
      meta="billed"
      padded
      actions={
        <>
          <Segmented
            label="Adding"
            value={chart ?? 'running'}
            options={[
              { value: 'running', label: 'Running total' },
              { value: 'daily', label: 'Daily' },
            ]}
            onChange={(value) => {
              void navigate({
                search: (before) => ({ ...before, chart: value === 'daily' ? value : undefined }),
                replace: true,
              });
            }}
          />
          <ToExplorer range={shown.now} currency={several ? currency : undefined}>
            Open in explorer
          </ToExplorer>
        </>
      }
    >
      <Content of={useSpend(shown)} what="Costs could not be read">
        {({ now, monthBefore }) => <Days {...props} rows={now} past={monthBefore} daily={chart === 'daily'} />}
      </Content>
    </Panel>
  );
}

function Days({
  shown,
  currency,
  several,
  rows,
  past,
  daily,
}: MonthProps & { rows: readonly DayRow[]; past: readonly DayRow[]; daily: boolean }) {
  const days = useMemo(() => units('day', shown.month), [shown.month]);
  const format = (value: Numeric | null) => money(value, currency || null, { several });
  const total = totals(rows, (row) => row.billed_cost).get(currency) ?? 0;
  const pastTotal = totals(past, (row) => row.billed_cost).get(currency);
  const today = useToday();
  const name = range(shown.now.from, shown.now.to, today);
  const ahead = useAhead(shown, days, currency, total);
  const forecast =
    daily || ahead.running === null || ahead.total == null
      ? null
      : { label: words.forecast(figure(ahead.total, currency, several)), values: ahead.running };
  const series = useMemo((): Series[] => {
    const values = perDay(rows, days, currency);
    const amount = figure(total, currency, several);
    const label = `${name} ${amount}`;
    return [
      {
        id: 'now',
        label,
        color: 1,
        area: true,
        values: daily ? values : running(values, length(shown.now)),
        ...(daily ? {} : { end: amount }),
      },
      ...(forecast ? [{ id: 'forecast', color: 1, dashed: true, ...forecast } as const] : []),
    ];
    // The object is made anew each time; what it is made of says whether it differs.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, days, currency, daily, shown, name, total, several, forecast?.label, forecast?.values]);
  const comparison = useMemo(() => {
    if (pastTotal === undefined) return null;
    const before = units('day', shown.monthBefore);
    const values = perDay(past, before, currency);
    const label = `${range(shown.monthBefore.from, shown.monthBefore.to, today)} ${figure(pastTotal, currency, several)}`;
    return { label, days: before, values: daily ? values : running(values, before.length) };
  }, [past, shown, currency, daily, several, pastTotal, today]);
  return (
    <Chart
      label={`Billed in ${name}: ${format(total)}${
        comparison ? `, beside ${comparison.label}` : ''
      }${forecast ? words.forecastTo(forecast.label) : ''}.`}
      kind={daily ? 'stacked' : 'lines'}
      unit="day"
      days={days}
      series={series}
      {...(comparison ? { comparison } : {})}
      {...(!daily && ahead.budget != null
        ? { level: { label: words.budget(figure(ahead.budget, currency, several)), value: ahead.budget } }
        : {})}
      format={format}
      formatTick={(value) => moneyTick(value, currency || null)}
      height={250}
    />
  );
}
