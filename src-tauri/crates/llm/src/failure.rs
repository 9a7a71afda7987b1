//! Why a model did not answer, told apart by what can be done about it.

use outgoing::Fault;
use serde::Serialize;
use std::time::Duration;
use store::StoreError;

/// Kinds of trouble, by their remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// Nobody is set up for that: [`Failure::missing`] names the settings.
    NotConfigured,
    /// A setting cannot be used: correct it.
    Setting,
    /// Its data would leave this machine, which nobody allowed.
    MustStay,
    /// Nobody answers there: [`Failure::message`] says how far the request came.
    Unreachable,
    /// It answers too slowly.
    Slow,
    /// The key is refused, or has no right to that model.
    Refused,
    /// Too many requests or tokens: [`Failure::retry_after`] says how long to wait, where the provider does.
    Limited,
    /// No such model (or deployment, or endpoint) there.
    ModelUnknown,
    /// The request is longer than the model reads.
    TooLong,
    /// The provider refuses the request for another reason.
    Rejected,
    /// The provider says that it is broken.
    Broken,
    /// The answer ended before its end.
    CutOff,
    /// What came is no answer of such a provider.
    Nonsense,
    /// The program that runs a model on this machine is missing or does not start.
    Runner,
    /// A fault of ours or of our database.
    Ours,
}

/// A request that was not answered, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub trouble: Trouble,
    /// Whole sentences: what happened, with the provider's own words where it has any. Without secrets.
    pub message: String,
    /// What a person can do about it; empty when the message says it.
    pub remedy: String,
    /// How long the provider wants to be left alone.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
    /// Names of the settings that are missing.
    pub missing: Vec<&'static str>,
}

impl Failure {
    pub fn new(trouble: Trouble, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            trouble,
            message: message.into(),
            remedy: remedy.into(),
            retry_after: None,
            missing: Vec::new(),
        }
    }

    /// A setting that cannot be used.
    pub(crate) fn setting(message: impl Into<String>) -> Self {
        Self::new(Trouble::Setting, message, "Correct it under Settings, Model providers.")
    }

    /// An answer that is none.
    pub(crate) fn nonsense(who: &str, why: impl std::fmt::Display) -> Self {
        Self::new(
            Trouble::Nonsense,
            format!("{who} answered with something that is no answer of such a provider ({why})."),
            "Look at its address: another program may be answering there.",
        )
    }

    /// An answer that ended before its end.
    pub(crate) fn cut_off(who: &str) -> Self {
        Self::new(Trouble::CutOff, format!("The answer of {who} broke off before its end."), "Ask again.")
    }

    pub(crate) fn store(error: &StoreError) -> Self {
        tracing::error!("the settings of model providers cannot be read: {error}");
        Self::new(
            Trouble::Ours,
            "The settings of model providers cannot be read.",
            "The service's log says why.",
        )
    }

    /// Whether another provider may do better.
    pub fn is_worth_a_fallback(&self) -> bool {
        !matches!(self.trouble, Trouble::TooLong | Trouble::Ours)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let trouble = match fault.trouble {
            outgoing::Trouble::Time => Trouble::Slow,
            outgoing::Trouble::Answer => Trouble::CutOff,
            outgoing::Trouble::Size => Trouble::Nonsense,
            outgoing::Trouble::Address => Trouble::Setting,
            _ => Trouble::Unreachable,
        };
        Self::new(trouble, fault.to_string(), "")
    }
}
