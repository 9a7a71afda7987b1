//! A conversation as it can be read again, with its messages.

use crate::assistant::place::{Place, argument, id, within};
use crate::assistant::talk::calls_of;
use catalogue::{Right, Value as Cell, format_timestamptz, parse_timestamp};
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

const TABLE: &str = "llm_conversations";
const COLUMNS: [&str; 9] =
    ["id", "user_id", "session_id", "source", "context", "status", "title", "created_at", "updated_at"];
const MESSAGE_COLUMNS: [&str; 8] =
    ["created_at", "id", "user_id", "sender", "status", "status_reason", "unproved", "text"];

#[derive(Deserialize)]
struct Request {
    account_id: String,
    conversation_id: Option<String>,
    session_id: Option<String>,
    since: Option<String>,
}

/// An own conversation, or any of the tenant for who reads it whole. With `since`, only messages from then on; `cursor` is
/// the `since` of the next request. The assistant at work on a question is told as an agent, with the id of the question.
pub(super) fn read(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let since = match &request.since {
            None => None,
            Some(text) => Some(parse_timestamp(text).ok_or_else(|| {
                Refusal::invalid(format!("since is {text:?}: expected a time such as 2026-11-20T06:38:00Z"))
            })?),
        };
        let conversation = find(place, &request, call.caller.reads_tenant())?;
        let own = conversation[0].as_uuid().unwrap_or_default();
        let messages = messages(place, own, since)?;
        let calls = calls_of(place, own, since)?;
        let newest = messages.iter().map(|(at, _)| *at).max();
        let cursor = newest.map(|at| at + 1).or(since).or(conversation[7].as_int()).unwrap_or(call.now);
        Ok(json!({
            "conversation": shell(place, &conversation)?,
            "agents": agents(&messages, &calls),
            "tool_calls": calls.into_iter().map(|(_, call)| call).collect::<Vec<_>>(),
            "messages": messages.into_iter().map(|(_, message)| message).collect::<Vec<_>>(),
            "cursor": format_timestamptz(cursor),
        }))
    })
}

fn find(place: &Place<'_>, request: &Request, reads_tenant: bool) -> Result<Vec<Cell>, Refusal> {
    let mut conditions = vec![eq("account_id", place.account)];
    let named = match (&request.conversation_id, &request.session_id) {
        (Some(conversation), _) => {
            conditions.push(eq("id", id("conversation_id", conversation)?));
            format!("conversation {conversation}")
        }
        (None, Some(session)) => {
            conditions.push(eq("session_id", session));
            format!("session {session:?}")
        }
        (None, None) => {
            return Err(Refusal::invalid("conversation_id and session_id are missing: expected one"));
        }
    };
    let mut rows = place.rows.select(TABLE, &COLUMNS, &conditions)?;
    rows.retain(|row| reads_tenant || place.person.is_some() && row[1].as_uuid() == place.person);
    let newest = rows.into_iter().max_by_key(|row| (row[7].as_int(), row[0].as_uuid()));
    newest.ok_or_else(|| {
        Refusal::not_found(format!("there is no {named} in account {} that you may see", place.account))
    })
}

fn shell(place: &Place<'_>, row: &[Cell]) -> Result<Value, Refusal> {
    let text = |place: usize| row[place].as_text();
    let own = row[0].as_uuid().unwrap_or_default();
    Ok(json!({
        "id": own,
        "session_id": text(2).map_or_else(|| own.to_string(), str::to_owned),
        "account_id": place.account,
        "tenant_id": place.tenant,
        "user_id": row[1].as_uuid(),
        "user_display_name": name(place, &row[1])?,
        "source": text(3),
        "context": text(4),
        "status": text(5),
        "title": text(6),
        "created_at": time(&row[7]),
        "updated_at": time(&row[8]),
    }))
}

/// Messages with their times, oldest first.
fn messages(place: &Place<'_>, conversation: Uuid, since: Option<i64>) -> Result<Vec<(i64, Value)>, Refusal> {
    let mut rows =
        place.rows.select("llm_message", &MESSAGE_COLUMNS, &[eq("conversation_id", conversation)])?;
    rows.retain(|row| row[0].as_int() >= since);
    rows.sort_by_key(|row| (row[0].as_int(), row[1].as_uuid()));
    rows.iter()
        .map(|row| {
            let message = json!({
                "id": row[1].as_uuid(),
                "user_id": row[2].as_uuid(),
                "user_display_name": name(place, &row[2])?,
                "created_at": time(&row[0]),
                "updated_at": time(&row[0]),
                "message": row[7].as_text(),
                "role": row[3].as_text(),
                "status": row[4].as_text(),
                "status_reason": row[5].as_text(),
                "unproved": row[6].as_text().and_then(|text| serde_json::from_str::<Value>(text).ok()),
                "attachments": [],
            });
            Ok((row[0].as_int().unwrap_or_default(), message))
        })
        .collect()
}

/// The assistant at work: on each question it looked at something for or answered, with the answer that follows it.
fn agents(messages: &[(i64, Value)], calls: &[(Uuid, Value)]) -> Vec<Value> {
    let mut agents: Vec<Value> = Vec::new();
    for (_, message) in messages {
        if message["role"] == "assistant" {
            if let Some(agent) = agents.last_mut() {
                agent["response"] = message["message"].clone();
                agent["status"] = message["status"].clone();
                agent["updated_at"] = message["created_at"].clone();
            }
            continue;
        }
        agents.push(json!({
            "id": message["id"],
            "message_id": message["id"],
            "agent_name": "assistant",
            "query": message["message"],
            "status": message["status"],
            "created_at": message["created_at"],
            "updated_at": message["created_at"],
        }));
    }
    let has_looked = |agent: &Value| calls.iter().any(|(_, call)| call["agent_id"] == agent["id"]);
    agents.retain(|agent| {
        agent["status"] == "IN_PROGRESS" || agent.get("response").is_some() || has_looked(agent)
    });
    agents
}

fn name(place: &Place<'_>, person: &Cell) -> Result<Option<String>, Refusal> {
    person.as_uuid().map(|person| place.person_name(person)).transpose()
}

fn time(cell: &Cell) -> Option<String> {
    cell.as_int().map(format_timestamptz)
}
