//! Types of `schema/operations/assistant_agents.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListAgentRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ListAgentResponse {
    pub data: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListToolRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListToolResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateAgentRequest {
    pub account_id: String,
    pub agent: AgentRequest,
    /// Whether it takes the place of a built-in agent of that name.
    pub override_agent: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AgentRequest {
    pub config: Option<serde_json::Value>,
    pub description: Option<String>,
    /// 3 to 100 letters, digits, spaces, `-`, `_`, `:`; a letter first. Needed.
    pub name: Option<String>,
    pub rags: Option<Vec<Option<RagDataInput>>>,
    /// What it is told before the question. Needed.
    pub system_prompt: Option<String>,
    pub system_prompt_variables: Option<Vec<Option<String>>>,
    /// Names of tools of the account.
    pub tools: Option<Vec<Option<String>>>,
}

/// A document of an agent.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct RagDataInput {
    /// The text, or JSON.
    pub data: serde_json::Value,
    pub filename: Option<String>,
    pub format: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateAgentResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateAgentRequest {
    pub account_id: String,
    pub agent: AgentRequestUpdateStruct,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AgentRequestUpdateStruct {
    pub config: Option<serde_json::Value>,
    pub description: Option<String>,
    pub id: Uuid,
    pub name: Option<String>,
    /// `enabled`, `disabled` or `draft`.
    pub status: Option<String>,
    pub system_prompt: Option<String>,
    pub system_prompt_variables: Option<Vec<String>>,
    pub tools: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateAgentResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteAgentRequest {
    pub account_id: String,
    pub name: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct DeleteAgentResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateExtensionAgentRequest {
    pub account_id: String,
    pub agent: Option<CreateExtensionAgentDetails>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateExtensionAgentDetails {
    pub agent_name: String,
    pub prompt: Option<String>,
    pub tools: Option<Vec<Option<String>>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateAgentExtensionResponse {
    pub data: Option<serde_json::Value>,
    pub err: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateAgentExtensionRequest {
    pub account_id: String,
    pub agent: Option<UpdateAgentExtensionDetails>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateAgentExtensionDetails {
    pub agent_name: String,
    pub prompt: Option<String>,
    pub tools: Option<Vec<Option<String>>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateAgentExtensionResponse {
    pub data: Option<serde_json::Value>,
    pub err: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateToolRequest {
    pub account_id: String,
    pub tool: ToolRequest,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ToolRequest {
    pub config: Option<serde_json::Value>,
    pub description: String,
    /// `runbook` (unless given), `mcp` or `container`.
    pub executor_type: Option<String>,
    pub name: String,
    /// Needed for `runbook`.
    pub runbook_action_id: Option<String>,
    /// JSON schema of what it must be given.
    pub schema: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateToolResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateToolRequest {
    pub account_id: String,
    pub tool: UpdateToolRequestBody,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateToolRequestBody {
    pub config: Option<serde_json::Value>,
    pub description: Option<String>,
    pub executor_type: Option<String>,
    pub id: String,
    pub name: String,
    pub runbook_action_id: Option<String>,
    pub schema: Option<serde_json::Value>,
    /// `enabled`, `disabled`, `draft` or `error`.
    pub status: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateToolResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteToolRequest {
    pub account_id: String,
    pub name: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct DeleteToolResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateFunctionInput {
    pub description: String,
    pub name: String,
    pub prompt: String,
    pub status: Option<String>,
    pub variable_defaults: Option<serde_json::Value>,
    /// What in the prompt is filled in.
    pub variables: Option<Vec<Option<String>>>,
    pub version: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct FunctionResponse {
    pub data: CreateFunctionResponse,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CreateFunctionResponse {
    pub function: Option<LLMFunctionCreateResponse>,
    pub message: String,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct LLMFunctionCreateResponse {
    pub account_id: String,
    pub created_at: Option<String>,
    pub created_by: Option<String>,
    pub description: String,
    pub id: String,
    pub name: String,
    pub prompt: String,
    pub status: String,
    pub tenant_id: String,
    pub updated_at: Option<String>,
    pub updated_by: Option<String>,
    pub variable_defaults: Option<serde_json::Value>,
    pub variables: Option<Vec<String>>,
    pub version: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateFunctionInput {
    pub description: String,
    pub name: String,
    pub prompt: String,
    pub status: Option<String>,
    pub variable_defaults: Option<serde_json::Value>,
    pub variables: Option<Vec<Option<String>>>,
    pub version: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct FunctionUpdateResponse {
    pub data: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AiDeleteFunctionRequest {
    pub account_id: String,
    pub function_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AiDeleteFunctionResponse {
    pub data: Option<serde_json::Value>,
}
