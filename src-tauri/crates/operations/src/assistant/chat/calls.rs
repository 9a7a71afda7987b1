//! The tool calls made for an answer: how they are stored and shown.

use super::draft::ToolCallRecord;
use super::session::Session;
use crate::kit::in_account::Place;
use catalogue::{ValueRef, format_timestamptz};
use graphql::Refusal;
use model::operations::AiConversationToolCall;
use model::tables::llm_tool_call;
use model::{LlmToolCall, Read as _, Timestamp};
use store::Transaction;
use uuid::Uuid;

const TABLE: &str = "llm_tool_call";
/// Stores the tool calls made for a question.
pub(super) fn store(
    rows: &Transaction<'_>,
    session: &Session,
    tool_calls: &[ToolCallRecord],
) -> Result<(), Refusal> {
    for (number, record) in (0_i64..).zip(tool_calls) {
        let parameters = record.call.arguments.to_string();
        rows.insert(
            TABLE,
            &[
                ("account_id", session.question_context.account.into()),
                ("conversation_id", session.conversation.into()),
                ("message_id", session.question.into()),
                ("number", number.into()),
                ("tool_name", record.call.name.as_str().into()),
                ("title", record.title.as_str().into()),
                ("parameters", ValueRef::Json(&parameters)),
                ("evidence", record.evidence.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
                ("status", if record.evidence.is_some() { "COMPLETED" } else { "FAILED" }.into()),
                ("created_at", ValueRef::Timestamp(record.started_at)),
                ("updated_at", ValueRef::Timestamp(record.ended_at)),
                ("response", record.result.as_str().into()),
            ],
        )?;
    }
    Ok(())
}

/// The tool calls of a conversation in chronological order, each with the message that caused it. `since` restricts them to later ones.
pub(crate) fn of_conversation(
    place: &Place<'_>,
    conversation: Uuid,
    since: Option<i64>,
) -> Result<Vec<AiConversationToolCall>, Refusal> {
    let calls = place
        .rows
        .query::<LlmToolCall>()
        .filter(llm_tool_call::account_id.eq(place.account))
        .filter(llm_tool_call::conversation_id.eq(conversation))
        .filter_some(since.map(|since| llm_tool_call::created_at.ge(Timestamp(since))))
        .order(llm_tool_call::created_at.asc())
        .order(llm_tool_call::number.asc());
    Ok(calls.rows()?.into_iter().map(shown).collect())
}

fn shown(call: LlmToolCall) -> AiConversationToolCall {
    AiConversationToolCall {
        id: call.id.to_string(),
        // The agent is identified by the message that asked the question.
        agent_id: call.message_id.to_string(),
        tool_name: call.tool_name,
        parameters: call.parameters.map(|parameters| parameters.text().to_owned()),
        response: Some(call.response),
        thought: Some(call.title),
        tool_type: Some("tool".to_owned()),
        child_agent_id: None,
        references: call.evidence,
        tool_id: None,
        status: Some(call.status),
        created_at: format_timestamptz(call.created_at.micros()),
        updated_at: format_timestamptz(call.updated_at.micros()),
    }
}
