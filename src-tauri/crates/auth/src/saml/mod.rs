//! SAML 2.0 sign-in as a service provider: settings, requests, checks of responses, health.
//!
//! Start at [`check::examine`] (which responses are accepted, with the cause of a refusal) and [`exchange`] (state during a sign-in). A response
//! alone does not sign anybody in: the outcome must be fetched by the browser that started the sign-in.

pub mod assertion;
pub mod attributes;
mod cause;
pub mod certificate;
pub mod check;
pub mod document;
pub mod exchange;
pub mod idp_metadata;
#[cfg(test)]
pub mod kit;
pub mod license;
pub mod linked;
pub mod lock_out;
pub mod mapping;
pub mod provision;
mod reports;
pub mod request_signer;
pub mod roles;
pub mod settings;
mod signature;
mod structure;
#[cfg(test)]
mod tests;

pub use crate::time;
pub use cause::{Cause, Rejection};
pub use check::VerifiedResponse;
pub use reports::{health, refusals, report, trial};
pub use request_signer::RequestSigner;
pub use settings::Settings;
pub use signature::warm_up;

use crate::{AccountError, SignInError};
use store::StoreError;

/// Why a step of a sign-in failed.
#[derive(Debug, thiserror::Error)]
pub enum SamlError {
    #[error("{}", .0.cause.message())]
    Refused(Box<Rejection>),
    #[error("the database could not be asked")]
    Store(#[from] StoreError),
}

impl From<Rejection> for SamlError {
    fn from(refused: Rejection) -> Self {
        Self::Refused(Box::new(refused))
    }
}

impl SamlError {
    fn sign_in(error: SignInError) -> Self {
        match error {
            SignInError::Store(error) => Self::Store(error),
            _ => Rejection::new(Cause::Suspended).into(),
        }
    }

    pub(crate) fn account(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => Self::Store(error),
            other => Rejection::new(Cause::NotConfigured).received(other.to_string()).into(),
        }
    }
}
