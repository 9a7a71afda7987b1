//! Protects the service from requests of foreign web pages.
//!
//! Any page can make a browser send requests to 127.0.0.1. Three things are checked: the host name the request is addressed to (DNS rebinding), the
//! page it came from, and, in `caller`, that a cookie is not used from another site.

use crate::error::Failure;
use crate::guard::access::SharedAccess;
use crate::guard::caller::SEC_FETCH_SITE;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

/// Allows only this service as a source; `data:` is for small pictures in style sheets.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
];

/// The names of this computer on its loopback interface.
const LOOPBACK_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The default port of HTTP. Browsers omit it in `Host` and `Origin`.
const HTTP_PORT: u16 = 80;

/// The host names this service answers to.
#[derive(Debug)]
pub struct HostNames {
    /// `None`: any name, because it listens for other machines and no names were configured.
    known: Option<Vec<String>>,
}

impl HostNames {
    /// For a loopback address: the loopback names and `further`. Otherwise `further`, or any name if that is empty.
    pub fn new(address: SocketAddr, further: &[String]) -> Self {
        let mut known = further.to_vec();
        if address.ip().is_loopback() {
            let port = address.port();
            known.extend(LOOPBACK_NAMES.map(|name| format!("{name}:{port}")));
            if port == HTTP_PORT {
                known.extend(LOOPBACK_NAMES.map(str::to_owned));
            }
        }
        Self { known: (!known.is_empty()).then_some(known) }
    }

    /// Whether requests addressed to that host are answered.
    pub fn answer_to(&self, host: &str) -> bool {
        self.include(host)
    }

    fn include(&self, host: &str) -> bool {
        let Some(known) = &self.known else { return true };
        let host = host.to_lowercase();
        let without_port = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        known.iter().any(|name| *name == host || (!name.contains(':') && name == without_port))
    }

    /// Whether the `Origin` of the request is this service: the host it is addressed to or, behind a proxy that changes the host, one of the names.
    pub fn are_origin_of(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let Some(origin) = text(ORIGIN) else { return false };
        let Some(origin) = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) else {
            return false;
        };
        let is_addressed = text(HOST).is_some_and(|host| host.eq_ignore_ascii_case(origin));
        is_addressed || (self.known.is_some() && self.include(origin))
    }
}

/// Paths that are exempt from some of the checks. The list of routes defines them.
pub struct Exempt {
    /// Pages of another site may post to them: the posted data is signed.
    pub from_any_site: Vec<&'static str>,
    /// Load balancers and Kubernetes address them by a machine's IP address. Their response is a single word for anyone.
    pub probes: Vec<&'static str>,
}

/// State of the checks.
#[derive(Clone)]
pub struct Checks {
    pub access: SharedAccess,
    pub exempt: Arc<Exempt>,
}

/// Refuses requests addressed to another host or sent from another site, and adds the security headers.
pub async fn check(
    State(Checks { access, exempt }): State<Checks>,
    request: Request,
    next: Next,
) -> Response {
    let from_anywhere = exempt.from_any_site.contains(&request.uri().path());
    let is_probe = exempt.probes.contains(&request.uri().path());
    let checked = if is_probe { Ok(()) } else { examine(&access.hosts, request.headers(), from_anywhere) };
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn examine(names: &HostNames, headers: &HeaderMap, from_anywhere: bool) -> Result<(), Failure> {
    // With two values, a proxy in front of this service may use the other one.
    for name in [HOST, ORIGIN, SEC_FETCH_SITE] {
        if headers.get_all(&name).iter().nth(1).is_some() {
            let words =
                format!("The header {name} stands in this request more than once; it may be sent once");
            return Err(Failure::bad_request(words));
        }
    }
    check_encoding(headers)?;
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !names.include(host) {
        return Err(Failure::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            format!(
                "This service does not answer for the host {host:?}; the setting `hosts` names further ones"
            ),
        ));
    }
    if !from_anywhere && headers.contains_key(ORIGIN) && !names.are_origin_of(headers) {
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "foreign_origin",
            "This request was made by a page of another site",
        ));
    }
    Ok(())
}

/// Refuses compressed bodies: bodies are not decompressed, and a compressed one could be many times as large.
fn check_encoding(headers: &HeaderMap) -> Result<(), Failure> {
    let is_plain = |value: &HeaderValue| {
        value
            .to_str()
            .is_ok_and(|value| matches!(value.trim().to_ascii_lowercase().as_str(), "" | "identity"))
    };
    if headers.get_all(CONTENT_ENCODING).iter().all(is_plain) {
        return Ok(());
    }
    Err(Failure::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "packed_body",
        "The body of this request is compressed (Content-Encoding), which is not supported: send it as it is. A compressed file is \
         uploaded as a file, without that header",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_decides_may_stand_there_once() {
        let host = (HOST, "127.0.0.1:8790");
        let (own, foreign) = ((ORIGIN, "http://127.0.0.1:8790"), (ORIGIN, "https://evil.example.com"));
        for headers in [
            vec![host.clone(), (HOST, "evil.example.com")],
            vec![host.clone(), host.clone()],
            vec![host.clone(), own.clone(), foreign],
            vec![host.clone(), (SEC_FETCH_SITE, "same-origin"), (SEC_FETCH_SITE, "cross-site")],
        ] {
            assert_eq!(answer("127.0.0.1:8790", &[], &headers), 400, "{headers:?}");
        }
        assert_eq!(answer("127.0.0.1:8790", &[], &[host, own, (SEC_FETCH_SITE, "same-origin")]), 200);
    }

    #[test]
    fn a_compressed_body_is_refused() {
        for (encoding, status) in [("identity", 200), ("gzip", 415), ("br", 415), ("x, identity", 415)] {
            let headers = [(HOST, "127.0.0.1:8790"), (CONTENT_ENCODING, encoding)];
            assert_eq!(answer("127.0.0.1:8790", &[], &headers), status, "{encoding}");
        }
    }

    fn answer(listen: &str, further: &[&str], headers: &[(HeaderName, &str)]) -> u16 {
        let further: Vec<String> = further.iter().map(|name| (*name).to_owned()).collect();
        let names = HostNames::new(listen.parse().unwrap(), &further);
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()))
            .collect();
        examine(&names, &headers, false)
            .map_or_else(|failure| failure.into_response().status().as_u16(), |()| 200)
    }

    #[test]
    fn on_the_default_port_names_come_without_a_port() {
        for (host, status) in [
            ("127.0.0.1", 200),
            ("localhost", 200),
            ("[::1]", 200),
            ("localhost:80", 200),
            ("evil.example.com", 421),
            ("evil.example.com:80", 421),
        ] {
            assert_eq!(answer("127.0.0.1:80", &[], &[(HOST, host)]), status, "{host}");
        }
        assert_eq!(answer("127.0.0.1:8790", &[], &[(HOST, "localhost")]), 421, "another port");
    }

    #[test]
    fn on_loopback_only_the_own_names_are_answered() {
        for (host, status) in [
            ("127.0.0.1:8790", 200),
            ("localhost:8790", 200),
            ("LOCALHOST:8790", 200),
            ("[::1]:8790", 200),
            ("localhost:5173", 421),
            ("localhost", 421),
            ("evil.example.com:8790", 421),
            ("", 421),
        ] {
            assert_eq!(answer("127.0.0.1:8790", &[], &[(HOST, host)]), status, "{host}");
        }
    }

    #[test]
    fn further_names_come_from_the_settings() {
        assert_eq!(answer("127.0.0.1:8790", &["localhost:5173"], &[(HOST, "localhost:5173")]), 200);
        assert_eq!(answer("0.0.0.0:80", &["cost.example.com"], &[(HOST, "cost.example.com:8443")]), 200);
        assert_eq!(answer("0.0.0.0:80", &["cost.example.com"], &[(HOST, "other.example.com")]), 421);
        assert_eq!(answer("0.0.0.0:80", &[], &[(HOST, "anything")]), 200);
    }

    #[test]
    fn a_page_of_another_site_is_refused_even_on_the_same_machine() {
        for (origin, status) in [
            ("http://127.0.0.1:8790", 200),
            ("http://127.0.0.1:3000", 403),
            ("https://evil.example.com", 403),
            ("null", 403),
        ] {
            let headers = [(HOST, "127.0.0.1:8790"), (ORIGIN, origin)];
            assert_eq!(answer("127.0.0.1:8790", &[], &headers), status, "{origin}");
        }
    }
}
