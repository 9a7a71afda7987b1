//! Authenticates the sender of a request: the person behind its bearer token or session cookie.

use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::access::{Access, AccessHolder, SharedAccess};
use crate::guard::hosts::HostNames;
use crate::guard::session_cookie::{self, SessionSecret};
use crate::listen::peer::Peer;
use auth::session::LiveSession;
use auth::{Person, ProofError, SignInError};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use operations::model_setup::{NOT_YOURS, PlatformAdmin as SetupActor, is_platform_admin};
use std::sync::Arc;
use store::Store;

/// Header in which a browser states where a request comes from.
pub const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The credential of a request. It is checked again while a connection lasts.
#[derive(Debug, Clone)]
pub enum Proof {
    /// A bearer token.
    Bearer(String),
    /// The secret of a session cookie.
    Session(String),
}

impl Proof {
    /// The credential of a WebSocket handshake. A page of another site gets `None`, because browsers let any page open a socket.
    pub fn of_handshake(headers: &HeaderMap, peer: &Peer, access: &Access) -> Option<Self> {
        if let Some(value) = headers.get(AUTHORIZATION) {
            return value.to_str().ok().and_then(Self::of_authorization);
        }
        check_site(&access.hosts, &Method::POST, headers).ok()?;
        session_cookie::secret_of(access, headers, peer).map(Self::Session)
    }

    /// The credential in the value of an Authorization header.
    pub fn of_authorization(value: &str) -> Option<Self> {
        bearer_token(value).map(|token| Self::Bearer(token.to_owned()))
    }

    /// The person it authenticates now.
    pub async fn check(&self, access: &SharedAccess) -> Result<Person, Failure> {
        let (proof, access) = (self.clone(), Arc::clone(access));
        let person = blocking(move || proof.check_here(&access)).await?;
        Ok(Person::clone(&person))
    }

    /// As [`Self::check`], but blocks the thread.
    pub fn check_here(&self, access: &Access) -> Result<Arc<Person>, Failure> {
        match self {
            Self::Bearer(token) => {
                match access.known.bearer(&access.store, &access.signer, token, clock::now()) {
                    Ok(person) => Ok(person),
                    Err(ProofError::Bearer(error)) => Err(error.into()),
                    Err(ProofError::Person(SignInError::Store(error))) => Err(error.into()),
                    Err(ProofError::Person(_) | ProofError::Device) => Err(Failure::not_authenticated()),
                }
            }
            Self::Session(secret) => {
                let found =
                    access.sessions.find(secret, clock::now())?.ok_or_else(Failure::not_authenticated)?;
                if found.is_stale {
                    access.sessions.use_session(found.id);
                }
                access.known.remember(secret, &found.person);
                Ok(Arc::new(found.person))
            }
        }
    }

    /// The person it authenticated at the last check. This may be outdated; it only selects the queue of the request.
    pub fn guess(&self, access: &Access) -> Option<Arc<Person>> {
        let (Self::Bearer(secret) | Self::Session(secret)) = self;
        access.known.guess(secret)
    }
}

impl<S> FromRequestParts<S> for Proof
where
    S: AccessHolder,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        if let Some(value) = parts.headers.get(AUTHORIZATION) {
            let proof = value.to_str().ok().and_then(Self::of_authorization);
            return proof.ok_or_else(Failure::not_authenticated);
        }
        let Ok(SessionSecret(secret)) = SessionSecret::from_request_parts(parts, state).await;
        let secret = secret.ok_or_else(Failure::not_authenticated)?;
        check_site(&state.access().hosts, &parts.method, &parts.headers)?;
        Ok(Self::Session(secret))
    }
}

/// The signed-in sender of a request. As an argument of a handler, it makes the route refuse everybody else.
#[derive(Debug)]
pub struct SignedIn(pub Person);

impl<S> FromRequestParts<S> for SignedIn
where
    S: AccessHolder,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let proof = Proof::from_request_parts(parts, state).await?;
        proof.check(state.access()).await.map(Self)
    }
}

/// A person signed in with a browser, on a page of this service; neither a program with a token nor a desktop.
#[derive(Debug)]
pub struct Browser(pub Person);

impl<S> FromRequestParts<S> for Browser
where
    S: AccessHolder,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match Proof::from_request_parts(parts, state).await? {
            proof @ Proof::Session(_) => proof.check(state.access()).await.map(Self),
            Proof::Bearer(_) => Err(Failure::new(
                StatusCode::FORBIDDEN,
                "browser_only",
                "This is asked of a person in a browser; a program with a token cannot answer it",
            )),
        }
    }
}

/// An administrator of the home tenant. Only they may change settings of the whole service.
#[derive(Debug)]
pub struct PlatformAdmin(pub Person);

impl PlatformAdmin {
    /// The same person as the actor of changes to models and providers, as of now.
    pub fn setting_up(&self, store: &Store) -> SetupActor {
        SetupActor::person(store, &self.0, clock::now())
    }
}

impl<S> FromRequestParts<S> for PlatformAdmin
where
    S: AccessHolder,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let SignedIn(person) = SignedIn::from_request_parts(parts, state).await?;
        if is_platform_admin(state.access().home, person.tenant, &person.roles) {
            return Ok(Self(person));
        }
        Err(Failure::new(StatusCode::FORBIDDEN, "forbidden", NOT_YOURS))
    }
}

fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The session of a cookie's secret.
pub async fn find_session(access: &SharedAccess, secret: String) -> Result<Option<LiveSession>, Failure> {
    let access = Arc::clone(access);
    blocking(move || access.sessions.find(&secret, clock::now())).await
}

/// The value of a cookie.
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value.to_owned())
}

/// Refuses requests of other sites: browsers also send the cookie with requests of pages on other ports of this machine. A browser that does not
/// send `Sec-Fetch-Site` must at least name its origin when it changes something.
pub fn check_site(names: &HostNames, method: &Method, headers: &HeaderMap) -> Result<(), Failure> {
    let is_own = match headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes) {
        Some(site) => matches!(site, b"same-origin" | b"none"),
        None => method.is_safe() || names.are_origin_of(headers),
    };
    if is_own {
        return Ok(());
    }
    Err(Failure::new(
        StatusCode::FORBIDDEN,
        "foreign_site",
        "A session cookie counts only for requests of this service's own pages; programs use a bearer token",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::{HOST, ORIGIN};

    fn passes(method: &Method, headers: &[(HeaderName, &'static str)]) -> bool {
        let headers =
            headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        let names = HostNames::new("127.0.0.1:8790".parse().unwrap(), &[]);
        check_site(&names, method, &headers).is_ok()
    }

    #[test]
    fn a_cookie_counts_for_the_own_pages_only() {
        for (site, passing) in
            [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)]
        {
            assert_eq!(passes(&Method::GET, &[(SEC_FETCH_SITE, site)]), passing, "{site}");
            assert_eq!(passes(&Method::POST, &[(SEC_FETCH_SITE, site)]), passing, "{site}");
        }
    }

    #[test]
    fn a_browser_that_names_no_site_must_name_its_origin_to_change_something() {
        let own = [(HOST, "127.0.0.1:8790"), (ORIGIN, "http://127.0.0.1:8790")];
        assert!(passes(&Method::GET, &[]));
        assert!(!passes(&Method::POST, &[]));
        assert!(passes(&Method::POST, &own));
    }
}
