//! Reads a conversation with its messages.

use crate::assistant::chat::calls_of;
use crate::kit::in_account::{Place, argument, id, within};
use catalogue::{Right, format_timestamptz, parse_timestamp};
use graphql::{Call, Refusal};
use model::operations::{
    AiConversationAgent, AiConversationMessage, AiConversationShell, AiConversationToolCall,
    AiGetConversationV3Response,
};
use model::tables::{llm_conversations, llm_message};
use model::{LlmConversation, LlmMessage, Read as _, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

#[derive(Deserialize)]
struct Request {
    account_id: String,
    conversation_id: Option<String>,
    session_id: Option<String>,
    since: Option<String>,
}

/// Returns one of the caller's conversations, or any of the tenant for a caller who may read the whole tenant. With `since`, only later messages
/// are included; `cursor` is the `since` of the next request. The assistant's work on a question is shown as an agent with the id of the question.
pub(super) fn read(call: &Call<'_>) -> Result<AiGetConversationV3Response, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let since = match &request.since {
            None => None,
            Some(text) => Some(parse_timestamp(text).ok_or_else(|| {
                Refusal::invalid(format!("since is {text:?}: expected a time such as 2026-11-20T06:38:00Z"))
            })?),
        };
        let conversation = find(place, &request, call.caller.reads_tenant())?;
        let own = conversation.id.uuid();
        let messages = messages(place, own, since)?;
        let tool_calls = calls_of(place, own, since)?;
        let newest = messages.last().map(|message| message.created_at.micros() + 1);
        let cursor = newest.or(since).unwrap_or_else(|| conversation.created_at.micros());
        let messages: Vec<AiConversationMessage> =
            messages.into_iter().map(|message| shown(place, message)).collect::<Result<_, _>>()?;
        Ok(AiGetConversationV3Response {
            conversation: Some(shell(place, conversation)?),
            agents: agents(&messages, &tool_calls),
            messages,
            tool_calls,
            cursor: format_timestamptz(cursor),
        })
    })
}

fn find(place: &Place<'_>, request: &Request, reads_tenant: bool) -> Result<LlmConversation, Refusal> {
    let (wanted, named) = match (&request.conversation_id, &request.session_id) {
        (Some(conversation), _) => (
            llm_conversations::id.eq(id("conversation_id", conversation)?),
            format!("conversation {conversation}"),
        ),
        (None, Some(session)) => {
            (llm_conversations::session_id.eq(session.as_str()), format!("session {session:?}"))
        }
        (None, None) => {
            return Err(Refusal::invalid("conversation_id and session_id are missing: expected one"));
        }
    };
    let none =
        || Refusal::not_found(format!("there is no {named} in account {} that you may see", place.account));
    let person = if reads_tenant { None } else { Some(place.person.ok_or_else(none)?) };
    let newest = place
        .rows
        .query::<LlmConversation>()
        .filter(llm_conversations::account_id.eq(place.account))
        .filter(wanted)
        .filter_some(person.map(|person| llm_conversations::user_id.eq(person)))
        .order(llm_conversations::created_at.desc())
        .order(llm_conversations::id.desc());
    newest.first()?.ok_or_else(none)
}

fn shell(place: &Place<'_>, row: LlmConversation) -> Result<AiConversationShell, Refusal> {
    Ok(AiConversationShell {
        id: row.id.to_string(),
        session_id: row.session_id.unwrap_or_else(|| row.id.to_string()),
        account_id: place.account.to_string(),
        tenant_id: place.tenant.to_string(),
        user_id: row.user_id.map(|person| person.to_string()),
        user_display_name: row.user_id.map(|person| place.person_name(person)).transpose()?,
        source: row.source,
        context: row.context,
        status: Some(row.status.to_string()),
        title: row.title,
        created_at: format_timestamptz(row.created_at.micros()),
        updated_at: format_timestamptz(row.updated_at.micros()),
    })
}

/// The messages, oldest first.
fn messages(place: &Place<'_>, conversation: Uuid, since: Option<i64>) -> Result<Vec<LlmMessage>, Refusal> {
    let messages = place
        .rows
        .query::<LlmMessage>()
        .filter(llm_message::conversation_id.eq(conversation))
        .filter_some(since.map(|since| llm_message::created_at.ge(Timestamp(since))))
        .order(llm_message::created_at.asc())
        .order(llm_message::id.asc());
    Ok(messages.rows()?)
}

fn shown(place: &Place<'_>, row: LlmMessage) -> Result<AiConversationMessage, Refusal> {
    let at = format_timestamptz(row.created_at.micros());
    Ok(AiConversationMessage {
        id: row.id.to_string(),
        user_id: Some(row.user_id.to_string()),
        user_display_name: Some(place.person_name(row.user_id)?),
        created_at: at.clone(),
        updated_at: at,
        message: row.text,
        message_type: None,
        response: None,
        role: Some(row.sender),
        status: Some(row.status),
        status_reason: row.status_reason,
        unproved: row.unproved.and_then(|sentences| sentences.parse().ok()),
        parent_agent_id: None,
        message_config: None,
        ack_message: None,
        attachments: Some(Vec::new()),
    })
}

/// The assistant's work as agents: one per question with tool calls or an answer, including the answer that follows it.
fn agents(messages: &[AiConversationMessage], calls: &[AiConversationToolCall]) -> Vec<AiConversationAgent> {
    let mut agents: Vec<AiConversationAgent> = Vec::new();
    for message in messages {
        if message.role.as_deref() == Some("assistant") {
            if let Some(agent) = agents.last_mut() {
                agent.response = Some(message.message.clone());
                agent.status.clone_from(&message.status);
                agent.updated_at.clone_from(&message.created_at);
            }
            continue;
        }
        agents.push(AiConversationAgent {
            id: message.id.clone(),
            message_id: message.id.clone(),
            agent_name: Some("assistant".to_owned()),
            response: None,
            response_summary: None,
            query: Some(message.message.clone()),
            thought: None,
            parent_agent_id: None,
            status: message.status.clone(),
            references: None,
            created_at: message.created_at.clone(),
            updated_at: message.created_at.clone(),
        });
    }
    let has_looked = |agent: &AiConversationAgent| calls.iter().any(|call| call.agent_id == agent.id);
    agents.retain(|agent| {
        agent.status.as_deref() == Some("IN_PROGRESS") || agent.response.is_some() || has_looked(agent)
    });
    agents
}
