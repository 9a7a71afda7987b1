import { useMemo } from 'react';
import { inTotals, listingRows, useExtent, useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { addDays, bounds, compare, isZero, money, sum } from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import { ClusterBill, ClusterCosts, PartCosts } from './queries';
import type { Row } from './row';

/** Amounts by currency; currencies are never added. */
export type Sums = ReadonlyMap<string, Numeric>;

type Answer = NonNullable<ResultOf<typeof PartCosts>['k8s_cluster_costs']>;
type CostLine = Answer['lines'][number];
export type Kind = CostLine['kind'];

/** The cost of a part of a cluster. */
export interface PartCost {
  amount: Sums;
  /** Its node usage as reported by the tool. */
  tool: Sums;
  /** Its volumes, network and load balancers as reported by the tool; not included in amounts scaled to the bill. */
  beside: Sums;
}

/** The costs of the parts of a cluster, from an export of OpenCost or Kubecost. */
export interface Costs {
  /** For scaled costs: the first and last day covered by both the bill and the tool. */
  days: DayRange;
  /** How the costs were scaled to the bill of the nodes; null when they are at the prices of the tool. */
  bill: { billed: Sums; tool: Sums; factor: number; days: number; nodes: number; leftOut: Sums } | null;
  /** Why they are at the prices of the tool, and which nodes or currencies that is about. */
  reason: Answer['reason'];
  about: readonly string[];
  /** By the name of a namespace. */
  namespaces: ReadonlyMap<string, Sums>;
  /** By the id of a workload, pod or node. */
  resources: ReadonlyMap<string, Sums>;
  /** The costs with their components. */
  parts: ReadonlyMap<string, PartCost>;
  /** Sums of workloads, idle capacity and other kinds. */
  kinds: ReadonlyMap<Kind, Sums>;
  whole: Sums;
  beside: Sums;
}

/** Sums amounts by key and currency; rows without a key are dropped. */
function added<Of, Key>(
  rows: readonly Of[],
  key: (row: Of) => Key | null,
  amount: (row: Of) => Numeric | null,
  currency: (row: Of) => string | null,
): Map<Key, Sums> {
  const found = new Map<Key, Map<string, Numeric[]>>();
  for (const row of rows) {
    const [name, value] = [key(row), amount(row)];
    if (name === null || value === null) continue;
    const sums = found.get(name) ?? new Map<string, Numeric[]>();
    const values = sums.get(currency(row) ?? '');
    if (values === undefined) sums.set(currency(row) ?? '', [value]);
    else values.push(value);
    found.set(name, sums);
  }
  return new Map(
    [...found].map(([name, sums]) => [name, new Map([...sums].map(([unit, values]) => [unit, sum(values)]))]),
  );
}

/** The cost of charges, by key. */
export function sumsOf<Charge extends { currency_type: string | null; billed_cost: Numeric | null }>(
  rows: readonly Charge[],
  key: (row: Charge) => string | null,
): Map<string, Sums> {
  return added(
    rows,
    key,
    (row) => row.billed_cost,
    (row) => row.currency_type,
  );
}

const none: Sums = new Map();

/** Converts the response for the page; null without costs. */
export function costsOf(answer: Answer): Costs | null {
  const { lines, from, to } = answer;
  if (lines.length === 0 || from === null || to === null) return null;
  const unit = ({ currency }: CostLine) => currency;
  const by = <Key>(key: (line: CostLine) => Key | null, amount: (line: CostLine) => Numeric = (line) => line.amount) =>
    added(lines, key, amount, unit);
  const of = (name: 'amount' | 'tool' | 'beside_nodes') =>
    by(
      ({ resource_id: id }) => id,
      (line) => line[name],
    );
  const [amounts, tools, besides] = [of('amount'), of('tool'), of('beside_nodes')];
  const one = (amount: Numeric | null): Sums => new Map([[answer.currency ?? '', amount ?? 0]]);
  const isBilled = answer.prices === 'BILL' && answer.factor !== null;
  const nodes = answer.nodes.flatMap(({ resource_id: id, amount }) =>
    id === null ? [] : [[id, one(amount)] as const],
  );
  return {
    days: { from, to },
    bill: isBilled
      ? {
          billed: one(answer.billed),
          tool: one(answer.tool),
          factor: Number(answer.factor),
          days: answer.days ?? 0,
          nodes: answer.nodes.length,
          leftOut: one(answer.left_out),
        }
      : null,
    reason: answer.reason,
    about: answer.about,
    namespaces: by(({ kind, namespace }) => (kind === 'WORK' ? namespace : null)),
    resources: new Map([...amounts, ...nodes]),
    parts: new Map(
      [...amounts].map(([id, amount]) => [
        id,
        { amount, tool: tools.get(id) ?? none, beside: besides.get(id) ?? none },
      ]),
    ),
    kinds: by(({ kind }) => kind),
    whole: by(() => 'all').get('all') ?? none,
    beside:
      by(
        () => 'all',
        (line) => line.beside_nodes,
      ).get('all') ?? none,
  };
}

/** Whether there is anything in it. */
export function isNothing(sums: Sums | undefined): boolean {
  return sums === undefined || [...sums.values()].every((value) => isZero(value));
}

/** "$6,842.18"; of several currencies each, "USD 5.00, EUR 3.00". */
export function amounts(sums: Sums | undefined): string {
  if (sums === undefined) return '–';
  return [...sums].map(([currency, value]) => money(value, currency || null, { several: sums.size > 1 })).join(', ');
}

/** The cost of a table row; undefined if no charge refers to it. */
export function costOf(costs: Costs, row: Row): Sums | undefined {
  return row.tab === 'namespaces' ? costs.namespaces.get(row.name) : costs.resources.get(row.id);
}

/** Maximum number of rows loaded to sort by cost: the service sorts these tables but has no costs for their rows. */
const mostOrdered = 5_000;

/** Whether a table of so many rows can be ordered by costs: all of them are in one currency. */
export function isOrderable(costs: Costs | null, total: number | undefined): boolean {
  if (costs === null || total === undefined || total > mostOrdered) return false;
  const all = [...costs.namespaces.values(), ...costs.resources.values()];
  return new Set(all.flatMap((sums) => [...sums.keys()])).size === 1;
}

/** The rows sorted by cost; rows with unknown cost last. */
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

/** Costs of each cluster in the last 30 days that count in totals, by account id. */
export function useClusterCosts(): ReadonlyMap<string, Sums> {
  const days = useDays();
  const where = { spend_date: bounds(days ?? never), ...inTotals };
  const data = useGraphQL(ClusterCosts, { where }, { enabled: days !== null }).data;
  return useMemo(() => sumsOf(listingRows(data?.spend_groupings_v2), (row) => row.account_id), [data]);
}

/** The request for the costs of a cluster. */
const request = (cluster: string, days: DayRange | null) => ({
  request: { account_id: cluster, from: (days ?? never).from, to: (days ?? never).to },
});

/** Cost of a cluster's nodes in the last 30 days; undefined if no bill contains it. */
export function useClusterBill(cluster: string): Sums | undefined {
  const days = useDays();
  const found = useGraphQL(ClusterBill, request(cluster, days), { enabled: days !== null }).data?.k8s_cluster_costs;
  if (found?.prices !== 'BILL') return undefined;
  return new Map([[found.currency ?? '', found.billed ?? 0]]);
}

/** Costs of the parts of one cluster in these days; null if unknown. */
export function useCosts(cluster: string): Costs | null {
  const days = useDays();
  const found = useGraphQL(PartCosts, request(cluster, days), { enabled: days !== null }).data?.k8s_cluster_costs;
  return useMemo(() => (found ? costsOf(found) : null), [found]);
}
