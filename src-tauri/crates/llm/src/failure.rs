//! Failures of requests to models, classified by remedy.

use outgoing::Fault;
use serde::Serialize;
use std::time::Duration;
use store::StoreError;

/// Classes of failures, by remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// No provider is configured: [`Failure::missing`] names the settings.
    NotConfigured,
    /// A setting is invalid and must be corrected.
    Setting,
    /// Data would leave this machine, which is not allowed.
    MustStay,
    /// No connection: [`Failure::message`] states which step failed.
    Unreachable,
    /// Timeout.
    Slow,
    /// The key is rejected, or has no access to the model.
    Refused,
    /// Too many requests or tokens: [`Failure::retry_after`] is the time to wait, if the provider reports one.
    Limited,
    /// The provider has no such model, deployment or endpoint.
    ModelUnknown,
    /// The request exceeds the model's context length.
    TooLong,
    /// The provider rejects the request for another reason.
    Rejected,
    /// The provider reports an internal error.
    Broken,
    /// The answer ended early.
    CutOff,
    /// The response is not one of such a provider.
    Nonsense,
    /// The program that runs models on this machine is missing or does not start.
    Runner,
    /// An error of this program or its database.
    Ours,
}

/// A request without a complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub trouble: FailureKind,
    /// Complete sentences: what happened, with the provider's own message if there is one. Contains no secrets.
    pub message: String,
    /// How to solve the problem; empty if the message states it.
    pub remedy: String,
    /// The time to wait before the next request, as required by the provider.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
    /// Names of missing settings.
    pub missing: Vec<&'static str>,
}

impl Failure {
    pub fn new(trouble: FailureKind, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            trouble,
            message: message.into(),
            remedy: remedy.into(),
            retry_after: None,
            missing: Vec::new(),
        }
    }

    /// An invalid setting.
    pub(crate) fn setting(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Setting, message, "Correct it under Settings, Model providers.")
    }

    /// An invalid response.
    pub(crate) fn nonsense(who: &str, why: impl std::fmt::Display) -> Self {
        Self::new(
            FailureKind::Nonsense,
            format!("{who} answered with something that is no answer of such a provider ({why})."),
            "Look at its address: another program may be answering there.",
        )
    }

    /// An answer that ended early.
    pub(crate) fn cut_off(who: &str) -> Self {
        Self::new(FailureKind::CutOff, format!("The answer of {who} broke off before its end."), "Ask again.")
    }

    pub(crate) fn store(error: &StoreError) -> Self {
        tracing::error!("the settings of model providers cannot be read: {error}");
        Self::new(
            FailureKind::Ours,
            "The settings of model providers cannot be read.",
            "The service's log says why.",
        )
    }

    /// Whether another provider may succeed.
    pub fn is_worth_a_fallback(&self) -> bool {
        !matches!(self.trouble, FailureKind::TooLong | FailureKind::Ours)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let trouble = match fault.trouble {
            outgoing::FaultKind::Time => FailureKind::Slow,
            outgoing::FaultKind::Answer => FailureKind::CutOff,
            outgoing::FaultKind::Size => FailureKind::Nonsense,
            outgoing::FaultKind::Address => FailureKind::Setting,
            _ => FailureKind::Unreachable,
        };
        Self::new(trouble, fault.to_string(), "")
    }
}
