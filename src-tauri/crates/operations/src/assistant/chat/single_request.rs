//! A single request to a model without tools, for example to write up an analysis or to generate a workflow.

use super::send::{Attribution, ModelContext, Sender};
use crate::model_access::ModelReply;
use graphql::Refusal;
use llm::{Chat, Message};
use uuid::Uuid;

/// The request, and its attribution in the ledger.
pub(crate) struct SingleRequest<'t> {
    pub account: Uuid,
    /// `event` or `user`: the origin of the request.
    pub source: &'static str,
    /// The session id for the usage; by default a new one.
    pub session: Option<Uuid>,
    pub agent: Option<&'t str>,
    /// Provider and model; if given, no other is used.
    pub chosen: Option<&'t (String, String)>,
    pub system: String,
    pub question: String,
}

/// Sends the request once and returns the complete answer.
pub(crate) fn ask_once(context: &ModelContext<'_>, single: SingleRequest<'_>) -> Result<ModelReply, Refusal> {
    let tenant = context.caller.tenant().ok_or_else(Refusal::denied)?;
    let attribution = Attribution {
        tenant,
        account: single.account,
        person: context.caller.user,
        conversation: Some(single.session.unwrap_or_else(Uuid::new_v4)),
        message: None,
        source: single.source,
        agent: single.agent.map(str::to_owned),
    };
    let mut sender = Sender::new(context, attribution, single.chosen)?;
    let messages = vec![Message::system(single.system), Message::user(single.question)];
    let chat = Chat { messages, tools: Vec::new(), max_tokens: None, temperature: Some(0.0) };
    sender.ask(&chat, &mut |_| ())
}
