//! Relays a WebSocket of a page to an instance: adds the access token to the handshake, then copies bytes in both directions.
//!
//! The messages are not inspected here: masking and framing are between the page and the instance, which applies its own limits.

use crate::access::{Access, signed_out};
use crate::error::behind_a_gateway;
use crate::{Instance, RemoteError, Remotes, SECOND, blocking, hold};
use outgoing::header::{
    AUTHORIZATION, CONNECTION, HeaderMap, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use outgoing::{Method, Response, StatusCode, Upgraded};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Extensions are not offered, since they would have to be negotiated between the page and this service.
const OUT: [HeaderName; 3] = [SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, SEC_WEBSOCKET_PROTOCOL];
const BACK: [HeaderName; 2] = [SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_PROTOCOL];
/// The connection is ended this long before the token expires, µs: the instance would refuse it permanently, while a lost connection is reopened.
const EARLIER: i64 = 5 * SECOND;

/// A connection opened by an instance.
pub struct Socket {
    /// The headers that complete the handshake with the page.
    pub headers: HeaderMap,
    pub stream: Upgraded,
    /// How long it may be used.
    pub lasts: Duration,
}

/// Whether the path accepts WebSockets.
fn opens(path: &str) -> bool {
    matches!(path, "/api/graphql" | "/api/graphql/ws")
}

impl Remotes {
    /// Opens a WebSocket at an instance, for a page that sent those headers.
    pub async fn open_socket(
        self: &Arc<Self>,
        id: Uuid,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<Socket, RemoteError> {
        let this = Arc::clone(self);
        let instance = blocking(move || this.find(id)).await?;
        if !opens(path) {
            return Err(RemoteError::NotRelayed { path: path.to_owned() });
        }
        if let Some(error) = self.rests(&instance) {
            return Err(error);
        }
        match self.shake_hands(&instance, path, headers).await {
            Err(error) if error.is_away() => Err(self.note_away(&instance, error)),
            outcome => outcome,
        }
    }

    async fn shake_hands(
        self: &Arc<Self>,
        instance: &Instance,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<Socket, RemoteError> {
        let mut access = self.access(instance, None).await?;
        let mut answer = self.ask_for_socket(instance, path, headers, &access).await?;
        if answer.status() == StatusCode::UNAUTHORIZED {
            access = self.access(instance, Some(&access)).await?;
            answer = self.ask_for_socket(instance, path, headers, &access).await?;
        }
        if let Some(away) = behind_a_gateway(&answer) {
            return Err(away);
        }
        match answer.status() {
            StatusCode::SWITCHING_PROTOCOLS => {}
            StatusCode::UNAUTHORIZED => return Err(signed_out(instance)),
            status => {
                let found = format!("the status {status} to a request for a socket at {path}");
                return Err(RemoteError::Strange { host: instance.place()?.host().to_owned(), found });
            }
        }
        let kept =
            BACK.into_iter().filter_map(|name| Some((name.clone(), answer.headers().get(&name)?.clone())));
        let headers = kept.collect();
        let lasts = u64::try_from(access.lasts(self.now()) - EARLIER).unwrap_or_default();
        let host = instance.place()?.host().to_owned();
        let broken =
            |_| RemoteError::Strange { host, found: "it closes a socket while it opens it".to_owned() };
        let stream = answer.upgrade().await.map_err(broken)?;
        hold(&self.away).remove(&instance.id);
        Ok(Socket { headers, stream, lasts: Duration::from_micros(lasts) })
    }

    async fn ask_for_socket(
        &self,
        instance: &Instance,
        path: &str,
        headers: &HeaderMap,
        access: &Access,
    ) -> Result<Response, RemoteError> {
        let outgoing = self.outgoing(instance)?;
        let mut request = outgoing
            .request(Method::GET, &instance.at(path)?)?
            .header(CONNECTION, HeaderValue::from_static("upgrade"))
            .header(UPGRADE, HeaderValue::from_static("websocket"));
        for name in OUT {
            if let Some(value) = headers.get(&name) {
                request = request.header(name, value);
            }
        }
        let request = request.header(AUTHORIZATION, access.header(instance)?);
        Ok(outgoing.send(request).await?)
    }
}
