import { parseTime } from '@/shared';
import type { Filter, Numeric } from '@/shared';
import { levels } from './dimension';
import type { Dimension } from './dimension';
import { restOf } from './group';
import type { Group } from './group';
import type { Charge } from './load';
import { metrics } from './metric';
import type { Metric } from './metric';

/** A row of the table. */
export interface Node {
  id: string;
  kind: 'group' | 'rest' | 'charge' | 'more' | 'failed';
  /** The keys that lead here, one per level. */
  path: string[];
  label: string;
  exact: string | null;
  value: Numeric | null;
  before: Numeric | null;
  count: number | null;
  charge?: Charge;
}

/** A path as the id of its row. */
export function pathId(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The conditions that lead to a row. */
export function filtersOf(by: Dimension, path: readonly string[]): Filter[] {
  const chain = levels(by);
  return path.map((key, depth) => ({ field: chain[depth] ?? by, values: [key] }));
}

/** The rows of groups under `path`, with one row for the groups beyond the limit. */
export function groupNodes(groups: readonly Group[], rest: Group | null, path: readonly string[]): Node[] {
  const nodes = groups.map((group): Node => node(group, 'group', [...path, group.key]));
  return rest ? [...nodes, node(rest, 'rest', path)] : nodes;
}

function node({ label, exact, value, before, count }: Group, kind: 'group' | 'rest', path: readonly string[]): Node {
  const id = kind === 'rest' ? `rest ${pathId(path)}` : pathId(path);
  return { id, kind, path: [...path], label, exact, value, before, count: kind === 'rest' ? null : count };
}

/** The groups inside a row; they add up to it. */
export function childNodes(parent: Node, groups: readonly Group[]): Node[] {
  return groupNodes(groups, restOf(groups, parent.value, parent.before), parent.path);
}

/** The charges of a row, and a last line when there are more than are shown. */
export function chargeNodes(parent: Node, charges: readonly Charge[], metric: Metric): Node[] {
  const nodes = charges.map((charge): Node => ({
    id: charge.id,
    kind: 'charge',
    path: parent.path,
    label: charge.charge_description ?? charge.resource_service_name ?? charge.charge_category ?? 'Charge',
    exact: null,
    value: charge[metrics[metric].stored],
    before: null,
    count: null,
    charge,
  }));
  const left = (parent.count ?? 0) - charges.length;
  if (left <= 0 || charges.length === 0) return nodes;
  return [
    ...nodes,
    {
      ...blank(parent, 'more'),
      label: `${String(left)} smaller charges are not listed; use a filter or a shorter range to see them`,
    },
  ];
}

/** A row with the reason why its parent could not be expanded. */
export function failedNode(parent: Node, error: Error): Node {
  return { ...blank(parent, 'failed'), label: `Could not be read: ${error.message}` };
}

function blank(parent: Node, kind: 'more' | 'failed'): Node {
  const id = `${kind} ${parent.id}`;
  return { id, kind, path: parent.path, label: '', exact: null, value: null, before: null, count: null };
}

/** "2 Sep, 14:00"; the hours only if the charge does not start at midnight. */
export function chargeTime(charge: Charge): string {
  const at = parseTime(charge.date).toISOString();
  return at.slice(11, 16) === '00:00' ? at.slice(0, 10) : `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

/** The source of a charge, with the line of its file. */
export function sourceOf(charge: Pick<Charge, 'import_file_name' | 'source_line'>): string {
  if (charge.import_file_name === null) return 'written through the API';
  return charge.source_line === null
    ? charge.import_file_name
    : `${charge.import_file_name}, line ${String(charge.source_line)}`;
}
