//! Answers questions: a model calls tools that read data with the caller's rights, and its answer cites the evidence found.
//!
//! Start at [`converse`]. The model only gets tools that read ([`tools`]). Their results are added to the prompt, marked as data,
//! under ids such as `Q1` that the answer cites. Every request is recorded in the ledger before it is sent ([`send`]), with names
//! replaced if they must not leave the machine ([`pseudonymizer`]). Claims without evidence are reported separately ([`proof`]).

mod calls;
mod citations;
mod costs;
mod draft;
mod evidence;
mod ledger;
mod prompt;
mod pseudonymizer;
mod references;
mod replaced_names;
mod send;
mod session;
mod single_request;
#[cfg(test)]
mod tests;
mod tools;
mod workflow_tasks;

pub(crate) use calls::of_conversation as calls_of;
pub(crate) use citations::{cites, sentences, without_unknown};
pub(crate) use ledger::list as list_sent;
pub(crate) use prompt::{RULES, SYSTEM, SYSTEM_VARIABLES, wrapped};
pub use references::Reference;
pub(crate) use replaced_names::{list as list_replaced, preview as preview_replaced};
pub use send::{ModelContext, SendPreview};
pub(crate) use session::list as list_conversations;
pub(crate) use single_request::{SingleRequest, ask_once};
pub use workflow_tasks::{ModelAsk, ModelCall, ask_model};

use draft::Draft;
use graphql::Refusal;
use llm::{Message, ToolCall};
use send::{Attribution, Sender};
use serde_json::{Value, json};
use session::Session;
use uuid::Uuid;

/// The tools a model can call, in the form in which it receives them.
pub(crate) fn built_in_tools() -> Vec<llm::Tool> {
    tools::all()
}

/// Maximum number of rounds of tool calls before the model must answer.
const MAX_ROUNDS: usize = 6;
/// Maximum number of tool calls in one round.
const MAX_TOOL_CALLS_PER_ROUND: usize = 4;

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
pub enum ChatProgress {
    /// The conversation, before any request.
    Started { conversation: Uuid, title: String },
    /// A tool call starts.
    ToolStarted { title: String },
    /// A tool call ended: the evidence in the form of the references, or the reason why it failed.
    ToolFinished(Value),
    /// A request was sent to a model: its ledger entry, without the text.
    Sent(Value),
    /// More text of the answer.
    Text(String),
    /// The text until now belongs to a tool call and is not a part of the answer.
    TextDiscarded,
}

/// Answers a question and returns the response of `ai_followup_response`. A failure is stored in
/// the conversation together with the text written before it.
pub fn converse(
    context: &ModelContext<'_>,
    question: &Question,
    on_progress: &mut dyn FnMut(ChatProgress),
) -> Result<Value, Refusal> {
    let first = references::tool_calls(&question.references)?;
    let session = Session::start(context, question)?;
    let mut draft = Draft::default();
    match answer(context, &session, &first, &mut draft, on_progress) {
        Ok(()) => session.complete(context, &draft),
        Err(refusal) => Err(session.fail(context, &draft, refusal)),
    }
}

/// Shows what would be sent for a question, to which model, and which names would be replaced. Nothing is sent or stored.
pub fn preview(context: &ModelContext<'_>, question: &Question) -> Result<SendPreview, Refusal> {
    let (session, history) = Session::preview(context, question)?;
    let sender = Sender::new(context, session.attribution(), session.model.as_ref())?;
    let mut chat = prompt::chat(&session.question_context, &history, &session.message);
    let first = references::tool_calls(&question.references)?;
    run_initial_tools(context, &session, &mut Draft::default(), &first, &mut chat, &mut |_| ());
    sender.preview(&chat)
}

fn answer(
    context: &ModelContext<'_>,
    session: &Session,
    first: &[ToolCall],
    draft: &mut Draft,
    on_progress: &mut dyn FnMut(ChatProgress),
) -> Result<(), Refusal> {
    let mut sender = Sender::new(context, session.attribution(), session.model.as_ref())?;
    on_progress(ChatProgress::Started { conversation: session.conversation, title: session.title.clone() });
    let mut chat = prompt::chat(&session.question_context, &session.history, &session.message);
    run_initial_tools(context, session, draft, first, &mut chat, on_progress);
    for round in 0.. {
        if round == MAX_ROUNDS {
            // The model must answer with the evidence found until now.
            chat.tools.clear();
            chat.messages.push(Message::user("Answer now with what you have found."));
        }
        session.check_running(context)?;
        let asked = match draft.write(on_progress, |on_progress| sender.ask(&chat, on_progress)) {
            Err(refusal) if round == 0 && lacks_tool_support(&refusal) => {
                run_default_tools(context, session, draft, &mut chat, on_progress);
                sender.reset_candidates();
                draft.write(on_progress, |on_progress| sender.ask(&chat, on_progress))?
            }
            asked => asked?,
        };
        let calls: Vec<ToolCall> = asked.calls.into_iter().take(MAX_TOOL_CALLS_PER_ROUND).collect();
        if calls.is_empty() || round >= MAX_ROUNDS {
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
            on_progress(ChatProgress::TextDiscarded);
        }
        let said = Message::Assistant { text: asked.text, calls: calls.clone() };
        chat.messages.push(said);
        for call in calls {
            session.check_running(context)?;
            let text = run_tool(context, session, draft, &call, on_progress);
            chat.messages.push(Message::Tool { id: call.id, name: call.name, text });
        }
    }
    unreachable!("the last round always answers")
}

/// Whether the provider rejected the request because the model does not support tools. Providers word this differently.
fn lacks_tool_support(refusal: &Refusal) -> bool {
    refusal.code == "model-failed" && refusal.message.to_lowercase().contains("tool")
}

/// Makes the most common tool calls, for costs and documents, on behalf of a model that does not support tools.
fn run_default_tools(
    context: &ModelContext<'_>,
    session: &Session,
    draft: &mut Draft,
    chat: &mut llm::Chat,
    on_progress: &mut dyn FnMut(ChatProgress),
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
    run_initial_tools(context, session, draft, &calls, chat, on_progress);
}

/// Makes tool calls before the model's first turn. Their results precede the question.
fn run_initial_tools(
    context: &ModelContext<'_>,
    session: &Session,
    draft: &mut Draft,
    calls: &[ToolCall],
    chat: &mut llm::Chat,
    on_progress: &mut dyn FnMut(ChatProgress),
) {
    let question = chat.messages.pop();
    for call in calls {
        let text = run_tool(context, session, draft, call, on_progress);
        chat.messages.push(Message::user(text));
    }
    chat.messages.extend(question);
}

/// Makes one tool call and returns the text for the model.
fn run_tool(
    context: &ModelContext<'_>,
    session: &Session,
    draft: &mut Draft,
    call: &ToolCall,
    on_progress: &mut dyn FnMut(ChatProgress),
) -> String {
    let title = tools::title(call);
    on_progress(ChatProgress::ToolStarted { title: title.clone() });
    let started_at = context.engine.store().now();
    let result = tools::run(context, &session.question_context, call);
    let ended_at = context.engine.store().now();
    let (shown, text, evidence) = match result {
        Ok(found) => {
            let added = draft.evidence.add(found);
            (added.shown(), prompt::data(&added.id, &added.item.text), Some(added.id.clone()))
        }
        Err(refusal) => {
            let text = format!("This did not work: {}. Correct it, or look somewhere else.", refusal.message);
            (json!({ "title": title, "error": refusal.message }), text, None)
        }
    };
    on_progress(ChatProgress::ToolFinished(shown));
    draft.tool_calls.push(draft::ToolCallRecord {
        call: call.clone(),
        title,
        result: text.clone(),
        evidence,
        started_at,
        ended_at,
    });
    text
}

/// The ledger entry and usage that a request belongs to.
impl Session {
    fn attribution(&self) -> Attribution {
        Attribution {
            tenant: self.question_context.tenant,
            account: self.question_context.account,
            person: Some(self.person),
            conversation: Some(self.conversation),
            message: Some(self.question),
            source: "user",
            agent: None,
        }
    }
}
