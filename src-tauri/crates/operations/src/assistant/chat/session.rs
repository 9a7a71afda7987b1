//! A conversation while a question is answered, and the storage of its messages.

use super::citations;
use super::draft::Draft;
use super::prompt::QuestionContext;
use super::send::ModelContext;
use super::{Question, calls};
use crate::assistant::conversations::{create, find_own};
use crate::kit::in_account::{Place, argument, filled, id, place_of, within};
use crate::model_access::refused;
use catalogue::{Caller, Right, ValueRef, format_timestamptz};
use graphql::{Call, Refusal};
use model::operations::{AIConversationListed, ListConversationsResponse};
use model::tables::{llm_conversations, llm_message};
use model::{LlmConversationStatus, Read as _, Timestamp, row};
use serde_json::{Value, json};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const CONVERSATIONS: &str = "llm_conversations";
const MESSAGES: &str = "llm_message";
const MAX_MESSAGE_LENGTH: usize = 100_000;
/// An answer in progress for longer than this (µs) was interrupted by a crash of the service.
const ABANDONED: i64 = 3_600_000_000;
/// Number of earlier messages included in a request.
const HISTORY: u64 = 12;

row! { struct ConversationStatus from llm_conversations { status } }
row! {
    struct ConversationLine from llm_conversations { id, title, status, updated_at, llm_provider, llm_model }
}
row! { struct MessageTime from llm_message { created_at } }
row! { struct MessageText from llm_message { sender, text } }

pub(super) struct Session {
    pub question_context: QuestionContext,
    pub person: Uuid,
    pub conversation: Uuid,
    pub title: String,
    /// The id of the message with the question.
    pub question: Uuid,
    pub message: String,
    /// Earlier messages as pairs of sender and text, oldest first.
    pub history: Vec<(String, String)>,
    /// Provider and model that the user chose for the conversation.
    pub model: Option<(String, String)>,
}

impl Session {
    /// Stores the question, in a new conversation or in one of the caller's.
    pub fn start(context: &ModelContext<'_>, question: &Question) -> Result<Self, Refusal> {
        if let Some((provider, model)) = &question.model {
            context.models.named(provider, model).map_err(|failure| refused(&failure))?;
        }
        context.engine.store().transaction(context.caller, |rows| {
            place_of(context.caller, rows, Right::Read, &question.account, |place| {
                let (mut session, known) = Self::read(place, question)?;
                if !known {
                    session.conversation = create(place, session.person, &session.message)?;
                }
                place.rows.insert(
                    MESSAGES,
                    &[
                        ("id", session.question.into()),
                        ("account_id", place.account.into()),
                        ("conversation_id", session.conversation.into()),
                        ("user_id", session.person.into()),
                        ("sender", "user".into()),
                        ("status", "IN_PROGRESS".into()),
                        ("text", session.message.as_str().into()),
                    ],
                )?;
                set_status(&place.rows, session.conversation, "IN_PROGRESS")?;
                if let Some((provider, model)) = &question.model {
                    let set =
                        [("llm_provider", provider.as_str().into()), ("llm_model", model.as_str().into())];
                    place.rows.update(CONVERSATIONS, &[eq("id", session.conversation)], &set)?;
                }
                Ok(session)
            })
        })
    }

    /// Like [`Session::start`] without storing anything, for a preview. Also returns the history.
    pub fn preview(
        context: &ModelContext<'_>,
        question: &Question,
    ) -> Result<(Self, Vec<(String, String)>), Refusal> {
        context.engine.store().snapshot(context.caller, |rows| {
            place_of(context.caller, rows, Right::Read, &question.account, |place| {
                let (session, _) = Self::read(place, question)?;
                let history = session.history.clone();
                Ok((session, history))
            })
        })
    }

    /// The session, and whether its conversation already exists.
    fn read(place: &Place<'_>, question: &Question) -> Result<(Self, bool), Refusal> {
        let text = filled("message", &question.message)?;
        let length = text.chars().count();
        if length > MAX_MESSAGE_LENGTH {
            let message =
                format!("message has {length} characters: at most {MAX_MESSAGE_LENGTH} are allowed");
            return Err(Refusal::invalid(message));
        }
        let person = place.person.ok_or_else(Refusal::denied)?;
        let known = question.conversation.as_deref().map(|known| id("conversation_id", known)).transpose()?;
        let mut history = Vec::new();
        let mut model = question.model.clone();
        if let Some(known) = known {
            let kept = find_own(place, known)?;
            history = recent_messages(place, known)?;
            let text = |column: &str| kept.get(column).and_then(Value::as_str).map(str::to_owned);
            model = model.or_else(|| text("llm_provider").zip(text("llm_model")));
        }
        let title: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(80).collect();
        let session = Self {
            question_context: QuestionContext::read(place)?,
            person,
            conversation: known.unwrap_or_default(),
            title,
            question: Uuid::new_v4(),
            message: text.to_owned(),
            history,
            model,
        };
        Ok((session, known.is_some()))
    }

    /// Returns an error if the client is gone, or the conversation was stopped.
    pub fn check_running(&self, context: &ModelContext<'_>) -> Result<(), Refusal> {
        let system = Caller::system_for(self.question_context.tenant);
        let store = context.engine.store();
        let found = store.snapshot(&system, |rows| rows.find::<ConversationStatus>(self.conversation))?;
        let is_running = found.is_some_and(|found| found.status == LlmConversationStatus::InProgress);
        if is_running && !context.cancel.is_cancelled() {
            return Ok(());
        }
        Err(Refusal::new("stopped", "the answer was stopped"))
    }

    /// Stores the answer with its evidence, and returns the response.
    pub fn complete(&self, context: &ModelContext<'_>, draft: &Draft) -> Result<Value, Refusal> {
        let final_answer = FinalAnswer::of(draft);
        let system = Caller::system_for(self.question_context.tenant);
        let (answer, status) = context.engine.store().transaction(&system, |rows| {
            rows.update(MESSAGES, &[eq("id", self.question)], &[("status", "COMPLETED".into())])?;
            let answer = self.store_answer(rows, draft, &final_answer, "COMPLETED", draft.cut_off)?;
            let running = [eq("id", self.conversation), eq("status", "IN_PROGRESS")];
            let is_running = rows.count(CONVERSATIONS, &running)? > 0;
            if is_running && !self.question_time(rows)?.is_followed_up {
                set_status(rows, self.conversation, "COMPLETED")?;
            }
            Ok::<_, Refusal>((answer, if is_running { "COMPLETED" } else { "KILLED" }))
        })?;
        Ok(json!({
            "conversation_id": self.conversation,
            "message_id": answer,
            "response": final_answer.text,
            "references": final_answer.references,
            "unproved": final_answer.unproved,
            "status": status,
            "status_reason": draft.cut_off,
        }))
    }

    /// Stores the reason for a failure with the text and tool calls until then. Returns the error for the response.
    pub fn fail(&self, context: &ModelContext<'_>, draft: &Draft, refusal: Refusal) -> Refusal {
        let system = Caller::system_for(self.question_context.tenant);
        let is_stopped = refusal.code == "stopped";
        let status = if is_stopped { "KILLED" } else { "FAILED" };
        let final_answer = FinalAnswer::of(draft);
        let has_text = !final_answer.text.is_empty();
        let kept = context.engine.store().transaction(&system, |rows| {
            let set = [("status", status.into()), ("status_reason", refusal.message.as_str().into())];
            rows.update(MESSAGES, &[eq("id", self.question)], &set)?;
            if has_text {
                self.store_answer(rows, draft, &final_answer, status, Some(refusal.message.as_str()))?;
            } else {
                calls::store(rows, self, &draft.tool_calls)?;
            }
            // The user may have asked the next question before this stop is noticed; the conversation then continues.
            if self.question_time(rows)?.is_followed_up {
                return Ok(());
            }
            set_status(rows, self.conversation, status)
        });
        match kept {
            Ok(()) => {
                let what = if has_text { "What was written so far is" } else { "Your message is" };
                let kept = format!("{}. {what} kept in conversation {}", refusal.message, self.conversation);
                Refusal::new(refusal.code, kept)
            }
            Err(failed) => failed,
        }
    }

    /// When the question was asked, and whether another one followed in the conversation.
    fn question_time(&self, rows: &Transaction<'_>) -> Result<QuestionTime, StoreError> {
        let at = rows.find::<MessageTime>(self.question)?.map_or(0, |asked| asked.created_at.micros());
        let since = rows
            .query::<MessageTime>()
            .filter(llm_message::conversation_id.eq(self.conversation))
            .filter(llm_message::sender.eq("user"))
            .filter(llm_message::created_at.gt(Timestamp(at)));
        Ok(QuestionTime { at, is_followed_up: since.exists()? })
    }

    /// Stores an answer, complete or broken off, with its evidence and tool calls. Returns its id.
    fn store_answer(
        &self,
        rows: &Transaction<'_>,
        draft: &Draft,
        final_answer: &FinalAnswer,
        status: &str,
        why: Option<&str>,
    ) -> Result<Uuid, Refusal> {
        let answer = Uuid::new_v4();
        let asked = self.question_time(rows)?;
        // Sort the answer after its question, which may have the same time, and before the next question.
        let at = if asked.is_followed_up { asked.at } else { rows.now() } + 1;
        let unproved = final_answer.unproved.to_string();
        rows.insert(
            MESSAGES,
            &[
                ("id", answer.into()),
                ("account_id", self.question_context.account.into()),
                ("conversation_id", self.conversation.into()),
                ("user_id", self.person.into()),
                ("sender", "assistant".into()),
                ("status", status.into()),
                ("status_reason", why.map_or(ValueRef::Null, ValueRef::Text)),
                ("created_at", ValueRef::Timestamp(at)),
                ("unproved", ValueRef::Json(&unproved)),
                ("text", final_answer.text.as_str().into()),
            ],
        )?;
        for (evidence, shown) in draft.evidence.all().iter().zip(&final_answer.references) {
            let content = shown.to_string();
            let first = evidence.item.ids.first();
            rows.insert(
                "llm_reference",
                &[
                    ("account_id", self.question_context.account.into()),
                    ("conversation_id", self.conversation.into()),
                    ("message_id", answer.into()),
                    ("reference_id", first.map_or(ValueRef::Null, |id| id.as_str().into())),
                    ("type", evidence.item.kind.name().into()),
                    ("content", content.as_str().into()),
                ],
            )?;
        }
        calls::store(rows, self, &draft.tool_calls)?;
        Ok(answer)
    }
}

/// The time of a question (µs since 1970 UTC), and whether another one followed.
struct QuestionTime {
    at: i64,
    is_followed_up: bool,
}

/// An answer in the form in which users see it.
struct FinalAnswer {
    /// The text without citations of evidence that does not exist.
    text: String,
    /// The evidence.
    references: Vec<Value>,
    /// Sentences with figures that no evidence proves.
    unproved: Value,
}

impl FinalAnswer {
    fn of(draft: &Draft) -> Self {
        let evidence = draft.evidence.all();
        let is_known = |id: &str| evidence.iter().any(|known| known.id == id);
        let text = citations::without_unknown(draft.text.trim(), is_known);
        let cited = citations::cites(&text);
        let references = evidence.iter().map(|evidence| {
            let mut shown = evidence.shown();
            shown["cited"] = cited.contains(&evidence.id).into();
            shown
        });
        let references = references.collect();
        let unproved = citations::unproved(&citations::check(&text, evidence));
        Self { text, references, unproved }
    }
}

fn set_status(rows: &Transaction<'_>, conversation: Uuid, status: &str) -> Result<(), Refusal> {
    let set = [("status", status.into()), ("updated_at", ValueRef::Timestamp(rows.now()))];
    rows.update(CONVERSATIONS, &[eq("id", conversation)], &set)?;
    Ok(())
}

/// The last messages of a conversation, oldest first: answered questions and their answers.
fn recent_messages(place: &Place<'_>, conversation: Uuid) -> Result<Vec<(String, String)>, Refusal> {
    let newest = place
        .rows
        .query::<MessageText>()
        .filter(llm_message::conversation_id.eq(conversation))
        .filter(llm_message::status.eq("COMPLETED"))
        .order(llm_message::created_at.desc())
        .order(llm_message::id.desc())
        .limit(HISTORY)
        .rows()?;
    Ok(newest.into_iter().rev().map(|message| (message.sender, message.text)).collect())
}

#[derive(serde::Deserialize)]
struct Listing {
    account_id: String,
    limit: Option<u64>,
}

/// Handles `ai_list_conversations`: the caller's conversations in an account, latest activity first.
pub(crate) fn list(call: &Call<'_>) -> Result<ListConversationsResponse, Refusal> {
    let request: Listing = argument(call, "request")?;
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    within(call, Right::Read, &request.account_id, |place| {
        let person = place.person.ok_or_else(Refusal::denied)?;
        let own = place
            .rows
            .query::<ConversationLine>()
            .filter(llm_conversations::account_id.eq(place.account))
            .filter(llm_conversations::user_id.eq(person))
            .order(llm_conversations::updated_at.desc())
            .order(llm_conversations::id.asc())
            .limit(limit);
        let shown = |line: ConversationLine| {
            let is_abandoned = line.status == LlmConversationStatus::InProgress
                && place.now - line.updated_at.micros() > ABANDONED;
            AIConversationListed {
                id: line.id.to_string(),
                title: line.title,
                status: if is_abandoned { "TERMINATED" } else { line.status.as_str() }.to_owned(),
                updated_at: format_timestamptz(line.updated_at.micros()),
                llm_provider: line.llm_provider,
                llm_model: line.llm_model,
            }
        };
        let data = own.rows()?.into_iter().map(shown).collect();
        Ok(ListConversationsResponse { data: Some(data), errors: Some(Vec::new()) })
    })
}
