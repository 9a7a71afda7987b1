import { useMemo } from 'react';
import { inTotals, listingRows, useGraphQL } from '@/api';
import {
  Content,
  DataTable,
  Panel,
  Spark,
  bounds,
  change,
  changeTone,
  compare,
  money,
  range,
  ratio,
  share,
  sum,
  units,
  useNarrow,
  useToday,
} from '@/shared';
import type { Column, DayRange, Numeric } from '@/shared';
import { changes } from './changes';
import type { Change } from './changes';
import type { MonthProps } from './Month';
import { ServiceDays, Services } from './queries';
import { ToExplorer } from './ToExplorer';

const most = 6;

/** Services whose cost changed since the previous period; the largest ones if there is no previous period. */
export function ServicesPanel({ shown, currency, several }: MonthProps) {
  const only = { currency_type: currency === '' ? { _is_null: true } : { _eq: currency }, ...inTotals };
  const narrow = useNarrow();
  const services = useGraphQL(Services, {
    now: { spend_date: bounds(shown.now), ...only },
    before: { spend_date: bounds(shown.before), ...only },
  });
  const now = listingRows(services.data?.now);
  const before = listingRows(services.data?.before);
  const compared = before.length > 0;
  const all = changes(now, before);
  const rows = (compared ? all : all.sort((a, b) => compare(b.spend, a.spend))).slice(0, most);
  const days = useDays(shown.now, rows, only);
  const total = sum(now.map((row) => row.billed_cost));
  // Whole from 1,000 up, the same decimals down a column.
  const whole = rows.some((row) => compare(row.spend, 1000) >= 0 || compare(row.before, 1000) >= 0);
  const amount = (value: Numeric, sign = false) => money(value, currency || null, { several, sign, whole });
  const daily: Column<Change> = {
    id: 'daily',
    header: 'Daily',
    width: 72,
    sortable: false,
    value: () => null,
    cell: (row) => <Spark values={days.get(row.service) ?? []} width={58} />,
  };
  const columns: Column<Change>[] = [
    {
      id: 'service',
      header: 'Service',
      value: (row) => row.service,
      cell: (row) => (
        <ToExplorer
          range={shown.now}
          {...(row.service === null ? {} : { only: { field: 'service', value: row.service } })}
          currency={several ? currency : undefined}
          compared={compared}
        >
          <span title={row.service ?? ''}>{row.service ?? 'No service named'}</span>
        </ToExplorer>
      ),
    },
    ...(narrow ? [] : [daily]),
    {
      id: 'spend',
      header: 'Spend',
      kind: 'number',
      width: several ? 96 : 76,
      value: (row) => row.spend,
      cell: (row) => amount(row.spend),
    },
    ...(compared
      ? ([
          {
            id: 'change',
            header: 'Change',
            kind: 'number',
            width: several ? 96 : 80,
            value: (row) => row.change,
            cell: (row) => amount(row.change, true),
          },
          {
            id: 'fraction',
            header: '%',
            kind: 'number',
            width: 92,
            value: (row) => row.fraction,
            cell: (row) => (
              <span className={changeTone(row.fraction)}>{row.fraction === null ? 'new' : change(row.fraction)}</span>
            ),
          },
        ] satisfies Column<Change>[])
      : ([
          {
            id: 'share',
            header: 'Share',
            kind: 'number',
            width: 84,
            value: (row) => ratio(row.spend, total),
            cell: (row) => share(ratio(row.spend, total)),
          },
        ] satisfies Column<Change>[])),
  ];
  const today = useToday();
  const name = range(shown.now.from, shown.now.to, today);
  return (
    <Panel
      title={compared ? 'What changed' : 'Top services'}
      meta={compared ? `${name} against ${range(shown.before.from, shown.before.to, today)}` : `${name}, billed`}
      actions={
        <ToExplorer range={shown.now} currency={several ? currency : undefined} compared={compared}>
          All services
        </ToExplorer>
      }
    >
      <Content of={services} what="Services could not be read">
        {() => (
          <DataTable
            label={compared ? 'Services by change' : 'Services by spend'}
            columns={columns}
            rows={rows}
            rowId={(row) => row.service ?? ''}
            empty="No charges"
          />
        )}
      </Content>
    </Panel>
  );
}

/** Costs per day of some services, by name. */
function useDays(now: DayRange, rows: readonly Change[], only: object): Map<string | null, (Numeric | null)[]> {
  const names = rows.map((row) => row.service).filter((name) => name !== null);
  const found = useGraphQL(
    ServiceDays,
    { where: { spend_date: bounds(now), resource_service_name: { _in: names }, ...only } },
    { enabled: names.length > 0 },
  ).data?.spend_groupings_v2;
  return useMemo(() => {
    const days = units('day', now);
    const at = new Map(days.map((day, i) => [day, i]));
    const series = new Map<string | null, (Numeric | null)[]>();
    for (const row of listingRows(found)) {
      // The bills cover all of these days, so a missing charge of a service is 0 and not unknown.
      const values = series.get(row.resource_service_name) ?? days.map(() => 0);
      const index = at.get(row.spend_date?.slice(0, 10) ?? '');
      if (index !== undefined) values[index] = row.billed_cost;
      series.set(row.resource_service_name, values);
    }
    return series;
  }, [found, now]);
}
