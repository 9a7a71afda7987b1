//! The session cookie: its content, and the connections it is accepted on.
//!
//! Browsers store cookies by host and not by port (RFC 6265, 8.5). A server that another user of this computer runs on some other port is therefore
//! sent this cookie, too, and so is a program that takes our port after this service has ended. Therefore, if only this computer reaches the
//! service, the cookie contains the operating-system user it was issued to, signed by the service, and is accepted only on connections of that
//! user.

use crate::guard::access::{Access, AccessHolder};
use crate::guard::caller::cookie;
use crate::listen::peer::{self, Peer};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use std::convert::Infallible;

/// Separator between the session secret and the user; occurs in neither.
const TO: char = '@';

/// The secret in a request's session cookie, if this service signed it and it is accepted on this connection.
#[derive(Debug)]
pub struct SessionSecret(pub Option<String>);

impl<S> FromRequestParts<S> for SessionSecret
where
    S: AccessHolder,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer);
        Ok(Self(read(state.access(), &parts.headers, peer)))
    }
}

/// The secret in the session cookie of a request from `peer`.
pub fn secret_of(access: &Access, headers: &HeaderMap, peer: &Peer) -> Option<String> {
    read(access, headers, Some(peer))
}

fn read(access: &Access, headers: &HeaderMap, peer: Option<&Peer>) -> Option<String> {
    let sealed = cookie(headers, &access.cookie_name())?;
    let text = access.signer.open(&sealed)?;
    match text.split_once(TO) {
        None => Some(text.to_owned()),
        Some((secret, user)) => {
            let user: u32 = user.parse().ok()?;
            (peer?.user() == Some(user)).then(|| secret.to_owned())
        }
    }
}

/// The recipient of a cookie.
#[derive(Debug, Clone, Copy)]
pub enum To<'a> {
    /// The peer of the connection.
    Peer(&'a Peer),
    /// The window around this service. Its user is the user of this process; determining it from its connection is slow.
    Window,
}

/// The cookie for the session of that secret, valid for `seconds`.
pub fn give(access: &Access, headers: &HeaderMap, to: To<'_>, secret: &str, seconds: u64) -> String {
    let user = match to {
        // Behind a proxy, the peer is always the proxy.
        _ if !access.is_for_this_computer => None,
        To::Peer(peer) => peer.user(),
        To::Window => peer::own_user(),
    };
    let text = user.map_or_else(|| secret.to_owned(), |user| format!("{secret}{TO}{user}"));
    named(&access.cookie_name(), headers, &access.signer.seal(&text), seconds)
}

/// A cookie that makes the browser delete its session cookie.
pub fn take_back(access: &Access, headers: &HeaderMap) -> String {
    named(&access.cookie_name(), headers, "", 0)
}

/// A cookie for this service alone.
///
/// It is sent when a page elsewhere links here (`SameSite=Lax`), so that a user who returns from an identity provider is signed in. Requests that
/// change something are checked further (`caller::check_site`).
pub fn named(name: &str, headers: &HeaderMap, value: &str, seconds: u64) -> String {
    // Behind a proxy that terminates TLS, only the page or the proxy knows the scheme.
    let is_https = headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"))
        || headers.get("x-forwarded-proto").map(HeaderValue::as_bytes) == Some(b"https");
    let secure = if is_https { "; Secure" } else { "" };
    format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}")
}
