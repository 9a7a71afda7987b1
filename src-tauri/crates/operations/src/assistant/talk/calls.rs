//! What a model looked at for an answer, as it is kept and shown again.

use super::draft::Look;
use super::session::Session;
use crate::assistant::place::Place;
use catalogue::{Value as Cell, ValueRef, format_timestamptz};
use graphql::Refusal;
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_tool_call";
const COLUMNS: [&str; 11] = [
    "id",
    "message_id",
    "tool_name",
    "title",
    "parameters",
    "evidence",
    "status",
    "created_at",
    "updated_at",
    "response",
    "number",
];

/// Keeps what was looked at for a question.
pub(super) fn keep(rows: &Transaction<'_>, session: &Session, looks: &[Look]) -> Result<(), Refusal> {
    for (number, look) in (0_i64..).zip(looks) {
        let parameters = look.call.arguments.to_string();
        rows.insert(
            TABLE,
            &[
                ("account_id", session.about.account.into()),
                ("conversation_id", session.conversation.into()),
                ("message_id", session.question.into()),
                ("number", number.into()),
                ("tool_name", look.call.name.as_str().into()),
                ("title", look.title.as_str().into()),
                ("parameters", ValueRef::Json(&parameters)),
                ("evidence", look.evidence.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
                ("status", if look.evidence.is_some() { "COMPLETED" } else { "FAILED" }.into()),
                ("created_at", ValueRef::Timestamp(look.began)),
                ("updated_at", ValueRef::Timestamp(look.ended)),
                ("response", look.told.as_str().into()),
            ],
        )?;
    }
    Ok(())
}

/// The looks of a conversation in the order of their times, each with the message that asked. `since`: those from then on.
pub(crate) fn of_conversation(
    place: &Place<'_>,
    conversation: Uuid,
    since: Option<i64>,
) -> Result<Vec<(Uuid, Value)>, Refusal> {
    let conditions = [eq("account_id", place.account), eq("conversation_id", conversation)];
    let mut rows = place.rows.select(TABLE, &COLUMNS, &conditions)?;
    rows.retain(|row| row[7].as_int() >= since);
    rows.sort_by_key(|row| (row[7].as_int(), row[10].as_int()));
    Ok(rows.iter().map(|row| (row[1].as_uuid().unwrap_or_default(), shown(row))).collect())
}

fn shown(row: &[Cell]) -> Value {
    let text = |place: usize| row[place].as_text();
    let time = |place: usize| row[place].as_int().map(format_timestamptz);
    json!({
        "id": row[0].as_uuid(),
        // Who worked on the question is known by the message that asked it.
        "agent_id": row[1].as_uuid(),
        "tool_name": text(2),
        "thought": text(3),
        "parameters": text(4),
        "response": text(9),
        "tool_type": "tool",
        "references": text(5),
        "status": text(6),
        "created_at": time(7),
        "updated_at": time(8),
    })
}
