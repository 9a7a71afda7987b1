//! A conversation while a question in it is answered, and what is kept of it.

use super::draft::Draft;
use super::prompt::About;
use super::proof;
use super::send::Desk;
use super::{Question, calls};
use crate::assistant::asking::refused;
use crate::assistant::conversations::{begin, own};
use crate::assistant::place::{Place, filled, id, place_of};
use catalogue::{Caller, Right, Value as Cell, ValueRef, format_timestamptz};
use graphql::Refusal;
use serde_json::{Value, json};
use store::{StoreError, Transaction, eq, gt};
use uuid::Uuid;

const CONVERSATIONS: &str = "llm_conversations";
const MESSAGES: &str = "llm_message";
const LONGEST_MESSAGE: usize = 100_000;
/// An answer that is worked on for so long (µs) was broken off with the service that made it.
const ABANDONED: i64 = 3_600_000_000;
/// Earlier messages that are told again.
const HISTORY: usize = 12;

pub(super) struct Session {
    pub about: About,
    pub person: Uuid,
    pub conversation: Uuid,
    pub title: String,
    /// The message that asks.
    pub question: Uuid,
    pub message: String,
    /// Who said what before, oldest first.
    pub history: Vec<(String, String)>,
    /// Provider and model that a person chose for the conversation.
    pub model: Option<(String, String)>,
}

impl Session {
    /// Keeps the question, in a new conversation or in one of the caller's.
    pub fn begin(desk: &Desk<'_>, question: &Question) -> Result<Self, Refusal> {
        if let Some((provider, model)) = &question.model {
            desk.models.named(provider, model).map_err(|failure| refused(&failure))?;
        }
        desk.engine.store().transaction(desk.caller, |rows| {
            place_of(desk.caller, rows, Right::Read, &question.account, |place| {
                let (mut session, known) = Self::read(place, question)?;
                if !known {
                    session.conversation = begin(place, session.person, &session.message)?;
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

    /// The same without keeping anything: for a preview.
    pub fn look(desk: &Desk<'_>, question: &Question) -> Result<(Self, Vec<(String, String)>), Refusal> {
        desk.engine.store().snapshot(desk.caller, |rows| {
            place_of(desk.caller, rows, Right::Read, &question.account, |place| {
                let (session, _) = Self::read(place, question)?;
                let history = session.history.clone();
                Ok((session, history))
            })
        })
    }

    /// The session, and whether its conversation is known.
    fn read(place: &Place<'_>, question: &Question) -> Result<(Self, bool), Refusal> {
        let text = filled("message", &question.message)?;
        let length = text.chars().count();
        if length > LONGEST_MESSAGE {
            let message = format!("message has {length} characters: at most {LONGEST_MESSAGE} are allowed");
            return Err(Refusal::invalid(message));
        }
        let person = place.person.ok_or_else(Refusal::denied)?;
        let known = question.conversation.as_deref().map(|known| id("conversation_id", known)).transpose()?;
        let mut history = Vec::new();
        let mut model = question.model.clone();
        if let Some(known) = known {
            let kept = own(place, known)?;
            history = said(place, known)?;
            let text = |column: &str| kept.get(column).and_then(Value::as_str).map(str::to_owned);
            model = model.or_else(|| text("llm_provider").zip(text("llm_model")));
        }
        let title: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(80).collect();
        let session = Self {
            about: About::read(place)?,
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

    /// Refuses to go on with what nobody waits for, or somebody has ended.
    pub fn check_running(&self, desk: &Desk<'_>) -> Result<(), Refusal> {
        let house = Caller::house_for(self.about.tenant);
        let conditions = [eq("id", self.conversation)];
        let row = desk
            .engine
            .store()
            .snapshot(&house, |rows| rows.select(CONVERSATIONS, &["status"], &conditions))?
            .pop();
        let is_running = row.is_some_and(|row| row[0] == Cell::Text("IN_PROGRESS".to_owned()));
        if is_running && !desk.cancel.is_cancelled() {
            return Ok(());
        }
        Err(Refusal::new("stopped", "the answer was stopped"))
    }

    /// Keeps the answer with what it rests on; the answer as the interface tells it.
    pub fn end(&self, desk: &Desk<'_>, draft: &Draft) -> Result<Value, Refusal> {
        let told = Told::of(draft);
        let house = Caller::house_for(self.about.tenant);
        let (answer, status) = desk.engine.store().transaction(&house, |rows| {
            rows.update(MESSAGES, &[eq("id", self.question)], &[("status", "COMPLETED".into())])?;
            let answer = self.keep_answer(rows, draft, &told, "COMPLETED", draft.cut_off)?;
            let running = [eq("id", self.conversation), eq("status", "IN_PROGRESS")];
            let is_running = rows.count(CONVERSATIONS, &running)? > 0;
            if is_running && !self.asked(rows)?.again {
                set_status(rows, self.conversation, "COMPLETED")?;
            }
            Ok::<_, Refusal>((answer, if is_running { "COMPLETED" } else { "KILLED" }))
        })?;
        Ok(json!({
            "conversation_id": self.conversation,
            "message_id": answer,
            "response": told.text,
            "references": told.references,
            "unproved": told.unproved,
            "status": status,
            "status_reason": draft.cut_off,
        }))
    }

    /// Keeps why there is no answer, and what was written and looked at before; the refusal as it is told.
    pub fn fail(&self, desk: &Desk<'_>, draft: &Draft, refusal: Refusal) -> Refusal {
        let house = Caller::house_for(self.about.tenant);
        let is_stopped = refusal.code == "stopped";
        let status = if is_stopped { "KILLED" } else { "FAILED" };
        let told = Told::of(draft);
        let has_text = !told.text.is_empty();
        let kept = desk.engine.store().transaction(&house, |rows| {
            let set = [("status", status.into()), ("status_reason", refusal.message.as_str().into())];
            rows.update(MESSAGES, &[eq("id", self.question)], &set)?;
            if has_text {
                self.keep_answer(rows, draft, &told, status, Some(refusal.message.as_str()))?;
            } else {
                calls::keep(rows, self, &draft.looks)?;
            }
            // A stop may be noticed here when the person has asked the next question, which goes on.
            if self.asked(rows)?.again {
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

    /// When the question was asked, and whether another one of the conversation was since.
    fn asked(&self, rows: &Transaction<'_>) -> Result<Asked, StoreError> {
        let asked = rows.select(MESSAGES, &["created_at"], &[eq("id", self.question)])?.pop();
        let at = asked.and_then(|row| row[0].as_int()).unwrap_or_default();
        let since = [
            eq("conversation_id", self.conversation),
            eq("sender", "user"),
            gt("created_at", ValueRef::Timestamp(at)),
        ];
        Ok(Asked { at, again: rows.count(MESSAGES, &since)? > 0 })
    }

    /// Keeps an answer, whole or broken off, with what it rests on and what was looked at; its id.
    fn keep_answer(
        &self,
        rows: &Transaction<'_>,
        draft: &Draft,
        told: &Told,
        status: &str,
        why: Option<&str>,
    ) -> Result<Uuid, Refusal> {
        let answer = Uuid::new_v4();
        let asked = self.asked(rows)?;
        // Behind its question, though both are written at one time of the clock, and before the next one.
        let at = if asked.again { asked.at } else { rows.now() } + 1;
        let unproved = told.unproved.to_string();
        rows.insert(
            MESSAGES,
            &[
                ("id", answer.into()),
                ("account_id", self.about.account.into()),
                ("conversation_id", self.conversation.into()),
                ("user_id", self.person.into()),
                ("sender", "assistant".into()),
                ("status", status.into()),
                ("status_reason", why.map_or(ValueRef::Null, ValueRef::Text)),
                ("created_at", ValueRef::Timestamp(at)),
                ("unproved", ValueRef::Json(&unproved)),
                ("text", told.text.as_str().into()),
            ],
        )?;
        for (evidence, shown) in draft.evidence.all().iter().zip(&told.references) {
            let content = shown.to_string();
            let first = evidence.found.ids.first();
            rows.insert(
                "llm_reference",
                &[
                    ("account_id", self.about.account.into()),
                    ("conversation_id", self.conversation.into()),
                    ("message_id", answer.into()),
                    ("reference_id", first.map_or(ValueRef::Null, |id| id.as_str().into())),
                    ("type", evidence.found.kind.name().into()),
                    ("content", content.as_str().into()),
                ],
            )?;
        }
        calls::keep(rows, self, &draft.looks)?;
        Ok(answer)
    }
}

/// The time of a question (µs since 1970 UTC), and whether it was followed by another.
struct Asked {
    at: i64,
    again: bool,
}

/// An answer as people are told it.
struct Told {
    /// Without names of evidence nobody has found.
    text: String,
    /// What it rests on.
    references: Vec<Value>,
    /// Sentences whose figures nothing proves.
    unproved: Value,
}

impl Told {
    fn of(draft: &Draft) -> Self {
        let evidence = draft.evidence.all();
        let is_known = |id: &str| evidence.iter().any(|known| known.id == id);
        let text = proof::without_unknown(draft.text.trim(), is_known);
        let cited = proof::cites(&text);
        let references = evidence.iter().map(|evidence| {
            let mut shown = evidence.shown();
            shown["cited"] = cited.contains(&evidence.id).into();
            shown
        });
        let references = references.collect();
        let unproved = proof::shown(&proof::prove(&text, evidence));
        Self { text, references, unproved }
    }
}

fn set_status(rows: &Transaction<'_>, conversation: Uuid, status: &str) -> Result<(), Refusal> {
    let set = [("status", status.into()), ("updated_at", ValueRef::Timestamp(rows.now()))];
    rows.update(CONVERSATIONS, &[eq("id", conversation)], &set)?;
    Ok(())
}

/// What was said in a conversation: questions that were answered, and their answers.
fn said(place: &Place<'_>, conversation: Uuid) -> Result<Vec<(String, String)>, Refusal> {
    let conditions = [eq("conversation_id", conversation), eq("status", "COMPLETED")];
    let mut rows = place.rows.select(MESSAGES, &["created_at", "id", "sender", "text"], &conditions)?;
    rows.sort_by_key(|row| (row[0].as_int(), row[1].as_uuid()));
    let text = |cell: &Cell| cell.as_text().unwrap_or_default().to_owned();
    let from = rows.len().saturating_sub(HISTORY);
    Ok(rows[from..].iter().map(|row| (text(&row[2]), text(&row[3]))).collect())
}

#[derive(serde::Deserialize)]
struct Listing {
    account_id: String,
    limit: Option<usize>,
}

/// `ai_list_conversations`: the caller's own ones in an account, the one last spoken in first.
pub(crate) fn list(call: &graphql::Call<'_>) -> Result<Value, Refusal> {
    use crate::assistant::place::{argument, data, within};
    let request: Listing = argument(call, "request")?;
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    within(call, Right::Read, &request.account_id, |place| {
        let person = place.person.ok_or_else(Refusal::denied)?;
        let columns = ["id", "title", "status", "updated_at", "llm_provider", "llm_model"];
        let conditions = [eq("account_id", place.account), eq("user_id", person)];
        let mut rows = place.rows.select(CONVERSATIONS, &columns, &conditions)?;
        rows.sort_by_key(|row| (std::cmp::Reverse(row[3].as_int()), row[0].as_uuid()));
        rows.truncate(limit);
        let shown = rows.into_iter().map(|row| {
            let at = row[3].as_int();
            let is_abandoned =
                row[2].as_text() == Some("IN_PROGRESS") && at.is_some_and(|at| place.now - at > ABANDONED);
            let mut shown = Value::Object(crate::assistant::place::object(&columns, row));
            shown["updated_at"] = at.map(format_timestamptz).into();
            if is_abandoned {
                shown["status"] = "TERMINATED".into();
            }
            shown
        });
        Ok(data(shown.collect::<Vec<_>>()))
    })
}
