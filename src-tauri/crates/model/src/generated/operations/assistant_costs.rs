//! Types of `schema/operations/assistant_costs.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIListModelsRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIListModelsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIGetModelConfigRequest {
    pub account_id: String,
    pub conversation_id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIGetModelConfigResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIBudgetStatusRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIBudgetStatusResponse {
    pub data: Option<AIBudgetStatusData>,
    /// Models used without a price, `[{message}]`; empty when all is counted.
    pub err: Option<serde_json::Value>,
}

/// Cost of a month against its limits.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIBudgetStatusData {
    pub account_id: String,
    /// Sessions that events began.
    pub investigation: AIModuleBudgetInfo,
    /// The month, `YYYY-MM`, UTC.
    pub period: String,
    pub tenant_id: String,
    /// All sessions.
    pub user_investigation: AIModuleBudgetInfo,
}

/// Both limits must leave something.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIModuleBudgetInfo {
    pub account: AIBudgetLevelInfo,
    pub tenant: AIBudgetLevelInfo,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIBudgetLevelInfo {
    /// For the month, in the currency of the price list.
    pub budget_limit: Number,
    /// Never below 0.
    pub budget_remaining: Number,
    pub current_usage: Number,
    /// `config` when people set the limit, else `system_default`.
    pub limit_source: String,
    /// Whether a limit of cost or count, of the day or the month, is reached: then nothing is asked any more.
    pub rate_limit: bool,
    /// Which limit is reached, in words.
    pub reached: Option<String>,
    /// Whether `budget_limit` is looked at.
    pub budget_enabled: bool,
    /// Whether nothing is limited here, whatever the limits say.
    pub budget_disabled: bool,
    /// Null where it is not looked at, as with the others.
    pub daily_limit: Option<Number>,
    pub daily_usage: Number,
    /// Conversations of the month and of the day (UTC).
    pub session_limit: Option<i64>,
    pub sessions: i64,
    pub daily_session_limit: Option<i64>,
    pub daily_sessions: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIListPricesResponse {
    pub data: Option<Vec<AIPrice>>,
    pub errors: Option<Vec<Error>>,
}

/// Prices of one model, per million tokens, in the currency of the limits.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIPrice {
    pub id: String,
    /// As `ai_list_models` and the ledger name it.
    pub provider: String,
    pub model: String,
    pub input: Number,
    pub output: Number,
    /// Without it, that of `input`.
    pub cached_input: Option<Number>,
    /// Without it, that of `input`.
    pub cache_creation: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIBudgetSystemDefaultsResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AIBudgetConfigListRequest {
    pub entity_type: Option<String>,
    pub entity_id: Option<String>,
    pub module: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIBudgetConfigListResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIBudgetConfigUpsertRequest {
    /// `tenant` or `account`.
    pub entity_type: String,
    pub entity_id: String,
    /// `investigation` or `user_investigation`.
    pub module: String,
    pub budget_disabled: Option<bool>,
    /// At most 10,000 for the tenant and 5,000 for an account.
    pub monthly_cost_limit: Option<Number>,
    pub monthly_cost_enabled: Option<bool>,
    /// Sessions.
    pub monthly_count_limit: Option<i64>,
    pub monthly_count_enabled: Option<bool>,
    /// At most 500 for the tenant and 250 for an account.
    pub daily_cost_limit: Option<Number>,
    pub daily_cost_enabled: Option<bool>,
    /// Sessions.
    pub daily_count_limit: Option<i64>,
    pub daily_count_enabled: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIBudgetConfigUpsertResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIBudgetConfigDeleteRequest {
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIBudgetConfigDeleteResponse {
    pub data: Option<serde_json::Value>,
    pub errors: Option<serde_json::Value>,
}

/// Per million tokens; 0 or more.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIPriceInput {
    pub provider: String,
    pub model: String,
    pub input: Number,
    pub output: Number,
    /// Null takes it away.
    pub cached_input: Option<Number>,
    /// Null takes it away.
    pub cache_creation: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIUpsertPriceResponse {
    pub data: Option<AIPrice>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIDeletePriceRequest {
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIDeletePriceResponse {
    pub data: Option<AIDeletedPrice>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIDeletedPrice {
    pub id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIGetConversationUsageMetricsRequest {
    pub account_id: String,
    pub conversation_id: String,
    pub user_id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIGetConversationUsageMetricsResponse {
    pub data: serde_json::Value,
}
