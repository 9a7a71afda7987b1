import type { Json } from '@/api';
import type { Filter } from '@/shared';

/** A thing of the graph. */
export interface Thing {
  id: string;
  /** One of the node types of the interface, such as `Workload`. */
  kind: string;
  name: string;
  namespace: string | undefined;
  account: string;
  labels: readonly string[];
  /** Its source. */
  source: string;
  properties: { [name: string]: Json };
  updatedAt: string;
}

/** A relation: it points from the dependent node to its dependency. */
export interface Relation {
  id: string;
  from: string;
  to: string;
  kind: string;
  /** The evidence of the relation: a selector or an owner reference. */
  source: string;
  detail: string;
}

export interface Graph {
  things: readonly Thing[];
  relations: readonly Relation[];
}

interface Answer {
  nodes: readonly (Json | null)[] | null;
  edges: readonly (Json | null)[] | null;
}

function fields(value: Json | null | undefined): { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/**
 * Reads an answer, ordered by name and name of the account, so that the same graph is drawn the same way; relations whose ends are not there are
 * left out.
 */
export function graphOf(answer: Answer | null | undefined, accounts: ReadonlyMap<string, string> = new Map()): Graph {
  const things = (answer?.nodes ?? []).map((one) => thingOf(fields(one))).sort(byName(accounts));
  const places = new Map(things.map(({ id }, place) => [id, place]));
  const place = (id: string) => places.get(id) ?? 0;
  const relations = (answer?.edges ?? [])
    .map((one) => relationOf(fields(one)))
    .filter(({ from, to }) => places.has(from) && places.has(to))
    .sort((a, b) => place(a.from) - place(b.from) || place(a.to) - place(b.to) || compare(a.kind, b.kind));
  return { things, relations };
}

function byName(accounts: ReadonlyMap<string, string>) {
  const account = ({ account }: Thing) => accounts.get(account) ?? '';
  return (a: Thing, b: Thing): number =>
    compare(a.name, b.name) ||
    compare(a.kind, b.kind) ||
    compare(a.namespace ?? '', b.namespace ?? '') ||
    compare(account(a), account(b)) ||
    compare(a.labels.join(), b.labels.join()) ||
    compare(a.id, b.id);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function thingOf(row: { [name: string]: Json }): Thing {
  const properties = fields(row['properties']);
  const attributes = fields(row['query_attributes']);
  const namespace = text(properties['namespace'] ?? attributes['namespace']);
  return {
    id: text(row['id']),
    kind: text(row['node_type']) || 'Other',
    name: text(properties['name'] ?? attributes['name']) || text(row['unique_key']),
    namespace: namespace === '' ? undefined : namespace,
    account: text(row['cloud_account_id']),
    labels: Object.entries(fields(row['labels'])).map(([name, value]) => `${name}=${text(value)}`),
    source: text(properties['source']),
    properties,
    updatedAt: text(row['updated_at']),
  };
}

function relationOf(row: { [name: string]: Json }): Relation {
  const properties = fields(row['properties']);
  return {
    id: text(row['id']),
    from: text(row['source_node_id']),
    to: text(row['destination_node_id']),
    kind: text(row['relationship_type']),
    source: text(properties['source']),
    detail: text(properties['detail']),
  };
}

/** Removes hidden kinds; nodes in `kept` stay. */
export function narrowed(graph: Graph, hidden: ReadonlySet<string>, kept: ReadonlySet<string>): Graph {
  const things = graph.things.filter(({ id, kind }) => kept.has(id) || !hidden.has(kind));
  const known = new Set(things.map(({ id }) => id));
  const relations = graph.relations.filter(
    ({ kind, from, to }) => !hidden.has(kind) && known.has(from) && known.has(to),
  );
  return { things, relations };
}

/** Keeps nodes of the given accounts and labels; of labels with the same key one is enough. Nodes in `kept` stay. */
export function filtered(graph: Graph, filters: readonly Filter[], kept: ReadonlySet<string>): Graph {
  if (filters.length === 0) return graph;
  const passes = (thing: Thing) => filters.every((filter) => meets(thing, filter) !== (filter.not ?? false));
  const things = graph.things.filter((thing) => kept.has(thing.id) || passes(thing));
  const known = new Set(things.map(({ id }) => id));
  return { things, relations: graph.relations.filter(({ from, to }) => known.has(from) && known.has(to)) };
}

function meets(thing: Thing, { field, values, not }: Filter): boolean {
  if (field === 'account') return values.includes(thing.account);
  const groups = [...byKey(values).values()];
  const has = (group: readonly string[]) => group.some((label) => thing.labels.includes(label));
  return not ? groups.some(has) : groups.every(has);
}

/** Labels as `key=value`, by their key. */
export function byKey(labels: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const label of labels) {
    const key = label.slice(0, Math.max(0, label.indexOf('=')));
    found.set(key, [...(found.get(key) ?? []), label]);
  }
  return found;
}

/** How many things have each label, most first. */
export function labelsOf({ things }: Graph): [label: string, many: number][] {
  return counted(things.flatMap(({ labels }) => labels.map((kind) => ({ kind }))));
}

/** How many there are of each kind, most first. */
export function counted(kinds: readonly { kind: string }[]): [kind: string, many: number][] {
  const many = new Map<string, number>();
  for (const { kind } of kinds) many.set(kind, (many.get(kind) ?? 0) + 1);
  return [...many].sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
}

/** The shortest path between two nodes, ignoring directions; empty if there is none. */
export function shortestPath(graph: Graph, from: string, to: string): Graph {
  const near = new Map<string, Relation[]>();
  for (const relation of graph.relations)
    for (const end of [relation.from, relation.to]) near.set(end, [...(near.get(end) ?? []), relation]);
  const by = new Map<string, Relation | undefined>([[from, undefined]]);
  let border = [from];
  while (border.length > 0 && !by.has(to)) {
    const next: string[] = [];
    for (const id of border)
      for (const relation of near.get(id) ?? []) {
        const other = relation.from === id ? relation.to : relation.from;
        if (by.has(other)) continue;
        by.set(other, relation);
        next.push(other);
      }
    border = next;
  }
  if (!by.has(to)) return { things: [], relations: [] };
  const ids = [to];
  const relations: Relation[] = [];
  for (let at = to; at !== from;) {
    const relation = by.get(at);
    if (!relation) break;
    relations.unshift(relation);
    at = relation.from === at ? relation.to : relation.from;
    ids.unshift(at);
  }
  const known = new Map(graph.things.map((thing) => [thing.id, thing]));
  return { things: ids.flatMap((id) => known.get(id) ?? []), relations };
}

/** How many steps each thing is away from another. */
export function distances(graph: Graph, from: string): Map<string, number> {
  const near = new Map<string, string[]>();
  for (const { from: one, to: other } of graph.relations) {
    near.set(one, [...(near.get(one) ?? []), other]);
    near.set(other, [...(near.get(other) ?? []), one]);
  }
  const found = new Map([[from, 0]]);
  for (const id of found.keys())
    for (const other of near.get(id) ?? []) if (!found.has(other)) found.set(other, (found.get(id) ?? 0) + 1);
  return found;
}
