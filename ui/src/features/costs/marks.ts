import { graphql, useGraphQL } from '@/api';
import { money, startOf, sum } from '@/shared';
import type { Day, DayRange, Filter, Mark, Unit } from '@/shared';

/** Anomalies of cost that touch a range of days. */
export const AnomaliesOfRange = graphql(`
  query ExplorerAnomalies($from: date!, $to: date!) {
    anomaly(
      where: {
        rule_version: { _is_null: false }
        is_anomaly: { _eq: true }
        impact: { _is_null: false }
        started_on: { _lte: $to }
        ended_on: { _gte: $from }
      }
      order_by: [{ started_on: asc }, { id: asc }]
      limit: 100
    ) {
      id
      account_id
      scope
      name
      currency
      impact
      started_on
      ended_on
      feedback
    }
  }
`);

export interface AnomalyOfRange {
  id: string;
  account_id: string;
  scope: string | null;
  name: string;
  currency: string | null;
  impact: unknown;
  started_on: string | null;
  feedback: string | null;
}

/** A mark with its anomalies. */
export interface AnomalyMark extends Mark {
  id: string;
}

/** The values of an anomaly that a filter compares: name and account for a service, the tag for a tag value, otherwise nothing. */
function meantBy({ scope, name, account_id: account }: AnomalyOfRange, field: string): string | null {
  if (scope === 'tag') {
    const [key, ...value] = name.split(': ');
    return field === `tag:virtual:${key ?? ''}` ? value.join(': ') : null;
  }
  if (scope !== 'service') return null;
  return field === 'service' ? name : field === 'account' ? account : null;
}

/** Whether an anomaly is about the charges shown; other filters are ignored. */
function isMeant(anomaly: AnomalyOfRange, filters: readonly Filter[]): boolean {
  return filters.every(({ field, values, not }) => {
    const value = meantBy(anomaly, field);
    if (value === null) return false;
    return values.includes(value) !== (not ?? false);
  });
}

/** The marks of a chart: each anomaly on the bar of its first day. Anomalies with the verdict expected or false alarm have none. */
export function marksOf(
  anomalies: readonly AnomalyOfRange[],
  {
    range,
    unit,
    currency,
    filters,
  }: { range: DayRange; unit: Unit; currency: string | null | undefined; filters: readonly Filter[] },
): AnomalyMark[] {
  return anomalies.flatMap((anomaly) => {
    const { id, name, scope, started_on: first, feedback } = anomaly;
    if (!first || feedback === 'expected' || feedback === 'wrong') return [];
    if (anomaly.currency !== (currency ?? null) || !isMeant(anomaly, filters)) return [];
    const shown: Day = first < range.from ? range.from : first;
    const impact = sum([anomaly.impact as string]);
    const what = scope === 'total' ? 'All accounts' : name;
    const sign = String(impact).startsWith('-') ? '' : '+';
    return [{ id, day: startOf(unit, shown), text: `Anomaly: ${what} ${sign}${money(impact, anomaly.currency)}` }];
  });
}

/** The anomalies of the days shown; empty on an instance without anomaly detection. */
export function useAnomalies({ from, to }: DayRange): readonly AnomalyOfRange[] {
  return useGraphQL(AnomaliesOfRange, { from, to }).data?.anomaly ?? none;
}

const none: readonly AnomalyOfRange[] = [];
