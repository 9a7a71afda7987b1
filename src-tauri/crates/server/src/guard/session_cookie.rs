//! The session cookie: what stands in it, and on which connections it counts.
//!
//! Browsers keep cookies by host and not by port (RFC 6265, 8.5): whatever another user of this computer serves on some port of it is sent this
//! cookie, too, and so is whoever takes our port when we have gone. So where only this computer reaches the service, the cookie says which user
//! of the system it was given to, under our seal, and counts on connections of that user alone.

use crate::guard::access::{Access, AccessHolder};
use crate::guard::caller::cookie;
use crate::listen::peer::{self, Peer};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use std::convert::Infallible;

/// Between the secret of a session and the user of the system: in neither.
const TO: char = '@';

/// The secret in a request's session cookie, if this service sealed it and it counts on this connection.
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

/// The same, of a connection that is known.
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

/// To whom a cookie is given.
#[derive(Debug, Clone, Copy)]
pub enum To<'a> {
    /// Whoever is at the other end.
    Peer(&'a Peer),
    /// The window around this service. Its user is this process's, and finding that out by its connection takes long.
    Window,
}

/// A cookie that holds the session of that secret, for so many seconds.
pub fn give(access: &Access, headers: &HeaderMap, to: To<'_>, secret: &str, seconds: u64) -> String {
    let user = match to {
        // Behind a proxy everybody is the proxy.
        _ if !access.is_for_this_computer => None,
        To::Peer(peer) => peer.user(),
        To::Window => peer::own_user(),
    };
    let text = user.map_or_else(|| secret.to_owned(), |user| format!("{secret}{TO}{user}"));
    named(&access.cookie_name(), headers, &access.signer.seal(&text), seconds)
}

/// What has a browser forget its session cookie.
pub fn take_back(access: &Access, headers: &HeaderMap) -> String {
    named(&access.cookie_name(), headers, "", 0)
}

/// A cookie for this service alone.
///
/// It comes along when a page elsewhere leads here, so that whoever was sent back by an identity provider is signed in;
/// what changes anything asks for more (`caller::check_site`).
pub fn named(name: &str, headers: &HeaderMap, value: &str, seconds: u64) -> String {
    // Behind a proxy that speaks TLS, only the page or the proxy knows.
    let is_https = headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"))
        || headers.get("x-forwarded-proto").map(HeaderValue::as_bytes) == Some(b"https");
    let secure = if is_https { "; Secure" } else { "" };
    format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}")
}
