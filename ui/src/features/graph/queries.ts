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

/** The neighbours of a node; the whole graph without a node. */
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

/** The nodes reachable from a node. */
export const Reach = graphql(`
  mutation GraphReach($request: kg_traverse_input!) {
    kg_list_path(request: $request) {
      data {
        nodes
        edges
      }
      truncated
      has_more_steps
      total_discovered
    }
  }
`);

/** Size of the graph, when it was built, and its accounts. */
export const GraphFacts = graphql(`
  query GraphFacts {
    knowledge_graph_node_aggregate(where: { is_active: { _eq: true }, level: { _eq: "Tenant" } }) {
      aggregate {
        count
      }
    }
    knowledge_graph_metadata(order_by: [{ last_sync_at: desc_nulls_last }], limit: 1) {
      last_sync_at
    }
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
  }
`);

/** The first nodes, if there are too many to draw. */
export const FirstThings = graphql(`
  query GraphFirstThings($limit: Int!) {
    knowledge_graph_node(
      where: { is_active: { _eq: true }, level: { _eq: "Tenant" } }
      order_by: [{ node_type: asc }, { unique_key: asc }]
      limit: $limit
    ) {
      id
      cloud_account_id
      node_type
      unique_key
      labels
      properties
      query_attributes
      updated_at
    }
  }
`);

/** Events of the open node with their current state. */
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
