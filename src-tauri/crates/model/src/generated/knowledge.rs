//! Tables and lookups of `schema/tables/knowledge.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// What is known about an alert in general: what it means, harms, and how to end it. Written by the makers, the same for all tenants.
    KnowledgeBase in knowledge_base by id {
        id: Id<KnowledgeBase>,
        description: String,
        /// How to find the cause.
        diagnosis: String,
        /// Whom it harms.
        impact: String,
        /// How to end it.
        mitigation: String,
        /// The alert.
        rule_name: String,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// How one thing of the graph relates to another.
    KnowledgeGraphEdge in knowledge_graph_edge by id {
        id: Id<KnowledgeGraphEdge>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// The other.
        destination_node_id: Uuid,
        /// `Account` or `Tenant`: how far the statement reaches.
        level: String,
        /// What is known about the relation.
        properties: Json,
        /// The kind of relation, such as calls or runs on.
        relationship_type: String,
        /// The one.
        source_node_id: Uuid,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A fact about a graph as a whole, such as which labels it has.
    KnowledgeGraphMetadata in knowledge_graph_metadata by id {
        id: Id<KnowledgeGraphMetadata>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        additional_properties: Option<Json>,
        /// Name of the fact.
        attribute_key: String,
        /// What kind of fact.
        attribute_type: String,
        attribute_value: Json,
        last_sync_at: Option<Timestamp>,
    }
}

table! {
    /// A thing of the graph: a service, a database, a node, a bucket.
    KnowledgeGraphNode in knowledge_graph_node by id {
        id: Id<KnowledgeGraphNode>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// Whether it was there at the latest look.
        is_active: bool,
        /// Labels it carries.
        labels: Json,
        /// The latest look that met it.
        last_sync_version: Decimal,
        /// `Account` or `Tenant`: how far the statement reaches.
        level: String,
        /// What it is.
        node_type: Option<String>,
        /// What is known about it.
        properties: Json,
        /// What it is searched by.
        query_attributes: Json,
        /// The same thing met again has the same key.
        unique_key: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A conversation of a person with an agent.
    LlmConversation in llm_conversations by id {
        id: Id<LlmConversation>,
        tenant_id: Id<Tenant>,
        account_id: Uuid,
        /// What was known when it began.
        context: Option<String>,
        llm_model: Option<String>,
        llm_provider: Option<String>,
        /// The session it belongs to.
        session_id: Option<String>,
        /// Where it was begun.
        source: Option<String>,
        status: LlmConversationStatus,
        title: Option<String>,
        user_id: Option<Uuid>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A conversation a person keeps at hand.
    LlmConversationSaved in llm_conversation_saved by id {
        id: Id<LlmConversationSaved>,
        conversation_id: Id<LlmConversation>,
        user_id: Uuid,
        created_at: Timestamp,
    }
}

table! {
    /// One message of a conversation.
    LlmMessage in llm_message by id {
        id: Id<LlmMessage>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        conversation_id: Id<LlmConversation>,
        /// Whose conversation it is.
        user_id: Uuid,
        /// `user` or `assistant`: who says it.
        sender: String,
        /// `IN_PROGRESS`, `COMPLETED`, `FAILED` when it could not be answered, or `KILLED` when a person stopped it.
        status: String,
        /// Why it could not be answered, or not to its end.
        status_reason: Option<String>,
        created_at: Timestamp,
        /// Sentences of an answer whose figures nothing proves, as the answer told them.
        unproved: Option<Json>,
        text: String,
    }
}

table! {
    /// What a person thought of an answer.
    LlmFeedback in llm_feedback by id {
        id: Id<LlmFeedback>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        user_id: Uuid,
        conversation_id: Option<Uuid>,
        session_id: Option<String>,
        /// The part of the assistant that answered.
        module: String,
        question: String,
        llm_response: String,
        useful: bool,
        additional_notes: String,
        /// What would have been right.
        user_corrected_response: String,
        created_at: Timestamp,
    }
}

table! {
    /// Something the assistant has learned and keeps.
    LlmMemory in llm_memory by id {
        id: Id<LlmMemory>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        conversation_id: Option<Uuid>,
        message_id: Option<Uuid>,
        /// `investigation_result`, `architectural_fact`, `dependency_mapping`, `troubleshooting_guide`, `configuration_insight`,
        /// `user_preference`, `pattern` or `workflow`.
        memory_type: Option<String>,
        created_at: Timestamp,
        content: Option<String>,
    }
}

table! {
    /// Something a model looked at before it answered.
    LlmToolCall in llm_tool_call by id {
        id: Id<LlmToolCall>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        conversation_id: Id<LlmConversation>,
        /// The question it was looked at for.
        message_id: Uuid,
        /// Which look of the question it was, from 0.
        number: i64,
        tool_name: String,
        /// What was looked at, in a few words.
        title: String,
        /// What the model gave the tool.
        parameters: Option<Json>,
        /// The name under which the answer may cite it; null where nothing came of it.
        evidence: Option<String>,
        /// `COMPLETED` or `FAILED`.
        status: String,
        created_at: Timestamp,
        updated_at: Timestamp,
        /// What the model was told.
        response: String,
    }
}

table! {
    /// What an answer of the assistant rests on.
    LlmReference in llm_reference by id {
        id: Id<LlmReference>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// The agent that used it, by id.
        agent_id: Option<String>,
        conversation_id: Option<Uuid>,
        message_id: Option<Uuid>,
        /// The id of what is referred to.
        reference_id: Option<String>,
        /// What is referred to: `memory`, `knowledge_base`, `context_state`.
        r#type: Option<String>,
        created_at: Timestamp,
        content: Option<String>,
    }
}

table! {
    /// A document people give the assistant to know.
    LlmKnowledgebase in llm_knowledgebase by id {
        id: Id<LlmKnowledgebase>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Unique in the account, small and large letters alike.
        name: String,
        description: Option<String>,
        /// `manual` when a person uploaded it, `integration` when it was fetched.
        kb_type: String,
        /// Where it was fetched from.
        kb_source: Option<String>,
        integration_id: Option<Uuid>,
        /// `active`: its passages can be found. `processing`: they are being made. `error`: it has none, for `status_reason`. Also `archived`.
        status: String,
        /// Why it has no passages, and what to do.
        status_reason: Option<String>,
        /// How many passages it was cut into.
        passages: i64,
        /// The model that turned its passages into vectors; none: it is searched by its words only.
        embedded_by: Option<String>,
        data_filename: String,
        /// `json`, `xml`, `csv`, `text` or `pdf`.
        data_format: String,
        /// Of the file, not of how it is written in `data`.
        data_size_bytes: i64,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
        /// The text; of a PDF, its bytes in base64.
        data: String,
    }
}

table! {
    /// A passage of a knowledge base: what a search finds, and what an answer cites.
    LlmPassage in llm_passage by id {
        id: Id<LlmPassage>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        kb_id: Id<LlmKnowledgebase>,
        /// Its place in the document, from 1.
        number: i64,
        /// Where that is, in words: `page 3`, `rows 1 to 20`, the heading above it.
        place: String,
        text: String,
    }
}

table! {
    /// An agent that may use a knowledge base.
    LlmKnowledgebaseAgent in llm_knowledgebase_agent by id {
        id: Id<LlmKnowledgebaseAgent>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        kb_id: Id<LlmKnowledgebase>,
        agent_id: Id<LlmAgent>,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// What the assistant is told with every question about an account.
    LlmGlobalContext in llm_global_context by id {
        id: Id<LlmGlobalContext>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Unique in the account, small and large letters alike.
        name: String,
        description: Option<String>,
        /// `active`, `processing`, `error` or `archived`, as for a knowledge base.
        status: String,
        data_filename: String,
        /// `json`, `xml`, `csv`, `text` or `pdf`.
        data_format: String,
        /// Of the file, not of how it is written in `data`.
        data_size_bytes: i64,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
        /// The text; of a PDF, its bytes in base64.
        data: String,
    }
}

lookup! {
    /// How far a conversation is.
    LlmConversationStatus {
        /// It will begin.
        Pending = "PENDING",
        /// The agent is at work.
        InProgress = "IN_PROGRESS",
        /// The agent waits for the person.
        Waiting = "WAITING",
        /// The agent waits for a tool on the person's side.
        WaitingForClientTool = "WAITING_FOR_CLIENT_TOOL",
        /// It has come to its end.
        Completed = "COMPLETED",
        /// It broke off.
        Failed = "FAILED",
        /// A person ended it.
        Killed = "KILLED",
        /// The service ended it.
        Terminated = "TERMINATED",
    }
}
