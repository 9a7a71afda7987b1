import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import type { Filter } from '@/shared';
import { Around, FirstThings, Reach } from './queries';
import type { GraphSearch } from './search';
import { byKey, graphOf, shortestPath } from './thing';
import type { Graph } from './thing';
import { contained, hubs, needs } from './words';

/** Maximum number of nodes drawn; the list has more. */
export const mostDrawn = 300;
const mostReached = 2_000;
/** Maximum number of nodes listed of a larger graph while none is chosen. */
const mostListed = 1_000;
/** Steps the service follows at most; a path is followed from both ends. */
const farthest = 12;

export interface GraphResult {
  graph: Graph | undefined;
  /** What the response omits: nodes beyond the maximum number, or beyond a number of steps. */
  cut: { shown: number; things: number } | { steps: number } | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** The graph for the address; `size` is the total number of nodes, `accounts` the names of accounts. */
export function useGraph(
  { node, mode, to, steps, filters }: GraphSearch,
  size: number | undefined,
  accounts: ReadonlyMap<string, string>,
): GraphResult {
  const narrower = narrowing(filters ?? []);
  // Parts of a large graph are requested; a small one is loaded completely.
  const isLarge = size !== undefined && size > mostListed && narrower === undefined;
  const isPart = size !== undefined && size > mostListed && narrower !== undefined;
  const isPath = node !== undefined && mode === 'path';
  const whole = useGraphQL(
    Around,
    { request: isPart ? narrower : {} },
    { enabled: node === undefined && size !== undefined && !isLarge },
  );
  const first = useGraphQL(FirstThings, { limit: mostListed }, { enabled: node === undefined && isLarge });
  const reach = useGraphQL(Reach, { request: requestOf(node ?? '', mode, to, steps) }, { enabled: node !== undefined });
  const query = node !== undefined ? reach : isLarge ? first : whole;
  const isOld = query.isPlaceholderData;
  const answer = useMemo(() => {
    if (node !== undefined) return reach.data?.kg_list_path?.data;
    if (isLarge) return first.data && { nodes: first.data.knowledge_graph_node, edges: [] };
    return whole.data?.kg_get_complete_graph?.data;
  }, [node, isLarge, reach.data, first.data, whole.data]);
  const graph = useMemo(() => {
    if (!answer || isOld) return undefined;
    const all = graphOf(answer, accounts);
    if (!isPath) return all;
    return to === undefined ? only(all, node) : shortestPath(all, node, to);
  }, [answer, accounts, isOld, isPath, node, to]);
  const reached = node === undefined || isOld ? undefined : reach.data?.kg_list_path;
  let cut: GraphResult['cut'];
  if (node === undefined && isLarge) cut = { shown: mostListed, things: size };
  else if (reached?.truncated === true)
    cut = { shown: reached.data?.nodes?.length ?? 0, things: reached.total_discovered ?? 0 };
  else if (reached?.has_more_steps === true && mode !== undefined) cut = { steps: isPath ? 2 * farthest : farthest };
  return { graph, cut, error: query.error, refetch: query.refetch };
}

/** Filters that the service applies itself; none without such filters. */
function narrowing(filters: readonly Filter[]) {
  const valuesOf = (field: string) => filters.find((one) => one.field === field && one.not !== true)?.values;
  const [accounts, labels] = [valuesOf('account'), valuesOf('label')];
  if (!accounts && !labels) return undefined;
  const value = (label: string) => label.slice(label.indexOf('=') + 1);
  return {
    ...(accounts ? { account_ids: accounts } : {}),
    ...(labels
      ? { labels: Object.fromEntries([...byKey(labels)].map(([key, found]) => [key, found.map(value)])) }
      : {}),
  };
}

function requestOf(node: string, mode: GraphSearch['mode'], to: string | undefined, steps: number | undefined) {
  const limits = { node_ids: [node], max_nodes: mostReached };
  switch (mode) {
    case 'outage':
      return { ...limits, direction: 'incoming', max_depth: farthest, relationship_types: [...needs, contained] };
    case 'needs':
      return { ...limits, direction: 'outgoing', max_depth: farthest, relationship_types: [...needs] };
    case 'path':
      // The response contains both ends of the path and their surroundings.
      return {
        node_ids: to === undefined ? [node] : [node, to],
        max_nodes: 5_000,
        direction: 'both',
        max_depth: to === undefined ? 1 : farthest,
        exclude_node_types: [...hubs],
      };
    case undefined:
      return { ...limits, direction: 'both', max_depth: steps ?? 2, exclude_node_types: ['Account'] };
  }
}

function only(graph: Graph, id: string): Graph {
  return { things: graph.things.filter((thing) => thing.id === id), relations: [] };
}
