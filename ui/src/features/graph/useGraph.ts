import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import type { Filter } from '@/shared';
import { Around, FirstThings, Reach } from './queries';
import type { GraphSearch } from './search';
import { byKey, graphOf, shortestPath } from './thing';
import type { Graph } from './thing';
import { contained, hubs, needs } from './words';

/** So many things can be told apart in a picture; the list has more. */
export const mostDrawn = 300;
const mostReached = 2_000;
/** Of a graph with more things, so many are listed while none is chosen. */
const mostListed = 1_000;
/** Steps the service follows at most; a path is followed from both ends. */
const farthest = 12;

export interface GraphResult {
  graph: Graph | undefined;
  /** What the answer leaves out: things beyond the number that is read, or beyond so many steps. */
  cut: { shown: number; things: number } | { steps: number } | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** What the address asks to be drawn; `size` is how many things there are in all, `accounts` the names of accounts. */
export function useGraph(
  { node, mode, to, steps, filters }: GraphSearch,
  size: number | undefined,
  accounts: ReadonlyMap<string, string>,
): GraphResult {
  const narrower = narrowing(filters ?? []);
  // A part of a large graph is asked for; of a small one, all is at hand.
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

/** What the service can leave out by itself; none where nothing is filtered so. */
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
      // From both ends at once: where the two meet is in the answer.
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
