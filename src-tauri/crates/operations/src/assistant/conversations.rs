//! Conversations of a user with the assistant. Messages are stored even if no model can answer.

use crate::assistant::chat::{self, ModelContext, Question, Reference};
use crate::kit::in_account::{DataOnly, Object, Place, Success, argument, decoded_list, id, listed, within};
use catalogue::{Caller, Right, ValueRef};
use graphql::{Call, PreTransactionCall, Refusal};
use model::LlmConversationStatus;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_conversations";
const SAVED: &str = "llm_conversation_saved";
const COLUMNS: [&str; 6] = ["id", "account_id", "user_id", "status", "llm_provider", "llm_model"];
/// The statuses of a conversation that is being answered.
const AT_WORK: [&str; 4] = ["PENDING", "IN_PROGRESS", "WAITING", "WAITING_FOR_CLIENT_TOOL"];
const MAX_TITLE_LENGTH: usize = 80;

/// The caller's own conversation with that id in the account.
pub(super) fn find_own(place: &Place<'_>, id: Uuid) -> Result<Object, Refusal> {
    let none = || Refusal::not_found(format!("you have no conversation {id} in account {}", place.account));
    let person = place.person.ok_or_else(none)?;
    place.objects(TABLE, &COLUMNS, &[eq("id", id), eq("user_id", person)])?.pop().ok_or_else(none)
}

#[derive(Deserialize)]
struct MessageRequest {
    account_id: Option<String>,
    conversation_id: Option<String>,
    message: Option<String>,
    llm_provider: Option<String>,
    llm_model: Option<String>,
    #[serde(default, deserialize_with = "decoded_list")]
    references: Vec<Reference>,
}

/// Handles `ai_followup_response`: stores the message and asks the assistant. If no model is available
/// or the budget is spent, the message is stored as unanswered, and the error names the conversation.
pub(super) fn ask(ahead: &PreTransactionCall<'_>, context: &ModelContext<'_>) -> Result<Value, Refusal> {
    let request = ahead.arguments.get("request").unwrap_or(&Value::Null);
    let asked = MessageRequest::deserialize(request)
        .map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))?;
    let question = Question {
        account: asked.account_id.unwrap_or_default(),
        conversation: asked.conversation_id,
        message: asked.message.unwrap_or_default(),
        model: model_choice(asked.llm_provider, asked.llm_model)?,
        references: asked.references,
    };
    chat::converse(context, &question, &mut |_| ())
}

/// The model that a user chose: provider and model, or neither.
pub fn model_choice(
    provider: Option<String>,
    model: Option<String>,
) -> Result<Option<(String, String)>, Refusal> {
    match (provider, model) {
        (Some(provider), Some(model)) => Ok(Some((provider, model))),
        (None, None) => Ok(None),
        _ => Err(Refusal::invalid(
            "llm_provider and llm_model name a model together: expected both, as ai_list_models has them, or neither",
        )),
    }
}

/// Refuses the field inside a request: it is handled before it, and requests made by a model cannot use it.
pub(super) fn refuse_inside_request(_: &Call<'_>) -> Result<Value, Refusal> {
    Err(Refusal::new("not-supported", "the assistant is not asked inside another request: ask it by itself"))
}

/// Starts a conversation of a user; returns its id.
pub(super) fn create(place: &Place<'_>, person: Uuid, text: &str) -> Result<Uuid, Refusal> {
    let conversation = Uuid::new_v4();
    let title: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_TITLE_LENGTH).collect();
    place.rows.insert(
        TABLE,
        &[
            ("id", conversation.into()),
            ("account_id", place.account.into()),
            ("user_id", person.into()),
            ("status", "PENDING".into()),
            ("source", "user".into()),
            ("title", title.as_str().into()),
        ],
    )?;
    Ok(conversation)
}

#[derive(Deserialize)]
struct ConversationRequest {
    conversation_id: String,
}

/// Adds a conversation to the saved ones. Saving it again has no effect.
pub(super) fn save(call: &Call<'_>) -> Result<DataOnly<Success>, Refusal> {
    with_conversation(call, |rows, person, conversation| {
        let found = rows.count(TABLE, &[eq("id", conversation), eq("user_id", person)])?;
        if found == 0 {
            return Err(none(conversation));
        }
        let conditions = [eq("conversation_id", conversation), eq("user_id", person)];
        if rows.count(SAVED, &conditions)? == 0 {
            let row = [("conversation_id", conversation.into()), ("user_id", person.into())];
            rows.insert(SAVED, &row)?;
        }
        Ok(())
    })
}

pub(super) fn unsave(call: &Call<'_>) -> Result<DataOnly<Success>, Refusal> {
    with_conversation(call, |rows, person, conversation| {
        let conditions = [eq("conversation_id", conversation), eq("user_id", person)];
        match rows.delete(SAVED, &conditions)? {
            0 => Err(Refusal::not_found(format!("you have not saved conversation {conversation}"))),
            _ => Ok(()),
        }
    })
}

/// Deletes a conversation with all messages. Its costs are still counted.
pub(super) fn delete(call: &Call<'_>) -> Result<DataOnly<Success>, Refusal> {
    with_conversation(call, |rows, person, conversation| {
        match rows.delete(TABLE, &[eq("id", conversation), eq("user_id", person)])? {
            0 => Err(none(conversation)),
            _ => Ok(()),
        }
    })
}

fn none(conversation: Uuid) -> Refusal {
    Refusal::not_found(format!("you have no conversation {conversation}"))
}

/// Runs `work` on the user's own conversation, in whichever account it is.
fn with_conversation(
    call: &Call<'_>,
    work: impl FnOnce(&Transaction<'_>, Uuid, Uuid) -> Result<(), Refusal>,
) -> Result<DataOnly<Success>, Refusal> {
    let request: ConversationRequest = argument(call, "request")?;
    let conversation = id("conversation_id", &request.conversation_id)?;
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let tenant = call.caller.tenant().ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(tenant);
    work(&call.rows.as_caller(&system), person, conversation)?;
    Ok(DataOnly { data: Success { success: true } })
}

/// A conversation that the user has stopped.
#[derive(Serialize)]
pub(super) struct Stop {
    conversation_id: Uuid,
    status: LlmConversationStatus,
}

#[derive(Deserialize)]
struct StopRequest {
    account_id: String,
    conversation_id: String,
}

/// Stops a conversation that is being answered.
pub(super) fn stop(call: &Call<'_>) -> Result<DataOnly<Stop>, Refusal> {
    let request: StopRequest = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let conversation = id("conversation_id", &request.conversation_id)?;
        let status = find_own(place, conversation)?.remove("status").unwrap_or_default();
        let status = status.as_str().unwrap_or_default();
        if !AT_WORK.contains(&status) {
            let message = format!(
                "conversation {conversation} is {status}: only one that is {} can be ended",
                listed(&AT_WORK)
            );
            return Err(Refusal::conflict(message));
        }
        let set = [("status", "KILLED".into()), ("updated_at", ValueRef::Timestamp(place.now))];
        place.rows.update(TABLE, &[eq("id", conversation)], &set)?;
        Ok(DataOnly { data: Stop { conversation_id: conversation, status: LlmConversationStatus::Killed } })
    })
}
