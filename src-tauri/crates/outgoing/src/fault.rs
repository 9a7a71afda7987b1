//! Errors of connections, classified by their remedy. They never contain URLs, which may contain secrets, only host names.

use crate::egress::AddressNotAllowed;
use reqwest::StatusCode;
use rustls::CertificateError;
use std::error::Error;

/// Kinds of error, by remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The address is unusable: correct it.
    Address,
    /// The address leads to this machine or a private network, but only the public network is allowed.
    Inside,
    /// The name does not resolve: check its spelling, or the network.
    Name,
    /// The certificate is not trusted: add its authority.
    Certificate,
    /// Nothing answers there: try later.
    Connection,
    /// The response is too slow: try later.
    Time,
    /// The response ended early or is invalid.
    Answer,
    /// The response is larger than expected.
    Size,
}

/// An error before a response arrived, or while it was read.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    pub trouble: FaultKind,
    text: String,
}

impl Fault {
    pub(crate) fn new(trouble: FaultKind, text: String) -> Self {
        Self { trouble, text }
    }

    pub(crate) fn inside(host: &str) -> Self {
        Self::new(
            FaultKind::Inside,
            format!(
                "{host} leads to this machine or a private network, which is reached only where an administrator of this instance allows it."
            ),
        )
    }

    /// The name does not resolve.
    pub(crate) fn no_such_name(host: &str) -> Self {
        Self::new(
            FaultKind::Name,
            format!(
                "No machine of the name {host} is known. Look at its spelling, and whether this machine has a network."
            ),
        )
    }

    /// No data has arrived for too long.
    pub fn silent(host: &str) -> Self {
        Self::new(
            FaultKind::Time,
            format!("{host} took too long to answer. Try again later, or look at the network and its proxy."),
        )
    }

    /// The proxy requires authentication.
    pub fn proxy_wants_a_name(host: &str) -> Self {
        Self::new(
            FaultKind::Address,
            format!(
                "The proxy on the way to {host} wants a name and a password, or others than it got. Type them into its address: http://name:password@host:port."
            ),
        )
    }

    /// A gateway in front of the service answers that the service is unreachable.
    pub fn gateway(host: &str, status: StatusCode) -> Self {
        Self::new(
            FaultKind::Connection,
            format!(
                "{host} answers that what it stands for is not to be reached (status {status}). Try again later."
            ),
        )
    }

    /// A failed connection.
    pub(crate) fn of_connection(place: &str, error: &std::io::Error) -> Self {
        Self::new(
            FaultKind::Connection,
            format!(
                "Nobody answers at {place} ({error}). Try again later, or look at the address and the network."
            ),
        )
    }

    /// A failed TLS handshake.
    pub(crate) fn of_handshake(host: &str, error: &std::io::Error) -> Self {
        match certificate_fault(error) {
            Some(why) => {
                Self::new(FaultKind::Certificate, format!("{host} could not prove who it is ({why})."))
            }
            None => Self::new(FaultKind::Answer, format!("{host} does not speak TLS there ({error}).")),
        }
    }

    /// Converts an error of the HTTP library.
    pub fn of(fault: &reqwest::Error, host: &str) -> Self {
        let causes = || causes_of(fault);
        if causes().any(<dyn Error>::is::<AddressNotAllowed>) {
            return Self::inside(host);
        }
        let certificate = causes().find_map(certificate_fault);
        let deepest = causes().last().map(ToString::to_string).unwrap_or_default();
        let (trouble, text) = if let Some(why) = certificate {
            (
                FaultKind::Certificate,
                format!(
                    "{host} could not prove who it is ({why}). Where it has an authority of its own, add that authority's certificate."
                ),
            )
        } else if fault.is_timeout() {
            return Self::silent(host);
        } else if deepest == "proxy authorization required" {
            return Self::proxy_wants_a_name(host);
        } else if deepest.contains("lookup")
            || deepest.contains("name or service not known")
            || deepest.contains("Name or service not known")
        {
            return Self::no_such_name(host);
        } else if fault.is_connect() {
            // The default port of a scheme is omitted. Another port may itself be the mistake.
            let port = fault.url().and_then(reqwest::Url::port);
            let place = port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
            (
                FaultKind::Connection,
                format!(
                    "Nobody answers at {place} ({deepest}). Try again later, or look at the address and the network."
                ),
            )
        } else {
            (FaultKind::Answer, format!("The answer of {host} broke off or cannot be read ({deepest})."))
        };
        Self::new(trouble, text)
    }
}

fn causes_of<'a>(fault: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = fault.source();
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

/// The fault of the certificate, if that is the cause. An `io::Error` reveals its inner error only through `get_ref`, and may contain another
/// `io::Error`.
fn certificate_fault(cause: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = cause;
    while let Some(carried) = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        cause = carried;
    }
    match cause.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(why) => Some(in_words(why)),
        _ => None,
    }
}

fn in_words(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => {
            "its certificate is of an authority that is not known here".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate does not count yet; look at the clock of this machine".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        why => why.to_string(),
    }
}
