//! Types of `schema/operations/knowledge.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListKBRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListKBResponse {
    pub data: Option<Vec<KnowledgebaseOutput>>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct KnowledgebaseOutput {
    pub account_id: String,
    pub created_at: Option<String>,
    pub created_by: Option<String>,
    /// The document: its text, or the bytes of a PDF in base64.
    pub data: String,
    pub data_filename: String,
    pub data_format: String,
    pub data_size_bytes: Option<Number>,
    pub description: Option<String>,
    pub id: String,
    pub integration_id: Option<String>,
    pub kb_source: Option<String>,
    /// `manual` or `integration`.
    pub kb_type: String,
    pub name: String,
    /// How many passages it was cut into.
    pub passages: i64,
    /// `active`, `processing`, `error` or `archived`.
    pub status: String,
    /// Why it has no passages, and what to do.
    pub status_reason: Option<String>,
    pub tenant_id: String,
    pub updated_at: Option<String>,
    pub updated_by: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SearchKBRequest {
    pub account_id: String,
    /// Only in these; all that are active unless given.
    pub kb_ids: Option<Vec<String>>,
    /// 1 to 50; 8 unless given.
    pub limit: Option<i64>,
    pub query: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct SearchKBResponse {
    pub data: Option<SearchKBData>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SearchKBData {
    /// Whether the meaning of the question was compared; else its words only.
    pub by_meaning: bool,
    pub passages: Vec<KBPassage>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct KBPassage {
    pub id: String,
    pub kb_id: String,
    pub kb_name: String,
    /// Its place in the document, from 1.
    pub number: i64,
    /// Where that is, in words.
    pub place: String,
    /// Reciprocal-rank fusion of both ways of searching.
    pub score: Number,
    pub text: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct GetKBRequest {
    pub account_id: String,
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct GetKBResponse {
    pub data: Option<KnowledgebaseOutput>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListAgentKBsRequest {
    pub account_id: String,
    pub agent_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListAgentKBsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListAgentsWithKBCountsRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListAgentsWithKBCountsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListKBAgentsRequest {
    pub account_id: String,
    pub kb_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListKBAgentsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListKBAgentMappingsRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListKBAgentMappingsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateKBRequest {
    pub account_id: String,
    pub knowledgebase: KnowledgebaseInput,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct KnowledgebaseInput {
    /// The text; of a PDF, its bytes in base64. At most 10 MB.
    pub data: String,
    pub description: Option<String>,
    pub file_name: String,
    /// `json`, `xml`, `csv`, `text` or `pdf`.
    pub format: String,
    /// 3 to 100 letters, digits, spaces, `-`, `_`, `:`; a letter first. Unique in the account.
    pub name: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateKBResponse {
    pub data: Option<KnowledgebaseOutput>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateKBRequest {
    pub account_id: String,
    pub knowledgebase: KnowledgebaseUpdateInput,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct KnowledgebaseUpdateInput {
    pub data: Option<String>,
    pub description: Option<String>,
    pub file_name: Option<String>,
    pub format: Option<String>,
    pub id: String,
    pub name: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateKBResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteKBRequest {
    pub account_id: String,
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct DeleteKBResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct MapKBToAgentRequest {
    pub account_id: String,
    pub agent_id: String,
    pub kb_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct MapKBToAgentResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UnmapKBFromAgentRequest {
    pub account_id: String,
    pub agent_id: String,
    pub kb_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UnmapKBFromAgentResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateAgentRagInput {
    pub account_id: String,
    pub agent: String,
    pub data: String,
    pub file_name: Option<String>,
    pub format: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateAgentRagOutput {
    pub data: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListGCRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListGCResponse {
    pub data: Option<Vec<GlobalContextOutput>>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct GlobalContextOutput {
    pub account_id: String,
    pub created_at: Option<String>,
    pub created_by: Option<String>,
    /// The document: its text, or the bytes of a PDF in base64.
    pub data: String,
    pub data_filename: String,
    pub data_format: String,
    pub data_size_bytes: Option<Number>,
    pub description: Option<String>,
    pub id: String,
    pub name: String,
    /// `active`, `processing`, `error` or `archived`.
    pub status: String,
    pub tenant_id: String,
    pub updated_at: Option<String>,
    pub updated_by: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct GetGCRequest {
    pub account_id: String,
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct GetGCResponse {
    pub data: Option<GlobalContextOutput>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateGCRequest {
    pub account_id: String,
    pub global_context: GlobalContextInput,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct GlobalContextInput {
    /// The text; of a PDF, its bytes in base64. At most 10 MB.
    pub data: String,
    pub description: Option<String>,
    pub file_name: String,
    /// `json`, `xml`, `csv`, `text` or `pdf`.
    pub format: String,
    /// As for a knowledge base.
    pub name: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateGCResponse {
    pub data: Option<GlobalContextOutput>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateGCRequest {
    pub account_id: String,
    pub global_context: GlobalContextUpdateInput,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct GlobalContextUpdateInput {
    pub data: Option<String>,
    pub description: Option<String>,
    pub file_name: Option<String>,
    pub format: Option<String>,
    pub id: String,
    pub name: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateGCResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteGCRequest {
    pub account_id: String,
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct DeleteGCResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgGetFilterOptionsOutput {
    pub data: Option<KgFilterOptions>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgFilterOptions {
    pub account_ids: Option<Vec<String>>,
    pub attribute_keys: Option<Vec<String>>,
    pub label_keys: Option<Vec<String>>,
    /// When the graph was last brought up to date.
    pub last_sync_time: Option<String>,
    pub node_types: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct KgGetFilterValuesInput {
    /// Its key.
    pub filter_key: String,
    /// `label` or `attribute`.
    pub filter_type: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgGetFilterValuesOutput {
    pub data: Option<KgFilterValues>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct KgFilterValues {
    pub filter_key: String,
    pub filter_type: String,
    pub values: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct KgGetCompleteGraphInput {
    pub account_ids: Option<Vec<Option<String>>>,
    /// As `labels`.
    pub attributes: Option<serde_json::Value>,
    /// Values by key: one, or a list of which one must be met.
    pub labels: Option<serde_json::Value>,
    /// 1 to 3 steps around `node_ids`; 1 unless given.
    pub levels: Option<i64>,
    pub node_ids: Option<Vec<Option<String>>>,
    pub node_types: Option<Vec<Option<String>>>,
    /// Values of the property `source`.
    pub sources: Option<Vec<Option<String>>>,
    /// With `node_ids`: every relation among what is shown; else only the one by which each thing was found first.
    pub subgraph: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgGetCompleteGraphOutput {
    pub data: Option<KgGraph>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgGraph {
    /// Relations, as objects with the columns of knowledge_graph_edge.
    pub edges: Option<Vec<serde_json::Value>>,
    pub generated_at: Option<String>,
    /// Things of the graph, as objects with the columns of knowledge_graph_node.
    pub nodes: Option<Vec<serde_json::Value>>,
    pub tenant_id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct KgSearchNodesInput {
    pub account_ids: Option<Vec<Option<String>>>,
    /// The name of the account of a cluster.
    pub cluster: Option<String>,
    pub labels: Option<serde_json::Value>,
    /// 1 to 500; 50 unless given.
    pub limit: Option<i64>,
    /// The whole name, capitals aside.
    pub name: Option<String>,
    /// A part of the name, capitals aside.
    pub name_pattern: Option<String>,
    pub namespace: Option<String>,
    pub node_types: Option<Vec<Option<String>>>,
    /// The property `source`.
    pub source: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgSearchNodesOutput {
    pub nodes: Option<Vec<KgSearchNodeResult>>,
    /// Without the limit.
    pub total_count: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct KgSearchNodeResult {
    pub cloud_account_id: Option<String>,
    pub cluster: Option<String>,
    pub id: String,
    pub labels: Option<serde_json::Value>,
    pub name: Option<String>,
    pub namespace: Option<String>,
    pub node_type: String,
    pub properties: Option<serde_json::Value>,
    pub source: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct KgTraverseInput {
    pub cluster: Option<String>,
    /// `outgoing`: what it needs; `incoming`: what needs it; `both`.
    pub direction: String,
    pub exclude_node_types: Option<Vec<Option<String>>>,
    /// Steps, 1 to 12; 3 unless given.
    pub max_depth: Option<i64>,
    /// 1 to 5,000; 500 unless given.
    pub max_nodes: Option<i64>,
    /// Where it begins, by name.
    pub name: Option<String>,
    pub name_pattern: Option<String>,
    pub namespace: Option<String>,
    /// Where it begins.
    pub node_ids: Option<Vec<Option<String>>>,
    /// Kinds that are entered; all unless given.
    pub node_types: Option<Vec<Option<String>>>,
    /// Kinds of relations that are followed; all unless given.
    pub relationship_types: Option<Vec<Option<String>>>,
    /// Kinds where it may begin.
    pub search_node_types: Option<Vec<Option<String>>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct KgTraverseOutput {
    pub data: Option<KgGraph>,
    /// Relations lead on beyond `max_depth`.
    pub has_more_steps: Option<bool>,
    pub seed_node_ids: Option<Vec<String>>,
    /// How many were reached before it stopped, shown or not.
    pub total_discovered: Option<i64>,
    /// More were reached than are shown.
    pub truncated: Option<bool>,
}
