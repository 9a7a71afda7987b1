//! Sends requests to models: recorded before, counted afterwards, with names replaced if the setting requires it.

use super::ChatProgress;
use super::ledger::{self, Entry};
use super::pseudonymizer::{Pseudonymizer, TextChunks};
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
pub struct ModelContext<'a> {
    pub engine: &'a Engine,
    pub caller: &'a Caller,
    pub models: &'a dyn Models,
    /// Set when the answer is no longer needed.
    pub cancel: &'a Cancel,
}

/// The attribution of a request in the ledger and in the usage.
#[derive(Debug, Clone)]
pub(super) struct Attribution {
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
pub(super) enum ReplacementMode {
    /// For models on other machines. This is the default.
    Outside,
    Always,
    Never,
}

/// The request that would be sent to a model provider for a question.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SendPreview {
    pub provider: String,
    pub name: String,
    pub model: String,
    pub host: String,
    pub leaves_machine: bool,
    pub may_leave: bool,
    pub size_bytes: usize,
    /// Names that are replaced by tokens in the request.
    pub replaced: Vec<ReplacedName>,
    /// The exact request body.
    pub payload: String,
}

/// A name and the token that replaces it in requests.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplacedName {
    pub name: String,
    pub token: String,
}

pub(super) struct Sender<'a> {
    context: &'a ModelContext<'a>,
    attribution: Attribution,
    candidates: Vec<Who>,
    /// The index of the current candidate; earlier ones have failed.
    at: usize,
    replacement_mode: ReplacementMode,
    pseudonymizer: Option<Pseudonymizer>,
}

impl<'a> Sender<'a> {
    /// Creates a sender. If `chosen` names a provider and model, it is the only candidate: a model
    /// that the user chose is never replaced by another one, which might be on another machine.
    ///
    /// # Errors
    /// The budget is spent, or no model is available.
    pub fn new(
        context: &'a ModelContext<'a>,
        attribution: Attribution,
        chosen: Option<&(String, String)>,
    ) -> Result<Self, Refusal> {
        let account = attribution.account.to_string();
        let is_event = attribution.source == "event";
        let candidates = match chosen {
            Some((provider, model)) => context.models.named(provider, model).map(|who| vec![who]),
            None => context.models.candidates(attribution.agent.as_deref()),
        };
        let mut sender = Self {
            context,
            attribution,
            candidates: Vec::new(),
            at: 0,
            replacement_mode: ReplacementMode::Outside,
            pseudonymizer: None,
        };
        context.engine.store().snapshot(context.caller, |rows| {
            place_of(context.caller, rows, Right::Read, &account, |place| {
                if let Some(refusal) = budget::exceeded(place, is_event) {
                    return Err(refusal);
                }
                sender.candidates = candidates.map_err(|failure| refused(&failure))?;
                sender.replacement_mode = replacement_mode(&place.rows)?;
                if sender.candidates.iter().any(|who| sender.replacement_mode.applies(who)) {
                    sender.pseudonymizer = Some(Pseudonymizer::read(place)?);
                }
                Ok(())
            })
        })?;
        Ok(sender)
    }

    /// Starts with the first candidate again.
    pub fn reset_candidates(&mut self) {
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
        let (chat, count) = self.pseudonymize_if_required(&who, chat);
        let payload = payload(&chat);
        let replaced = self
            .pseudonymizer
            .as_ref()
            .map(|pseudonymizer| pseudonymizer.replacements(&payload))
            .unwrap_or_default();
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
    pub fn ask(
        &mut self,
        chat: &Chat,
        on_progress: &mut dyn FnMut(ChatProgress),
    ) -> Result<ModelReply, Refusal> {
        let mut first: Option<Failure> = None;
        while let Some(who) = self.candidates.get(self.at).cloned() {
            match self.ask_one(&who, chat, on_progress)? {
                Ok(asked) => return Ok(asked),
                Err((failure, has_text)) => {
                    let is_last = has_text || !failure.is_worth_a_fallback();
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

    fn pseudonymize_if_required(&mut self, who: &Who, chat: &Chat) -> (Chat, usize) {
        match &mut self.pseudonymizer {
            Some(pseudonymizer) if self.replacement_mode.applies(who) => {
                pseudonymizer.pseudonymize_chat(chat)
            }
            _ => (chat.clone(), 0),
        }
    }

    /// Sends the request to one candidate. Returns the answer, or a failure and whether text had arrived before it.
    fn ask_one(
        &mut self,
        who: &Who,
        chat: &Chat,
        on_progress: &mut dyn FnMut(ChatProgress),
    ) -> Result<Result<ModelReply, (Failure, bool)>, Refusal> {
        if !who.is_local && !who.may_leave {
            let message =
                format!("{} runs at {}, and nothing may leave this machine for it.", who.name, who.host);
            let remedy = "Allow it under Settings, Model providers, or use a model of this machine.";
            return Ok(Err((Failure::new(FailureKind::MustStay, message, remedy), false)));
        }
        let (masked, payload, entry) = loop {
            let (masked, replaced) = self.pseudonymize_if_required(who, chat);
            let payload = payload(&masked);
            if let Some(entry) = self.record(who, &payload, replaced)? {
                break (masked, payload, entry);
            }
        };
        on_progress(ChatProgress::Sent(entry.shown()));
        let mut pieces = TextChunks::default();
        let mut heard = String::new();
        let pseudonymizer = self.pseudonymizer.as_ref().filter(|_| self.replacement_mode.applies(who));
        let asked = self.context.models.ask(who, &masked, &mut |piece| {
            heard.push_str(piece);
            let piece = match pseudonymizer {
                Some(pseudonymizer) => pieces.add(pseudonymizer, piece),
                None => piece.to_owned(),
            };
            if !piece.is_empty() {
                on_progress(ChatProgress::Text(piece));
            }
            !self.context.cancel.is_cancelled()
        });
        if let Some(rest) =
            pseudonymizer.map(|pseudonymizer| pieces.rest(pseudonymizer)).filter(|rest| !rest.is_empty())
        {
            on_progress(ChatProgress::Text(rest));
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
                if let Some(pseudonymizer) = pseudonymizer {
                    asked.text = pseudonymizer.restore(&asked.text);
                    for call in &mut asked.calls {
                        call.arguments = pseudonymizer.restore_value(&call.arguments);
                    }
                }
                if self.context.cancel.is_cancelled() && !asked.is_whole {
                    return Err(Refusal::new("stopped", "the answer was stopped"));
                }
                Ok(asked)
            }
            Err(failure) => Err((failure, !heard.is_empty())),
        })
    }

    /// Stores the ledger entry and the new tokens of names before the request is sent. `None` if
    /// another question has assigned tokens in the meantime.
    fn record(&mut self, who: &Who, payload: &str, replaced: usize) -> Result<Option<Entry>, Refusal> {
        let system = Caller::system_for(self.attribution.tenant);
        let attribution = &self.attribution;
        let pseudonymizer = &mut self.pseudonymizer;
        self.context.engine.store().transaction(&system, |rows| {
            if let Some(pseudonymizer) = pseudonymizer
                && !pseudonymizer.store_tokens(rows)?
            {
                return Ok(None);
            }
            ledger::write(rows, attribution, who, payload, replaced).map(Some)
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
        let system = Caller::system_for(self.attribution.tenant);
        self.context.engine.store().transaction(&system, |rows| {
            if used.total() > 0 {
                usage::write(rows, &self.usage_entry(who), used)?;
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

    fn usage_entry<'l>(&'l self, who: &'l Who) -> usage::UsageEntry<'l> {
        usage::UsageEntry {
            account: self.attribution.account,
            conversation: self.attribution.conversation,
            message: self.attribution.message,
            source: self.attribution.source,
            provider: &who.id,
            model: &who.model,
        }
    }
}

impl ReplacementMode {
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

pub(super) fn replacement_mode(rows: &Transaction<'_>) -> Result<ReplacementMode, Refusal> {
    Ok(match tenant_attribute(rows, "assistant_replace_names")?.as_deref() {
        Some("always") => ReplacementMode::Always,
        Some("never") => ReplacementMode::Never,
        _ => ReplacementMode::Outside,
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
