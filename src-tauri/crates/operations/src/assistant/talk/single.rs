//! One request to a model without tools: an analysis put into words, a workflow from a description.

use super::send::{Desk, Line, Sender};
use crate::model_access::ModelReply;
use graphql::Refusal;
use llm::{Chat, Message};
use uuid::Uuid;

/// What is asked, and what it belongs to.
pub(crate) struct Single<'t> {
    pub account: Uuid,
    /// `event` or `user`: what began it.
    pub source: &'static str,
    /// The session on the bill; a new one unless given.
    pub session: Option<Uuid>,
    pub agent: Option<&'t str>,
    /// Provider and model, asked alone.
    pub chosen: Option<&'t (String, String)>,
    pub system: String,
    pub question: String,
}

/// Asks once; the whole answer.
pub(crate) fn once(desk: &Desk<'_>, single: Single<'_>) -> Result<ModelReply, Refusal> {
    let tenant = desk.caller.tenant().ok_or_else(Refusal::denied)?;
    let line = Line {
        tenant,
        account: single.account,
        person: desk.caller.user,
        conversation: Some(single.session.unwrap_or_else(Uuid::new_v4)),
        message: None,
        source: single.source,
        agent: single.agent.map(str::to_owned),
    };
    let mut sender = Sender::new(desk, line, single.chosen)?;
    let messages = vec![Message::system(single.system), Message::user(single.question)];
    let chat = Chat { messages, tools: Vec::new(), max_tokens: None, temperature: Some(0.0) };
    sender.ask(&chat, &mut |_| ())
}
