//! What was sent to models: to whom, when, the exact text, tokens and cost.

use super::send::Line;
use crate::assistant::asking::Who;
use crate::assistant::place::{argument, data, id, within};
use catalogue::{Decimal, Right, ValueRef, format_timestamptz};
use graphql::{Call, Refusal};
use llm::Usage;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_ledger";
const LONGEST_LIST: usize = 200;

/// A line of the ledger.
pub(super) struct Entry {
    pub id: Uuid,
    sent_at: i64,
    provider: String,
    model: String,
    host: String,
    left: bool,
    size: usize,
    replaced: usize,
}

impl Entry {
    /// For pages, without the text.
    pub fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "sent_at": format_timestamptz(self.sent_at),
            "provider": self.provider,
            "model": self.model,
            "host": self.host,
            "left_machine": self.left,
            "size_bytes": self.size,
            "replaced_names": self.replaced,
        })
    }
}

/// Writes down what is about to be sent.
pub(super) fn write(
    rows: &Transaction<'_>,
    line: &Line,
    who: &Who,
    payload: &str,
    replaced: usize,
) -> Result<Entry, Refusal> {
    let entry = Entry {
        id: Uuid::new_v4(),
        sent_at: rows.now(),
        provider: who.id.clone(),
        model: who.model.clone(),
        host: who.host.clone(),
        left: !who.is_local,
        size: payload.len(),
        replaced,
    };
    let whole = |number: usize| ValueRef::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let optional = |id: Option<Uuid>| id.map_or(ValueRef::Null, ValueRef::Uuid);
    rows.insert(
        TABLE,
        &[
            ("id", entry.id.into()),
            ("account_id", line.account.into()),
            ("user_id", optional(line.person)),
            ("conversation_id", optional(line.conversation)),
            ("message_id", optional(line.message)),
            ("provider", who.id.as_str().into()),
            ("model", who.model.as_str().into()),
            ("host", who.host.as_str().into()),
            ("left_machine", entry.left.into()),
            ("size_bytes", whole(payload.len())),
            ("replaced_names", whole(replaced)),
            ("status", "SENT".into()),
            ("sent_at", ValueRef::Timestamp(entry.sent_at)),
            ("payload", payload.into()),
        ],
    )?;
    Ok(entry)
}

/// Writes down what came of it.
pub(super) fn close(
    rows: &Transaction<'_>,
    id: Uuid,
    used: &Usage,
    cost: Option<Decimal>,
    has_failed: bool,
    why: Option<&str>,
) -> Result<(), Refusal> {
    let whole = |number: u64| ValueRef::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let set = [
        ("status", if has_failed { "FAILED" } else { "ANSWERED" }.into()),
        ("status_reason", why.map_or(ValueRef::Null, ValueRef::Text)),
        ("input_tokens", whole(used.input_tokens + used.cached_input_tokens + used.cache_creation_tokens)),
        ("output_tokens", whole(used.output_tokens + used.thinking_tokens)),
        ("cost", cost.map_or(ValueRef::Null, ValueRef::Decimal)),
    ];
    rows.update(TABLE, &[eq("id", id)], &set)?;
    Ok(())
}

#[derive(Deserialize)]
struct Request {
    account_id: String,
    conversation_id: Option<String>,
    id: Option<String>,
}

/// `ai_list_sent`: the caller's own lines, of a conversation or all, newest first; who reads the tenant reads all of the account. The
/// text comes with a single line.
pub(crate) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut conditions = vec![eq("account_id", place.account)];
        if let Some(conversation) = &request.conversation_id {
            conditions.push(eq("conversation_id", id("conversation_id", conversation)?));
        }
        if let Some(own) = &request.id {
            conditions.push(eq("id", id("id", own)?));
        }
        if !call.caller.reads_tenant() {
            conditions.push(eq("user_id", place.person.ok_or_else(Refusal::denied)?));
        }
        let columns = [
            "id",
            "conversation_id",
            "sent_at",
            "provider",
            "model",
            "host",
            "left_machine",
            "size_bytes",
            "replaced_names",
            "status",
            "status_reason",
            "input_tokens",
            "output_tokens",
            "cost",
            "payload",
        ];
        let with_text = request.id.is_some();
        let shown = if with_text { &columns[..] } else { &columns[..14] };
        let mut rows = place.rows.select(TABLE, shown, &conditions)?;
        rows.sort_by_key(|row| (std::cmp::Reverse(row[2].as_int()), row[0].as_uuid()));
        rows.truncate(LONGEST_LIST);
        let rows: Vec<Value> = rows
            .into_iter()
            .map(|row| {
                let at = row[2].as_int();
                let mut line = Value::Object(crate::assistant::place::object(shown, row));
                line["sent_at"] = at.map(format_timestamptz).into();
                line
            })
            .collect();
        Ok(data(rows))
    })
}
