import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { Around, Reach } from './queries';
import type { GraphSearch } from './search';
import { graphOf, shortestPath } from './thing';
import type { Graph } from './thing';

/** So many things can be told apart in a picture; the list has all. */
export const mostDrawn = 300;
const mostReached = 2_000;
/** Kinds of relations along which an outage spreads. */
const spreading = ['RUNS', 'RUNS_ON', 'SELECTS', 'ROUTES_TO', 'CALLS', 'USES', 'BOUND_TO', 'PART_OF', 'OWNS'];

export interface Found {
  graph: Graph | undefined;
  /** How many were reached, where not all are shown. */
  beyond: number | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** What the address asks to be drawn. */
export function useGraph({ node, mode, to, steps }: GraphSearch): Found {
  const isReach = node !== undefined && mode !== undefined;
  const around = useGraphQL(
    Around,
    { request: node === undefined ? {} : { node_ids: [node], levels: steps ?? 2, subgraph: true } },
    { enabled: !isReach },
  );
  const reach = useGraphQL(
    Reach,
    {
      request: {
        node_ids: node === undefined ? [] : [node],
        direction: mode === 'outage' ? 'incoming' : mode === 'needs' ? 'outgoing' : 'both',
        max_depth: 12,
        max_nodes: mode === 'path' ? 5_000 : mostReached,
        ...(mode === 'path' ? {} : { relationship_types: spreading }),
      },
    },
    { enabled: isReach },
  );
  const query = isReach ? reach : around;
  const isOld = query.isPlaceholderData;
  const answer = isReach ? reach.data?.kg_list_path : around.data?.kg_get_complete_graph;
  const graph = useMemo(() => {
    if (!answer || isOld) return undefined;
    const all = graphOf(answer.data);
    if (mode === 'path' && node !== undefined) return to === undefined ? only(all, node) : shortestPath(all, node, to);
    return all;
  }, [answer, isOld, mode, node, to]);
  const beyond =
    reach.data?.kg_list_path?.truncated === true ? (reach.data.kg_list_path.total_discovered ?? undefined) : undefined;
  return { graph, beyond: isReach && mode !== 'path' ? beyond : undefined, error: query.error, refetch: query.refetch };
}

function only(graph: Graph, id: string): Graph {
  return { things: graph.things.filter((thing) => thing.id === id), relations: [] };
}
