//! Errors of operations on remote instances.

use crate::address::AddressError;
use crate::vault::VaultError;
use outgoing::header::{CONTENT_TYPE, HeaderMap};
use outgoing::{Fault, FaultKind, NotCertificates, Response, StatusCode};
use store::StoreError;

/// The messages are for the user.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error("There is no such instance; it was removed")]
    Unknown,
    #[error("An instance needs a name of 1 to 60 letters")]
    Name,
    #[error("`colour`: expected one of {}", crate::COLOURS.join(", "))]
    Colour,
    #[error("{name} is known already, under the same address")]
    Known { name: String },
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(transparent)]
    Authorities(#[from] NotCertificates),
    /// The credentials of the proxy cannot be stored, or cannot be read back.
    #[error(
        "The name and password for the proxy cannot be used ({why}). Type the proxy with them again under Settings, Instances"
    )]
    Proxy { why: String },
    /// The instance is unreachable.
    #[error("{0}")]
    Away(Fault),
    /// The instance was unreachable a moment ago, and is not contacted yet.
    #[error("{name} did not answer a moment ago; it is asked again in a few seconds")]
    Resting { name: String },
    /// The host answers, but not as a Quarterdeck instance that admits desktops.
    #[error("{host} does not answer as expected: {found}")]
    Strange { host: String, found: String },
    /// The user is not signed in, or no longer.
    #[error("{message}")]
    SignedOut { message: String },
    #[error("{message}")]
    Refused { code: String, message: String },
    #[error("No sign-in is under way for this instance; begin one")]
    NotBegun,
    #[error("The address of this kind of request is not passed on: {path}")]
    NotRelayed { path: String },
    #[error("This is too large to be passed on: {limit} bytes at most")]
    TooLarge { limit: usize },
    #[error(
        "A port of this computer, where the browser brings the answer, cannot be opened; use a code instead"
    )]
    Port(#[source] std::io::Error),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error("the database of this computer could not be used")]
    Store(#[from] StoreError),
    #[error("this was interrupted")]
    Interrupted(#[source] tokio::task::JoinError),
}

impl RemoteError {
    /// Whether the instance is unreachable, so that a stored copy may be used.
    pub fn is_away(&self) -> bool {
        matches!(self, Self::Resting { .. })
            || matches!(
                self,
                Self::Away(fault) if !matches!(fault.trouble, FaultKind::Address | FaultKind::Inside | FaultKind::Certificate | FaultKind::Size)
            )
    }
}

/// The error if a gateway responds because the instance behind it is unreachable. The instance itself reports errors in JSON.
pub fn behind_a_gateway(answer: &Response) -> Option<RemoteError> {
    let status = answer.status();
    let is_gateways = matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    );
    (is_gateways && !is_json(answer.headers())).then(|| {
        let host = answer.url().host_str().unwrap_or_default();
        RemoteError::Away(Fault::gateway(host, status))
    })
}

/// Whether the Content-Type is JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

impl From<Fault> for RemoteError {
    fn from(fault: Fault) -> Self {
        Self::Away(fault)
    }
}
