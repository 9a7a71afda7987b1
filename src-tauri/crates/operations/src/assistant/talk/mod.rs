//! Answers questions: a model calls tools that read data with the caller's rights, and its answer cites the evidence found.
//!
//! Start at [`converse`]. The model only gets tools that read ([`tools`]). Their results are added to the prompt, marked as data,
//! under ids such as `Q1` that the answer cites. Every request is recorded in the ledger before it is sent ([`send`]), with names
//! replaced if they must not leave the machine ([`veil`]). Claims without evidence are reported separately ([`proof`]).

mod calls;
mod costs;
mod draft;
mod evidence;
mod for_runs;
mod ledger;
mod prompt;
mod proof;
mod referred;
mod replaced;
mod send;
mod session;
mod single;
#[cfg(test)]
mod tests;
mod tools;
mod veil;

pub(crate) use calls::of_conversation as calls_of;
pub use for_runs::{ModelAsk, ModelCall, ask_model};
pub(crate) use ledger::list as list_sent;
pub(crate) use prompt::{RULES, SYSTEM, SYSTEM_VARIABLES, wrapped};
pub(crate) use proof::{cites, sentences, without_unknown};
pub use referred::Reference;
pub(crate) use replaced::{list as list_replaced, preview as preview_replaced};
pub use send::{Desk, SendPreview};
pub(crate) use session::list as list_conversations;
pub(crate) use single::{Single, once};

use draft::Draft;
use graphql::Refusal;
use llm::{Message, ToolCall};
use send::{Line, Sender};
use serde_json::{Value, json};
use session::Session;
use uuid::Uuid;

/// The tools a model can call, in the form in which it receives them.
pub(crate) fn built_in_tools() -> Vec<llm::Tool> {
    tools::all()
}

/// Maximum number of rounds of tool calls before the model must answer.
const MOST_ROUNDS: usize = 6;
/// Maximum number of tool calls in one round.
const MOST_LOOKS: usize = 4;

/// A question of a user.
#[derive(Debug, Clone)]
pub struct Question {
    pub account: String,
    /// `None` starts a new conversation.
    pub conversation: Option<String>,
    pub message: String,
    /// Provider and model that the user chose for the conversation. `None` leaves it unchanged.
    pub model: Option<(String, String)>,
    /// Rows that the question is about. They are read before the model is called.
    pub references: Vec<Reference>,
}

/// Progress events while an answer is made.
#[derive(Debug, Clone, PartialEq)]
pub enum TalkProgress {
    /// The conversation, before any request.
    Begun { conversation: Uuid, title: String },
    /// A tool call starts.
    Looking { title: String },
    /// A tool call ended: the evidence in the form of the references, or the reason why it failed.
    Looked(Value),
    /// A request was sent to a model: its ledger entry, without the text.
    Sent(Value),
    /// More text of the answer.
    Text(String),
    /// The text until now belongs to a tool call and is not a part of the answer.
    Again,
}

/// Answers a question and returns the response of `ai_followup_response`. A failure is stored in
/// the conversation together with the text written before it.
pub fn converse(
    desk: &Desk<'_>,
    question: &Question,
    hear: &mut dyn FnMut(TalkProgress),
) -> Result<Value, Refusal> {
    let first = referred::looks(&question.references)?;
    let session = Session::begin(desk, question)?;
    let mut draft = Draft::default();
    match answer(desk, &session, &first, &mut draft, hear) {
        Ok(()) => session.end(desk, &draft),
        Err(refusal) => Err(session.fail(desk, &draft, refusal)),
    }
}

/// Shows what would be sent for a question, to which model, and which names would be replaced. Nothing is sent or stored.
pub fn preview(desk: &Desk<'_>, question: &Question) -> Result<SendPreview, Refusal> {
    let (session, history) = Session::look(desk, question)?;
    let sender = Sender::new(desk, session.line(), session.model.as_ref())?;
    let mut chat = prompt::chat(&session.about, &history, &session.message);
    let first = referred::looks(&question.references)?;
    look_first(desk, &session, &mut Draft::default(), &first, &mut chat, &mut |_| ());
    sender.preview(&chat)
}

fn answer(
    desk: &Desk<'_>,
    session: &Session,
    first: &[ToolCall],
    draft: &mut Draft,
    hear: &mut dyn FnMut(TalkProgress),
) -> Result<(), Refusal> {
    let mut sender = Sender::new(desk, session.line(), session.model.as_ref())?;
    hear(TalkProgress::Begun { conversation: session.conversation, title: session.title.clone() });
    let mut chat = prompt::chat(&session.about, &session.history, &session.message);
    look_first(desk, session, draft, first, &mut chat, hear);
    for round in 0.. {
        if round == MOST_ROUNDS {
            // The model must answer with the evidence found until now.
            chat.tools.clear();
            chat.messages.push(Message::user("Answer now with what you have found."));
        }
        session.check_running(desk)?;
        let asked = match draft.write(hear, |hear| sender.ask(&chat, hear)) {
            Err(refusal) if round == 0 && cannot_call(&refusal) => {
                look_for_it(desk, session, draft, &mut chat, hear);
                sender.begin_again();
                draft.write(hear, |hear| sender.ask(&chat, hear))?
            }
            asked => asked?,
        };
        let calls: Vec<ToolCall> = asked.calls.into_iter().take(MOST_LOOKS).collect();
        if calls.is_empty() || round >= MOST_ROUNDS {
            asked.text.trim().clone_into(&mut draft.text);
            if draft.text.is_empty() {
                let message =
                    format!("{} gave an empty answer: ask again, or use another model", sender.name());
                return Err(Refusal::new("model-failed", message));
            }
            if !asked.is_whole {
                draft.cut_off =
                    Some("the model ended at its longest answer: ask it to go on, or for something shorter");
            }
            return Ok(());
        }
        if !asked.text.trim().is_empty() {
            hear(TalkProgress::Again);
        }
        let said = Message::Assistant { text: asked.text, calls: calls.clone() };
        chat.messages.push(said);
        for call in calls {
            session.check_running(desk)?;
            let text = look(desk, session, draft, &call, hear);
            chat.messages.push(Message::Tool { id: call.id, name: call.name, text });
        }
    }
    unreachable!("the last round always answers")
}

/// Whether the provider rejected the request because the model does not support tools. Providers word this differently.
fn cannot_call(refusal: &Refusal) -> bool {
    refusal.code == "model-failed" && refusal.message.to_lowercase().contains("tool")
}

/// Makes the most common tool calls, for costs and documents, on behalf of a model that does not support tools.
fn look_for_it(
    desk: &Desk<'_>,
    session: &Session,
    draft: &mut Draft,
    chat: &mut llm::Chat,
    hear: &mut dyn FnMut(TalkProgress),
) {
    chat.tools.clear();
    let calls = [
        ("spend", json!({ "group_by": "service" })),
        ("spend", json!({ "group_by": "month" })),
        ("search_documents", json!({ "question": session.message })),
    ];
    let calls = calls.map(|(name, arguments)| ToolCall {
        id: name.to_owned(),
        name: name.to_owned(),
        arguments,
        signature: None,
    });
    look_first(desk, session, draft, &calls, chat, hear);
}

/// Makes tool calls before the model's first turn. Their results precede the question.
fn look_first(
    desk: &Desk<'_>,
    session: &Session,
    draft: &mut Draft,
    calls: &[ToolCall],
    chat: &mut llm::Chat,
    hear: &mut dyn FnMut(TalkProgress),
) {
    let question = chat.messages.pop();
    for call in calls {
        let text = look(desk, session, draft, call, hear);
        chat.messages.push(Message::user(text));
    }
    chat.messages.extend(question);
}

/// Makes one tool call and returns the text for the model.
fn look(
    desk: &Desk<'_>,
    session: &Session,
    draft: &mut Draft,
    call: &ToolCall,
    hear: &mut dyn FnMut(TalkProgress),
) -> String {
    let title = tools::title(call);
    hear(TalkProgress::Looking { title: title.clone() });
    let began = desk.engine.store().now();
    let looked = tools::run(desk, &session.about, call);
    let ended = desk.engine.store().now();
    let (shown, text, evidence) = match looked {
        Ok(found) => {
            let kept = draft.evidence.add(found);
            (kept.shown(), prompt::data(&kept.id, &kept.told), Some(kept.id.clone()))
        }
        Err(refusal) => {
            let text = format!("This did not work: {}. Correct it, or look somewhere else.", refusal.message);
            (json!({ "title": title, "error": refusal.message }), text, None)
        }
    };
    hear(TalkProgress::Looked(shown));
    draft.looks.push(draft::Look { call: call.clone(), title, told: text.clone(), evidence, began, ended });
    text
}

/// The ledger entry and usage that a request belongs to.
impl Session {
    fn line(&self) -> Line {
        Line {
            tenant: self.about.tenant,
            account: self.about.account,
            person: Some(self.person),
            conversation: Some(self.conversation),
            message: Some(self.question),
            source: "user",
            agent: None,
        }
    }
}
