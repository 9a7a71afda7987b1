//! Tables and lookups of `schema/tables/assistant.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// A specialist of the assistant that people have written.
    LlmAgent in llm_agent by id {
        id: Id<LlmAgent>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Unique in the account, small and large letters alike.
        name: String,
        description: String,
        config: Option<Json>,
        /// `enabled`, `disabled` or `draft`.
        status: String,
        /// `tools`, `react`, `rewoo`, `custom`, `conversation`, `classification` or `react_3`: how it works.
        executor_type: String,
        /// What it is told before the question.
        system_prompt: String,
        /// What in the prompt is filled in when it runs.
        system_prompt_variables: Option<Vec<String>>,
        /// Names of the tools it may use.
        tools: Option<Vec<String>>,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// What an account adds to an agent.
    LlmAgentExtension in llm_agent_extension by agent_id {
        agent_id: Id<LlmAgent>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Said behind the agent's own prompt.
        prompt: Option<String>,
        /// Names of tools it may use beside its own.
        tools: Option<Vec<String>>,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// Something an agent can do, as people have described it.
    LlmTool in llm_tool by id {
        id: Id<LlmTool>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Unique in the account, small and large letters alike.
        name: String,
        description: String,
        config: Option<Json>,
        /// `runbook`, `mcp` or `container`: what carries it out.
        executor_type: String,
        /// The step of a runbook it takes.
        runbook_action_id: Option<String>,
        /// JSON schema of what it must be given.
        schema: Option<Json>,
        /// `enabled`, `disabled`, `draft` or `error`.
        status: String,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// A prompt with a name, to be filled in and asked.
    LlmFunction in llm_function by id {
        id: Id<LlmFunction>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Unique in the account, small and large letters alike.
        name: String,
        description: String,
        prompt: String,
        /// `enabled`, `disabled` or `draft`.
        status: String,
        /// What in the prompt is filled in.
        variables: Option<Vec<String>>,
        /// What is filled in when nothing is given.
        variable_defaults: Option<Json>,
        version: i64,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// Tokens one answer of a language model took.
    LlmUsage in llm_usage by id {
        id: Id<LlmUsage>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// The session; its count is what count limits bind.
        conversation_id: Option<Uuid>,
        message_id: Option<Uuid>,
        /// What began the session: `event` or `user`.
        source: String,
        provider: String,
        model: String,
        /// Tokens read, those of the cache not among them.
        input_tokens: i64,
        /// Tokens read from the cache.
        cached_input_tokens: i64,
        /// Tokens written to the cache.
        cache_creation_tokens: i64,
        output_tokens: i64,
        /// Tokens of thought; they cost what written ones cost.
        thinking_tokens: i64,
        /// Tokens kept in the cache, times the hours they were kept.
        cache_token_hours: i64,
        created_at: Timestamp,
    }
}

table! {
    /// What a tenant pays for a language model. All prices are in one currency, that of the limits.
    LlmPrice in llm_price by id {
        id: Id<LlmPrice>,
        tenant_id: Id<Tenant>,
        provider: String,
        model: String,
        /// All prices are per million tokens.
        input: Decimal,
        /// Without it, that of `input`.
        cached_input: Option<Decimal>,
        /// Without it, that of `input`.
        cache_creation: Option<Decimal>,
        output: Decimal,
        /// An answer that read more tokens than this costs the prices `above_…`.
        context_threshold: Option<i64>,
        above_input: Option<Decimal>,
        above_cached_input: Option<Decimal>,
        above_cache_creation: Option<Decimal>,
        above_output: Option<Decimal>,
        /// Per million tokens and hour in the cache.
        cache_storage_per_hour: Option<Decimal>,
    }
}

table! {
    /// A limit of the assistant's cost that replaces the one that comes with the service.
    LlmBudget in llm_budget by id {
        id: Id<LlmBudget>,
        tenant_id: Id<Tenant>,
        /// `tenant` or `account`.
        entity_type: String,
        /// Which one.
        entity_id: Uuid,
        /// `investigation` (sessions that events begin) or `user_investigation` (all sessions).
        module: String,
        /// Nothing is limited here.
        budget_disabled: bool,
        /// In the currency of the prices. Null is the limit that comes with the service, as for the others.
        monthly_cost_limit: Option<Decimal>,
        monthly_cost_enabled: bool,
        /// Sessions.
        monthly_count_limit: Option<i64>,
        monthly_count_enabled: bool,
        daily_cost_limit: Option<Decimal>,
        daily_cost_enabled: bool,
        /// Sessions.
        daily_count_limit: Option<i64>,
        daily_count_enabled: bool,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// One request to a language model, written down before it was sent.
    LlmLedger in llm_ledger by id {
        id: Id<LlmLedger>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Who asked.
        user_id: Option<Uuid>,
        conversation_id: Option<Uuid>,
        message_id: Option<Uuid>,
        provider: String,
        model: String,
        /// Where the provider is reached; empty for what runs in this process.
        host: String,
        /// Whether it left this machine.
        left_machine: bool,
        size_bytes: i64,
        /// How many different names were replaced.
        replaced_names: i64,
        /// `SENT`, `ANSWERED` or `FAILED`.
        status: String,
        /// Why it failed, or how tokens were counted.
        status_reason: Option<String>,
        sent_at: Timestamp,
        /// Tokens read, those of the cache among them.
        input_tokens: Option<i64>,
        /// Tokens written, those of thought among them.
        output_tokens: Option<i64>,
        /// By the price list of that moment; null for a model without a price.
        cost: Option<Decimal>,
        /// Messages and tools as they were sent, names replaced where they were.
        payload: String,
    }
}

table! {
    /// A name, and what stands for it in what leaves this machine: the same for ever.
    LlmAlias in llm_alias by id {
        id: Id<LlmAlias>,
        tenant_id: Id<Tenant>,
        /// What it names: account, person, workload and the like.
        kind: String,
        name: String,
        /// Such as `account-1`.
        token: String,
    }
}
