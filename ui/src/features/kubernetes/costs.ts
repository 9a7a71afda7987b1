import { useMemo } from 'react';
import { inTotals, listed, useExtent, useGraphQL } from '@/api';
import { addDays, bounds, compare, money, sum } from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import { ClusterCosts, PartCosts } from './queries';
import type { Row } from './row';

/** Amounts by currency; currencies are never added. */
type Sums = ReadonlyMap<string, Numeric>;

/** What parts of a cluster cost, where an export of OpenCost or Kubecost that counts in totals told it. */
export interface Costs {
  days: DayRange;
  /** By the name of a namespace. */
  namespaces: ReadonlyMap<string, Sums>;
  /** By the id of a workload, pod or node. */
  resources: ReadonlyMap<string, Sums>;
}

/** Adds amounts up by a key and their currency; rows without a key are left out. */
export function sumsOf<Charge extends { currency_type: string | null; billed_cost: Numeric | null }>(
  rows: readonly Charge[],
  key: (row: Charge) => string | null,
): Map<string, Sums> {
  const found = new Map<string, Map<string, Numeric>>();
  for (const row of rows) {
    const name = key(row);
    if (name === null || row.billed_cost === null) continue;
    const sums = found.get(name) ?? new Map<string, Numeric>();
    const currency = row.currency_type ?? '';
    sums.set(currency, sum([sums.get(currency), row.billed_cost]));
    found.set(name, sums);
  }
  return found;
}

/** "$6,842.18"; of several currencies each, "USD 5.00, EUR 3.00". */
export function amounts(sums: Sums | undefined): string {
  if (sums === undefined) return '–';
  return [...sums].map(([currency, value]) => money(value, currency || null, { several: sums.size > 1 })).join(', ');
}

/** What a line of a table cost; undefined where no charge names it. */
export function costOf(costs: Costs, row: Row): Sums | undefined {
  return row.tab === 'namespaces' ? costs.namespaces.get(row.name) : costs.resources.get(row.id);
}

/** So many rows are read whole to be ordered by what they cost: the service orders these tables, and knows no costs of their rows. */
const mostOrdered = 5_000;

/** Whether a table of so many rows can be ordered by costs: all of them are in one currency. */
export function isOrderable(costs: Costs | null, total: number | undefined): boolean {
  if (costs === null || total === undefined || total > mostOrdered) return false;
  const all = [...costs.namespaces.values(), ...costs.resources.values()];
  return new Set(all.flatMap((sums) => [...sums.keys()])).size === 1;
}

/** The rows by what they cost; what nothing is known of comes last. */
export function byCost(costs: Costs, rows: readonly Row[], isDescending: boolean): Row[] {
  const amount = (row: Row) => [...(costOf(costs, row)?.values() ?? [])][0];
  const known = rows.flatMap((row) => {
    const cost = amount(row);
    return cost === undefined ? [] : [{ row, cost }];
  });
  known.sort((one, other) => (isDescending ? compare(other.cost, one.cost) : compare(one.cost, other.cost)));
  return [...known.map(({ row }) => row), ...rows.filter((row) => amount(row) === undefined)];
}

/** The last 30 days that have costs; null before the first bill. */
function useDays(): DayRange | null {
  const days = useExtent().data?.days;
  if (!days) return null;
  const from = addDays(days.to, -29);
  return { from: from < days.from ? days.from : from, to: days.to };
}

const never = { from: '2000-01-01', to: '2000-01-01' };

/** What each cluster cost in the last 30 days, by the id of its account, and which days those are. */
export function useClusterCosts(): { days: DayRange | null; sums: ReadonlyMap<string, Sums> } {
  const days = useDays();
  const where = { spend_date: bounds(days ?? never), ...inTotals };
  const data = useGraphQL(ClusterCosts, { where }, { enabled: days !== null }).data;
  const sums = useMemo(() => sumsOf(listed(data?.spend_groupings_v2), (row) => row.account_id), [data]);
  return { days, sums };
}

/** What the parts of one cluster cost in these days; null where nothing is known. */
export function useCosts(cluster: string): Costs | null {
  const days = useDays();
  const where = { spend_date: bounds(days ?? never), account_id: { _eq: cluster }, ...inTotals };
  const data = useGraphQL(PartCosts, { where }, { enabled: days !== null }).data;
  return useMemo(() => {
    const rows = listed(data?.spend_groupings_v2);
    if (rows.length === 0 || days === null) return null;
    return {
      days,
      namespaces: sumsOf(rows, (row) => row.resource_service_name),
      resources: sumsOf(rows, (row) => row.resource_id),
    };
    // The days are made anew each time; their ends say whether they differ.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data, days?.from, days?.to]);
}
