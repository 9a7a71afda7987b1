//! Types of `schema/operations/assistant.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIResponse {
    pub data: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListConversationsRequest {
    pub account_id: String,
    pub limit: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListConversationsResponse {
    pub data: Option<Vec<AIConversationListed>>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIConversationListed {
    pub id: String,
    pub llm_model: Option<String>,
    pub llm_provider: Option<String>,
    /// As in `llm_conversation_status`.
    pub status: String,
    pub title: Option<String>,
    pub updated_at: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListSentRequest {
    pub account_id: String,
    pub conversation_id: Option<String>,
    pub id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListSentResponse {
    pub data: Option<Vec<AISent>>,
    pub errors: Option<Vec<Error>>,
}

/// One request to a language model.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AISent {
    pub id: String,
    pub conversation_id: Option<String>,
    /// By the tenant's price list; null for a model without a price.
    pub cost: Option<Number>,
    pub host: String,
    pub input_tokens: Option<i64>,
    /// Whether it left this machine.
    pub left_machine: bool,
    pub model: String,
    pub output_tokens: Option<i64>,
    /// Messages and tools as they were sent, names replaced where they were; with `id` only.
    pub payload: Option<String>,
    pub provider: String,
    /// How many different names were replaced.
    pub replaced_names: i64,
    pub sent_at: String,
    pub size_bytes: i64,
    /// `SENT`, `ANSWERED` or `FAILED`.
    pub status: String,
    /// Why it failed, or how tokens were counted.
    pub status_reason: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListAIMemoryRequest {
    pub account_id: String,
    pub conversation_id: Option<String>,
    /// 1 to 1,000.
    pub limit: Option<i64>,
    pub message_id: Option<String>,
    pub offset: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListAIMemoryResponse {
    pub data: Option<Vec<AIMemoryResponse>>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIMemoryResponse {
    pub account_id: String,
    pub content: Option<String>,
    pub conversation_id: Option<String>,
    pub created_at: Option<String>,
    pub id: String,
    /// Such as `architectural_fact` or `user_preference`.
    pub memory_type: Option<String>,
    pub message_id: Option<String>,
}

/// What went wrong beside an answer.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct Error {
    pub code: Option<String>,
    pub message: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ListAIReferencesRequest {
    pub account_id: String,
    pub agent_id: Option<String>,
    pub conversation_id: Option<String>,
    /// 1 to 1,000.
    pub limit: Option<i64>,
    pub message_id: Option<String>,
    pub offset: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct ListAIReferencesResponse {
    pub data: Option<Vec<AIReferenceResponse>>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIReferenceResponse {
    pub account_id: Option<String>,
    pub agent_id: Option<String>,
    pub content: Option<String>,
    pub conversation_id: Option<String>,
    pub created_at: Option<String>,
    pub id: Option<String>,
    pub message_id: Option<String>,
    /// The id of what is referred to.
    pub reference_id: Option<String>,
    /// `memory`, `knowledge_base` or `context_state`.
    pub r#type: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIGenerateWorkflowRequest {
    pub account_id: String,
    pub agent_id: Option<String>,
    pub r#async: Option<bool>,
    pub config: Option<serde_json::Value>,
    pub conversation_id: Option<String>,
    pub message_id: Option<String>,
    pub query: String,
    pub session_id: Option<String>,
    pub source: Option<String>,
    pub user_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIGenerateWorkflowResponse {
    pub data: AIGenerateWorkflowData,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIGenerateWorkflowData {
    pub agent_id: Option<String>,
    pub agent_step_response: Vec<String>,
    pub chain_name: String,
    pub conversation_id: Option<String>,
    pub followup: Option<AIFollowupResponse>,
    pub message_id: Option<String>,
    pub query: String,
    pub response: Vec<String>,
    pub session_id: Option<String>,
    pub status: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIFollowupResponse {
    pub data: AIFollowupResponseData,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIFollowupResponseData {
    pub chain_name: String,
    pub conversation_id: Option<String>,
    pub message_id: Option<String>,
    pub response: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AiGetConversationV3Request {
    pub account_id: Uuid,
    /// This or `session_id` is needed.
    pub conversation_id: Option<Uuid>,
    pub session_id: Option<String>,
    /// Only messages from then on.
    pub since: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiGetConversationV3Response {
    pub conversation: Option<AiConversationShell>,
    pub messages: Vec<AiConversationMessage>,
    /// The assistant at work, once for each question: its id is the question's.
    pub agents: Vec<AiConversationAgent>,
    /// What it looked at, in the order of time: `references` is the name the answer cites it by, `response` what the model was told.
    pub tool_calls: Vec<AiConversationToolCall>,
    /// The `since` of the next request.
    pub cursor: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiConversationShell {
    pub id: String,
    pub session_id: String,
    pub account_id: String,
    pub tenant_id: String,
    pub user_id: Option<String>,
    pub user_display_name: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    pub source: Option<String>,
    pub context: Option<String>,
    pub status: Option<String>,
    pub title: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiConversationMessage {
    pub id: String,
    pub user_id: Option<String>,
    pub user_display_name: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    pub message: String,
    pub message_type: Option<String>,
    pub response: Option<String>,
    /// `user` or `assistant`.
    pub role: Option<String>,
    /// `IN_PROGRESS`, `COMPLETED`, `FAILED` or `KILLED`.
    pub status: Option<String>,
    /// Why it was not answered, or not to its end.
    pub status_reason: Option<String>,
    /// Sentences of an answer whose figures nothing proves, as the answer told them.
    pub unproved: Option<serde_json::Value>,
    pub parent_agent_id: Option<String>,
    pub message_config: Option<String>,
    pub ack_message: Option<String>,
    pub attachments: Option<Vec<AiMessageAttachment>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiMessageAttachment {
    pub id: String,
    pub mime_type: String,
    pub size_bytes: i64,
    pub description: Option<String>,
    pub created_at: String,
    pub data: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiConversationAgent {
    pub id: String,
    pub message_id: String,
    pub agent_name: Option<String>,
    pub response: Option<String>,
    pub response_summary: Option<String>,
    pub query: Option<String>,
    pub thought: Option<String>,
    pub parent_agent_id: Option<String>,
    pub status: Option<String>,
    pub references: Option<String>,
    pub created_at: String,
    pub updated_at: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AiConversationToolCall {
    pub id: String,
    pub agent_id: String,
    pub tool_name: String,
    pub parameters: Option<String>,
    pub response: Option<String>,
    pub thought: Option<String>,
    pub tool_type: Option<String>,
    pub child_agent_id: Option<String>,
    pub references: Option<String>,
    pub tool_id: Option<String>,
    pub status: Option<String>,
    pub created_at: String,
    pub updated_at: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AiFollowupResponseInput {
    /// At most 100,000 characters.
    pub message: Option<String>,
    /// Null begins a conversation.
    pub conversation_id: Option<String>,
    pub account_id: Option<Uuid>,
    /// With `llm_model`, as `ai_list_models` has them: who answers in this conversation from now on, and nobody else in its place.
    pub llm_provider: Option<String>,
    pub llm_model: Option<String>,
    /// Rows the question is about, at most 5: they are looked at, as the caller, before the model is asked.
    pub references: Option<Vec<AIQuestionReference>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIQuestionReference {
    /// `charge`, `recommendation`, `event` or `resource`.
    pub r#type: String,
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct SeedAiFollowupResult {
    pub conversation_id: Option<String>,
    pub response: Option<String>,
    /// What the answer rests on, as `[{id, type, title, query, variables, rows, of, ids, cited}]`: `id` is the name the answer cites, `query`
    /// with `variables` finds the same again.
    pub references: Option<serde_json::Value>,
    /// Sentences with figures that name no evidence, or whose figures stand in none of it.
    pub unproved: Option<serde_json::Value>,
    /// The answer's message.
    pub message_id: Option<String>,
    /// Of the conversation, as in `llm_conversation_status`.
    pub status: Option<String>,
    /// Why the answer ends before its end.
    pub status_reason: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SaveLLMConversationRequest {
    pub conversation_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SaveLLMConversationResponse {
    pub data: SaveResponse,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SaveResponse {
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteLLMConversationRequest {
    pub conversation_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct DeleteLLMConversationResponse {
    pub data: SaveResponse,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct DeleteLlmConversationByIdRequest {
    pub conversation_id: Uuid,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct DeleteLlmConversationByIdOutput {
    pub data: Option<SaveResponse>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIStopInvestigationRequest {
    pub account_id: String,
    pub conversation_id: String,
    pub user_id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIStopInvestigationResponse {
    pub data: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AiFeedbackCreateRequest {
    pub additional_notes: String,
    pub cloud_account_id: String,
    pub conversation_id: String,
    pub llm_response: String,
    /// The part of the assistant that answered.
    pub module: String,
    pub question: String,
    pub session_id: String,
    pub useful: bool,
    pub user_corrected_response: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct GenerateFeedbackResponse {
    pub data: FeedbackResponse,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct FeedbackResponse {
    pub success: bool,
}
