//! The assistant at work: a question, what it looks at with the caller's rights, and an answer that names its evidence.
//!
//! Start at [`converse`]. The model gets tools that read and none that write ([`tools`]); what they find stands in its prompt as
//! data, and under a name such as `Q1` in the answer. Nothing is sent before it is written into the ledger as it is sent
//! ([`send`]), with names replaced where they must not leave ([`veil`]). What the answer claims without evidence is told apart
//! ([`proof`]).

mod costs;
mod evidence;
mod ledger;
mod prompt;
mod proof;
mod send;
mod session;
mod single;
#[cfg(test)]
mod tests;
mod tools;
mod veil;

pub(crate) use ledger::list as list_sent;
pub(crate) use prompt::{RULES, wrapped};
pub(crate) use proof::{cites, sentences, without_unknown};
pub use send::Desk;
pub(crate) use session::list as list_conversations;
pub(crate) use single::{Single, once};

use evidence::Evidence;
use graphql::Refusal;
use llm::{Message, ToolCall};
use send::{Line, Sender};
use serde_json::{Value, json};
use session::Session;
use uuid::Uuid;

/// Rounds of looking before an answer is wanted.
const MOST_ROUNDS: usize = 6;
/// Looks in one round.
const MOST_LOOKS: usize = 4;

/// What a person asks.
#[derive(Debug, Clone)]
pub struct Question {
    pub account: String,
    /// None begins a conversation.
    pub conversation: Option<String>,
    pub message: String,
}

/// What is heard while an answer is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// The conversation, before anything is asked.
    Begun { conversation: Uuid, title: String },
    /// Something is looked at.
    Looking { title: String },
    /// It was looked at: the evidence as it stands in the answer's references, or why there is none.
    Looked(Value),
    /// Something was sent to a model: its line of the ledger, without the text.
    Sent(Value),
    /// More of the text.
    Text(String),
    /// What was written so far belonged to a look, not to the answer.
    Again,
}

/// Answers a question; the answer as `ai_followup_response` tells it. What went wrong is kept in the conversation, too.
pub fn converse(desk: &Desk<'_>, question: &Question, hear: &mut dyn FnMut(Heard)) -> Result<Value, Refusal> {
    let session = Session::begin(desk, question)?;
    match answer(desk, &session, hear) {
        Ok(answered) => session.end(desk, answered),
        Err(refusal) => Err(session.fail(desk, refusal)),
    }
}

/// What would be sent for a question, to whom, and which names were replaced. Nothing is sent and nothing kept.
pub fn preview(desk: &Desk<'_>, question: &Question) -> Result<Value, Refusal> {
    let (session, history) = Session::look(desk, question)?;
    let sender = Sender::new(desk, session.line())?;
    let chat = prompt::chat(&session.about, &history, &session.message);
    sender.preview(&chat)
}

/// An answer before it is kept.
pub(crate) struct Answered {
    pub text: String,
    pub evidence: Vec<Evidence>,
    /// Who wrote it.
    pub provider: String,
    pub model: String,
}

fn answer(desk: &Desk<'_>, session: &Session, hear: &mut dyn FnMut(Heard)) -> Result<Answered, Refusal> {
    let mut sender = Sender::new(desk, session.line())?;
    hear(Heard::Begun { conversation: session.conversation, title: session.title.clone() });
    let mut chat = prompt::chat(&session.about, &session.history, &session.message);
    let mut evidence = evidence::Collection::default();
    for round in 0.. {
        if round == MOST_ROUNDS {
            // What was found must do.
            chat.tools.clear();
            chat.messages.push(Message::user("Answer now with what you have found."));
        }
        session.check_running(desk)?;
        let asked = match sender.ask(&chat, hear) {
            Err(refusal) if round == 0 && cannot_call(&refusal) => {
                look_for_it(desk, session, &mut evidence, &mut chat, hear);
                sender.begin_again();
                sender.ask(&chat, hear)?
            }
            asked => asked?,
        };
        let calls: Vec<ToolCall> = asked.calls.into_iter().take(MOST_LOOKS).collect();
        if calls.is_empty() || round >= MOST_ROUNDS {
            let text = asked.text.trim().to_owned();
            if text.is_empty() {
                let message =
                    format!("{} gave an empty answer: ask again, or use another model", sender.name());
                return Err(Refusal::new("model-failed", message));
            }
            let (provider, model) = sender.who();
            return Ok(Answered { text, evidence: evidence.finish(), provider, model });
        }
        if !asked.text.trim().is_empty() {
            hear(Heard::Again);
        }
        let said = Message::Assistant { text: asked.text, calls: calls.clone() };
        chat.messages.push(said);
        for call in calls {
            session.check_running(desk)?;
            let text = look(desk, session, &mut evidence, &call, hear);
            chat.messages.push(Message::Tool { id: call.id, name: call.name, text });
        }
    }
    unreachable!("the last round always answers")
}

/// Whether a model was refused because it cannot call tools, as its provider says in its own words.
fn cannot_call(refusal: &Refusal) -> bool {
    refusal.code == "model-failed" && refusal.message.to_lowercase().contains("tool")
}

/// Looks at what nearly everybody asks about, and at the documents, for a model that cannot look by itself.
fn look_for_it(
    desk: &Desk<'_>,
    session: &Session,
    evidence: &mut evidence::Collection,
    chat: &mut llm::Chat,
    hear: &mut dyn FnMut(Heard),
) {
    chat.tools.clear();
    let question = chat.messages.pop();
    for (name, arguments) in [
        ("spend", json!({ "group_by": "service" })),
        ("spend", json!({ "group_by": "month" })),
        ("search_documents", json!({ "question": session.message })),
    ] {
        let call = ToolCall { id: name.to_owned(), name: name.to_owned(), arguments, signature: None };
        let text = look(desk, session, evidence, &call, hear);
        chat.messages.push(Message::user(text));
    }
    chat.messages.extend(question);
}

/// Makes one call of the model; what it is told of it.
fn look(
    desk: &Desk<'_>,
    session: &Session,
    evidence: &mut evidence::Collection,
    call: &ToolCall,
    hear: &mut dyn FnMut(Heard),
) -> String {
    hear(Heard::Looking { title: tools::title(call) });
    match tools::run(desk, &session.about, call) {
        Ok(found) => {
            let kept = evidence.add(found);
            hear(Heard::Looked(kept.shown()));
            prompt::data(&kept.id, &kept.told)
        }
        Err(refusal) => {
            hear(Heard::Looked(json!({ "title": tools::title(call), "error": refusal.message })));
            format!("This did not work: {}. Correct it, or look somewhere else.", refusal.message)
        }
    }
}

/// The line of the ledger and of the bill that a request belongs to.
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
