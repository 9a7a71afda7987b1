//! Fetches a provider's metadata by URL, once, when an administrator requests it.
//!
//! An administrator who enters a URL makes this machine connect to it. Therefore it may only be on the public network, unless the operator of the
//! service allows more; every redirect is checked like the first URL; and size and time are limited.

use crate::error::Failure;
use axum::http::StatusCode;
use outgoing::{Fault, FaultKind, Method, Outgoing, OutgoingSettings, header};
use std::time::Duration;
use url::Url;

/// Maximum size of metadata, bytes. That of one provider has 5 to 100 kB.
const LONGEST: usize = auth::saml::idp_metadata::MAX_BYTES;
/// Maximum number of redirects.
const REDIRECTS: usize = 3;
/// Timeout of the whole fetch.
const PATIENCE: Duration = Duration::from_secs(15);

/// The fetched text.
#[derive(Debug)]
pub(super) struct FetchedText {
    pub text: String,
    /// Whether every request of the fetch was encrypted.
    pub is_private: bool,
}

/// Parameters of a fetch.
pub(super) struct Fetching {
    pub way: OutgoingSettings,
    /// Whether an administrator has agreed to a URL without encryption.
    pub is_plain_allowed: bool,
    pub patience: Duration,
}

impl Fetching {
    /// The parameters from the settings and the administrator's choice.
    pub fn new(way: &OutgoingSettings, is_plain_allowed: bool) -> Self {
        Self { way: way.clone(), is_plain_allowed, patience: PATIENCE }
    }

    /// The text at that URL.
    pub async fn fetch(&self, address: &str) -> Result<FetchedText, Failure> {
        let address = Url::parse(address.trim()).map_err(|error| {
            Failure::bad_request(format!(
                "Expected an address like https://sso.example.com/metadata, got {address:?}: {error}"
            ))
        })?;
        match tokio::time::timeout(self.patience, self.follow(address.clone())).await {
            Ok(ended) => ended,
            Err(_) => Err(unreachable(format!(
                "{} did not hand out its metadata within {} s. Download the file with a browser and choose it here.",
                host(&address),
                self.patience.as_secs_f32()
            ))),
        }
    }

    async fn follow(&self, mut address: Url) -> Result<FetchedText, Failure> {
        let way = self.way.open().map_err(failure)?;
        let mut is_private = true;
        for _ in 0..=REDIRECTS {
            is_private &= address.scheme() == "https";
            self.judge(&address)?;
            match step(&way, &address).await? {
                Step::Text(text) => return Ok(FetchedText { text, is_private }),
                Step::Elsewhere(next) => address = next,
            }
        }
        Err(unreachable(format!(
            "The address leads on and on: {REDIRECTS} redirects were followed, the last to {}. Enter the address where the metadata is.",
            host(&address)
        )))
    }

    fn judge(&self, address: &Url) -> Result<(), Failure> {
        if address.scheme() == "http" && !self.is_plain_allowed {
            let words = format!(
                "The way to {} is not encrypted: somebody on it could hand out a certificate of their own and sign in as anybody. Use an \
                 address with https, or fetch it anyway and compare the certificate's fingerprint with the provider's.",
                host(address)
            );
            return Err(Failure::new(StatusCode::CONFLICT, "plain_http", words));
        }
        Ok(())
    }
}

enum Step {
    Text(String),
    Elsewhere(Url),
}

async fn step(way: &Outgoing, address: &Url) -> Result<Step, Failure> {
    let request = way.request(Method::GET, address).map_err(failure)?;
    let request = request.header(header::ACCEPT, "application/samlmetadata+xml, application/xml, text/xml");
    let answer = way.send(request).await.map_err(failure)?;
    let status = answer.status();
    if matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        let next = answer.headers().get(header::LOCATION).and_then(|next| next.to_str().ok());
        let next = next.and_then(|next| address.join(next).ok());
        return next.map(Step::Elsewhere).ok_or_else(|| {
            unreachable(format!("{} leads on without saying where (status {status}).", host(address)))
        });
    }
    if !status.is_success() {
        return Err(unreachable(format!(
            "{} answered {status} instead of metadata. Look at the address, and whether it can be opened without signing in.",
            host(address)
        )));
    }
    let bytes = outgoing::read(answer, LONGEST).await.map_err(failure)?;
    String::from_utf8(bytes).map(Step::Text).map_err(|_| {
        let words = format!("{} answered something that is no text in UTF-8, so no metadata.", host(address));
        Failure::new(StatusCode::BAD_REQUEST, "bad_metadata", words)
    })
}

fn host(address: &Url) -> &str {
    address.host_str().unwrap_or("the address")
}

fn unreachable(words: String) -> Failure {
    Failure::new(StatusCode::BAD_REQUEST, "unreachable", words)
}

#[allow(clippy::needless_pass_by_value)] // as required by `map_err`
fn failure(fault: Fault) -> Failure {
    match fault.trouble {
        FaultKind::Inside => Failure::new(
            StatusCode::FORBIDDEN,
            "internal_address",
            format!(
                "{fault} Download the file with a browser and choose it here, or let whoever runs this service set \
                 SAML_METADATA_ALLOW_PRIVATE to true."
            ),
        ),
        FaultKind::Address => Failure::bad_request(fault.to_string()),
        FaultKind::Certificate => {
            unreachable(format!("{fault} Whoever runs this service sets SAML_METADATA_CA to it."))
        }
        _ => unreachable(fault.to_string()),
    }
}

#[cfg(test)]
mod tests;
