//! Sends requests to models: recorded before, counted afterwards, with names replaced if the setting requires it.

use super::TalkProgress;
use super::ledger::{self, Entry};
use super::veil::{Pseudonymizer, TextChunks};
use crate::assistant::{budget, usage};
use crate::kit::in_account::{place_of, tenant_attribute};
use crate::model_access::{ModelReply, Models, Who, refused};
use catalogue::{Caller, Right};
use graphql::{Engine, Refusal};
use llm::{Chat, Failure, FailureKind, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{Cancel, Transaction};
use uuid::Uuid;

/// The context of a request: the caller, the engine and the models.
pub struct Desk<'a> {
    pub engine: &'a Engine,
    pub caller: &'a Caller,
    pub models: &'a dyn Models,
    /// Set when the answer is no longer needed.
    pub cancel: &'a Cancel,
}

/// The attribution of a request in the ledger and in the usage.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub tenant: Uuid,
    pub account: Uuid,
    pub person: Option<Uuid>,
    pub conversation: Option<Uuid>,
    pub message: Option<Uuid>,
    /// `event` or `user`: the origin of the request.
    pub source: &'static str,
    pub agent: Option<String>,
}

/// When names are replaced (tenant attribute `assistant_replace_names`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replace {
    /// For models on other machines. This is the default.
    Outside,
    Always,
    Never,
}

/// What would be sent for a question, and to whom.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SendPreview {
    pub provider: String,
    pub name: String,
    pub model: String,
    pub host: String,
    pub leaves_machine: bool,
    pub may_leave: bool,
    pub size_bytes: usize,
    /// Names that are replaced on the way.
    pub replaced: Vec<ReplacedName>,
    /// Word for word.
    pub payload: String,
}

/// A name, and what is sent instead.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplacedName {
    pub name: String,
    pub token: String,
}

pub(super) struct Sender<'a> {
    desk: &'a Desk<'a>,
    line: Line,
    candidates: Vec<Who>,
    /// The index of the current candidate; earlier ones have failed.
    at: usize,
    replace: Replace,
    veil: Option<Pseudonymizer>,
}

impl<'a> Sender<'a> {
    /// Creates a sender. If `chosen` names a provider and model, it is the only candidate: a model
    /// that the user chose is never replaced by another one, which might be on another machine.
    ///
    /// # Errors
    /// The budget is spent, or no model is available.
    pub fn new(desk: &'a Desk<'a>, line: Line, chosen: Option<&(String, String)>) -> Result<Self, Refusal> {
        let account = line.account.to_string();
        let is_event = line.source == "event";
        let candidates = match chosen {
            Some((provider, model)) => desk.models.named(provider, model).map(|who| vec![who]),
            None => desk.models.candidates(line.agent.as_deref()),
        };
        let mut sender =
            Self { desk, line, candidates: Vec::new(), at: 0, replace: Replace::Outside, veil: None };
        desk.engine.store().snapshot(desk.caller, |rows| {
            place_of(desk.caller, rows, Right::Read, &account, |place| {
                if let Some(refusal) = budget::exceeded(place, is_event) {
                    return Err(refusal);
                }
                sender.candidates = candidates.map_err(|failure| refused(&failure))?;
                sender.replace = replacing(&place.rows)?;
                if sender.candidates.iter().any(|who| sender.replace.applies(who)) {
                    sender.veil = Some(Pseudonymizer::read(place)?);
                }
                Ok(())
            })
        })?;
        Ok(sender)
    }

    /// Starts with the first candidate again.
    pub fn begin_again(&mut self) {
        self.at = 0;
    }

    /// The display name of the current candidate.
    pub fn name(&self) -> String {
        self.candidates.get(self.at).map_or_else(|| "The model".to_owned(), |who| who.name.clone())
    }

    /// The first request that would be sent, and its receiver.
    pub fn preview(mut self, chat: &Chat) -> Result<SendPreview, Refusal> {
        let Some(who) = self.candidates.get(self.at).cloned() else {
            return Err(Refusal::new("not-configured", "no model can be asked"));
        };
        let (chat, count) = self.covered(&who, chat);
        let payload = payload(&chat);
        let replaced = self.veil.as_ref().map(|veil| veil.replaced(&payload)).unwrap_or_default();
        let replaced = if count > 0 { replaced } else { Vec::new() };
        Ok(SendPreview {
            provider: who.id,
            name: who.name,
            model: who.model,
            host: who.host,
            leaves_machine: !who.is_local,
            may_leave: who.is_local || who.may_leave,
            size_bytes: payload.len(),
            replaced: replaced.into_iter().map(|(name, token)| ReplacedName { name, token }).collect(),
            payload,
        })
    }

    /// Sends the request and passes on the text while it is streamed. If a candidate fails before any text arrives, the next one is used.
    pub fn ask(&mut self, chat: &Chat, hear: &mut dyn FnMut(TalkProgress)) -> Result<ModelReply, Refusal> {
        let mut first: Option<Failure> = None;
        while let Some(who) = self.candidates.get(self.at).cloned() {
            match self.ask_one(&who, chat, hear)? {
                Ok(asked) => return Ok(asked),
                Err((failure, has_spoken)) => {
                    let is_last = has_spoken || !failure.is_worth_a_fallback();
                    let failure = first.get_or_insert(failure);
                    if is_last {
                        return Err(refused(failure));
                    }
                    self.at += 1;
                }
            }
        }
        let none = || Failure::new(FailureKind::NotConfigured, "No language model can be asked.", "");
        Err(refused(&first.unwrap_or_else(none)))
    }

    fn covered(&mut self, who: &Who, chat: &Chat) -> (Chat, usize) {
        match &mut self.veil {
            Some(veil) if self.replace.applies(who) => veil.cover_chat(chat),
            _ => (chat.clone(), 0),
        }
    }

    /// Sends the request to one candidate. Returns the answer, or a failure and whether text had arrived before it.
    fn ask_one(
        &mut self,
        who: &Who,
        chat: &Chat,
        hear: &mut dyn FnMut(TalkProgress),
    ) -> Result<Result<ModelReply, (Failure, bool)>, Refusal> {
        if !who.is_local && !who.may_leave {
            let message =
                format!("{} runs at {}, and nothing may leave this machine for it.", who.name, who.host);
            let remedy = "Allow it under Settings, Model providers, or use a model of this machine.";
            return Ok(Err((Failure::new(FailureKind::MustStay, message, remedy), false)));
        }
        let (covered, payload, entry) = loop {
            let (covered, replaced) = self.covered(who, chat);
            let payload = payload(&covered);
            if let Some(entry) = self.write_down(who, &payload, replaced)? {
                break (covered, payload, entry);
            }
        };
        hear(TalkProgress::Sent(entry.shown()));
        let mut pieces = TextChunks::default();
        let mut heard = String::new();
        let veil = self.veil.as_ref().filter(|_| self.replace.applies(who));
        let asked = self.desk.models.ask(who, &covered, &mut |piece| {
            heard.push_str(piece);
            let piece = match veil {
                Some(veil) => pieces.add(veil, piece),
                None => piece.to_owned(),
            };
            if !piece.is_empty() {
                hear(TalkProgress::Text(piece));
            }
            !self.desk.cancel.is_cancelled()
        });
        if let Some(rest) = veil.map(|veil| pieces.rest(veil)).filter(|rest| !rest.is_empty()) {
            hear(TalkProgress::Text(rest));
        }
        let (used, is_told) = match &asked {
            Ok(asked) if asked.usage.is_told() => (asked.usage, true),
            // If a provider reports no usage, estimate it from the length: four characters per token, as is common.
            Ok(asked) => (estimate(&payload, &asked.text), false),
            // An answer that broke off is also billed.
            Err(_) if !heard.is_empty() => (estimate(&payload, &heard), false),
            Err(_) => (Usage::default(), false),
        };
        self.count(who, &entry, &used, is_told, asked.as_ref().err())?;
        Ok(match asked {
            Ok(mut asked) => {
                if let Some(veil) = veil {
                    asked.text = veil.uncover(&asked.text);
                    for call in &mut asked.calls {
                        call.arguments = veil.uncover_value(&call.arguments);
                    }
                }
                if self.desk.cancel.is_cancelled() && !asked.is_whole {
                    return Err(Refusal::new("stopped", "the answer was stopped"));
                }
                Ok(asked)
            }
            Err(failure) => Err((failure, !heard.is_empty())),
        })
    }

    /// Stores the ledger entry and the new tokens of names before the request is sent. `None` if
    /// another question has assigned tokens in the meantime.
    fn write_down(&mut self, who: &Who, payload: &str, replaced: usize) -> Result<Option<Entry>, Refusal> {
        let house = Caller::house_for(self.line.tenant);
        let line = &self.line;
        let veil = &mut self.veil;
        self.desk.engine.store().transaction(&house, |rows| {
            if let Some(veil) = veil
                && !veil.keep(rows)?
            {
                return Ok(None);
            }
            ledger::write(rows, line, who, payload, replaced).map(Some)
        })
    }

    fn count(
        &self,
        who: &Who,
        entry: &Entry,
        used: &Usage,
        is_told: bool,
        failure: Option<&Failure>,
    ) -> Result<(), Refusal> {
        let house = Caller::house_for(self.line.tenant);
        self.desk.engine.store().transaction(&house, |rows| {
            if used.total() > 0 {
                usage::write(rows, &self.line_of_usage(who), used)?;
            }
            let cost = usage::cost_of(rows, &who.id, &who.model, used)?;
            let why = match failure {
                Some(failure) => Some(failure.message.as_str()),
                None if !is_told => Some("the provider told no tokens: they are estimated from the length"),
                None => None,
            };
            ledger::close(rows, entry.id, used, cost, failure.is_some(), why)
        })
    }

    fn line_of_usage<'l>(&'l self, who: &'l Who) -> usage::Line<'l> {
        usage::Line {
            account: self.line.account,
            conversation: self.line.conversation,
            message: self.line.message,
            source: self.line.source,
            provider: &who.id,
            model: &who.model,
        }
    }
}

impl Replace {
    /// The value of the tenant's attribute.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Always => "always",
            Self::Never => "never",
        }
    }

    fn applies(self, who: &Who) -> bool {
        match self {
            Self::Outside => !who.is_local,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

pub(super) fn replacing(rows: &Transaction<'_>) -> Result<Replace, Refusal> {
    Ok(match tenant_attribute(rows, "assistant_replace_names")?.as_deref() {
        Some("always") => Replace::Always,
        Some("never") => Replace::Never,
        _ => Replace::Outside,
    })
}

/// The request as text: messages and tools. Each provider's protocol sends the same content in its own format.
fn payload(chat: &Chat) -> String {
    json!({ "messages": chat.messages, "tools": chat.tools }).to_string()
}

fn estimate(payload: &str, text: &str) -> Usage {
    let tokens = |text: &str| (text.chars().count() as u64).div_ceil(4);
    Usage { input_tokens: tokens(payload), output_tokens: tokens(text), ..Usage::default() }
}
