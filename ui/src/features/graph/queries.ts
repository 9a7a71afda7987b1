import { graphql } from '@/api';

/** Things by a part of their name. */
export const FindThings = graphql(`
  mutation GraphFind($request: kg_search_nodes_input!) {
    kg_list_nodes(request: $request) {
      nodes {
        id
        node_type
        name
        namespace
        cloud_account_id
      }
      total_count
    }
  }
`);

/** What stands around a thing; everything where no thing is named. */
export const Around = graphql(`
  mutation GraphAround($request: kg_get_complete_graph_input!) {
    kg_get_complete_graph(request: $request) {
      data {
        nodes
        edges
      }
    }
  }
`);

/** What can be reached from a thing. */
export const Reach = graphql(`
  mutation GraphReach($request: kg_traverse_input!) {
    kg_list_path(request: $request) {
      data {
        nodes
        edges
      }
      truncated
      total_discovered
    }
  }
`);

/** When the graph was last made, and of what accounts. */
export const GraphFacts = graphql(`
  query GraphFacts {
    kg_get_filter_options {
      data {
        last_sync_time
        node_types
      }
    }
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
  }
`);

/** Events about what is open: how they stand now. */
export const ThingEvents = graphql(`
  query GraphEvents($ids: [uuid!]!) {
    events(where: { id: { _in: $ids } }, order_by: [{ starts_at: desc }], limit: 20) {
      id
      title
      status
      priority
      nb_status
      starts_at
    }
  }
`);
