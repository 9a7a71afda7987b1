//! Gzip compression of API responses for clients on other computers.
//!
//! Assets are compressed when the pages are built ([`crate::listen::pages`]). Not compressed are: responses to this computer, where compression
//! costs more than the bytes it saves; routes of sign-in, of the window and of remote instances, whose responses may contain secrets; event
//! streams, of which each event must be sent at once; and downloads that are compressed already.

use crate::listen::peer::Peer;
use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HOST, VARY,
};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream::{self, StreamExt};
use std::io::Write;
use std::sync::Arc;

/// Minimum size of a response to be compressed, bytes. Shorter ones fit into one or two packets.
const WORTH_IT: u64 = 1024;
/// Bytes compressed before the task yields to other responses.
const PIECE: usize = 64 * 1024;
/// gzip level: saves nearly as much as the best level in a fifth of the time.
const LEVEL: u32 = 4;
const PACKED: [&str; 5] =
    ["application/json", "application/graphql-response+json", "application/xml", "text/csv", "text/plain"];

/// Compresses the response if the client accepts gzip and compression is worthwhile. Responses below the paths in `secret` are not compressed: they
/// may contain a secret beside data that another page can influence.
pub async fn compress(State(secret): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let may_be = path.starts_with("/api/") && !secret.iter().any(|secret| path.starts_with(secret.as_str()));
    let is_wanted = may_be
        && request.method() != Method::HEAD
        && accepts(request.headers(), "gzip")
        && !is_near(request.headers(), request.extensions());
    let mut response = next.run(request).await;
    if may_be && is_of_packed_type(&response) {
        response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
        if is_wanted && is_worth_it(&response) {
            return gzip(response);
        }
    }
    response
}

/// Whether the client is on this computer and addressed the service by a loopback name. A proxy on this computer, which uses another name, may
/// forward responses to other computers.
pub fn is_near(headers: &HeaderMap, extensions: &Extensions) -> bool {
    let is_loopback = extensions
        .get::<ConnectInfo<Peer>>()
        .is_some_and(|ConnectInfo(peer)| peer.address.ip().to_canonical().is_loopback());
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    is_loopback && ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

/// Whether the request accepts this content coding (RFC 9110, 12.5.3).
pub fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let named = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut any = false;
    for entry in named.flat_map(|value| value.split(',')) {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let is_refused = parts.filter_map(|part| part.split_once('=')).any(|(key, value)| {
            key.trim() == "q" && value.trim().parse().is_ok_and(|weight: f32| weight <= 0.0)
        });
        if name.eq_ignore_ascii_case(coding) {
            return !is_refused;
        }
        any |= name == "*" && !is_refused;
    }
    any
}

fn is_of_packed_type(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    PACKED.iter().any(|packed| kind.eq_ignore_ascii_case(packed))
}

fn is_worth_it(response: &Response) -> bool {
    let head = response.headers();
    let is_whole = response.status().is_success() && !head.contains_key(CONTENT_RANGE);
    let length = response.body().size_hint().exact();
    is_whole && !head.contains_key(CONTENT_ENCODING) && length.is_none_or(|length| length >= WORTH_IT)
}

fn gzip(response: Response) -> Response {
    let mut response = response.map(|body| {
        let packing = Packing {
            source: body.into_data_stream(),
            waiting: Bytes::new(),
            encoder: Some(GzEncoder::new(Vec::new(), Compression::new(LEVEL))),
        };
        Body::from_stream(stream::try_unfold(packing, Packing::step))
    });
    let head = response.headers_mut();
    head.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    for name in [CONTENT_LENGTH, ACCEPT_RANGES] {
        head.remove(name);
    }
    response
}

/// A body that is compressed while it is sent.
struct Packing {
    source: BodyDataStream,
    /// Received, but not compressed yet.
    waiting: Bytes,
    /// `None` after the end was written.
    encoder: Option<GzEncoder<Vec<u8>>>,
}

impl Packing {
    /// The next compressed bytes; `None` at the end.
    async fn step(mut self) -> Result<Option<(Bytes, Self)>, axum::Error> {
        loop {
            if self.waiting.is_empty() {
                let Some(piece) = self.source.next().await else {
                    let Some(encoder) = self.encoder.take() else { return Ok(None) };
                    let last = encoder.finish().map_err(axum::Error::new)?;
                    return Ok(Some((last.into(), self)));
                };
                self.waiting = piece?;
            }
            let Some(encoder) = &mut self.encoder else { return Ok(None) };
            let piece = self.waiting.split_to(self.waiting.len().min(PIECE));
            encoder.write_all(&piece).map_err(axum::Error::new)?;
            if self.waiting.is_empty() {
                // The next part may arrive much later: flush what is here.
                encoder.flush().map_err(axum::Error::new)?;
            }
            let packed = std::mem::take(encoder.get_mut());
            if !packed.is_empty() {
                return Ok(Some((packed.into(), self)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{accepts, compress};
    use axum::body::{Body, Bytes, to_bytes};
    use axum::extract::{ConnectInfo, Request};
    use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, VARY};
    use axum::http::{HeaderMap, HeaderValue};
    use axum::middleware::from_fn_with_state;
    use axum::response::{IntoResponse, Response};
    use axum::routing::get;
    use axum::{Router, http::header};
    use flate2::read::GzDecoder;
    use futures_util::stream;
    use std::convert::Infallible;
    use std::io::Read;
    use std::sync::Arc;
    use tower::ServiceExt;

    const LONG: usize = 200_000;

    fn long() -> String {
        format!("{{\"data\":\"{}\"}}", "resource ".repeat(LONG / 9))
    }

    fn of_type(kind: &'static str, body: impl Into<Body>) -> Response {
        ([(CONTENT_TYPE, kind)], body.into()).into_response()
    }

    fn router() -> Router {
        let pieces = || {
            let halves = long().into_bytes();
            let (first, second) = halves.split_at(70_000);
            let pieces = [first, second].map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
            of_type("application/json", Body::from_stream(stream::iter(pieces)))
        };
        Router::new()
            .route("/api/graphql", get(|| async { of_type("application/json", long()) }))
            .route("/api/pieces", get(move || async move { pieces() }))
            .route("/api/short", get(|| async { of_type("application/json", "{}") }))
            .route("/api/changes", get(|| async { of_type("text/event-stream", long()) }))
            .route("/api/backups/a", get(|| async { of_type("application/octet-stream", long()) }))
            .route("/api/auth/token", get(|| async { of_type("application/json", long()) }))
            .route("/instances/a/api/graphql", get(|| async { of_type("application/json", long()) }))
            .route(
                "/api/packed",
                get(|| async {
                    let head = [(CONTENT_TYPE, "application/json"), (CONTENT_ENCODING, "br")];
                    (head, long()).into_response()
                }),
            )
            .layer(from_fn_with_state(Arc::<[String]>::from(["/api/auth".to_owned()]), compress))
    }

    /// Content coding and body of the response.
    async fn ask(path: &str, accept: &str) -> (Option<String>, String) {
        let request = Request::get(path).header(HOST, "console.example.com").header(ACCEPT_ENCODING, accept);
        let answer = router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let coding = answer.headers().get(CONTENT_ENCODING).map(|coding| coding.to_str().unwrap().to_owned());
        assert!(answer.headers().get(header::CONTENT_LENGTH).is_none() || coding.as_deref() != Some("gzip"));
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        if coding.as_deref() != Some("gzip") {
            return (coding, String::from_utf8(body.to_vec()).unwrap());
        }
        assert!(body.len() < LONG / 20, "{}", body.len());
        let mut text = String::new();
        GzDecoder::new(&body[..]).read_to_string(&mut text).unwrap();
        (coding, text)
    }

    #[tokio::test]
    async fn long_answers_are_packed_for_who_takes_that() {
        for path in ["/api/graphql", "/api/pieces"] {
            assert_eq!(ask(path, "br, gzip").await, (Some("gzip".to_owned()), long()), "{path}");
            assert_eq!(ask(path, "br").await, (None, long()), "{path}");
        }
    }

    #[tokio::test]
    async fn short_packed_streamed_and_secret_answers_are_left_as_they_are() {
        assert_eq!(ask("/api/short", "gzip").await, (None, "{}".to_owned()));
        assert_eq!(ask("/api/packed", "gzip").await, (Some("br".to_owned()), long()));
        for path in ["/api/changes", "/api/backups/a", "/api/auth/token", "/instances/a/api/graphql"] {
            assert_eq!(ask(path, "gzip").await, (None, long()), "{path}");
        }
    }

    #[tokio::test]
    async fn answers_that_may_be_packed_say_what_they_depend_on() {
        for accept in ["gzip", "identity"] {
            let request = Request::get("/api/graphql").header(ACCEPT_ENCODING, accept);
            let answer = router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            assert_eq!(answer.headers()[VARY], "accept-encoding");
        }
    }

    #[tokio::test]
    async fn this_computer_is_answered_as_it_is_unless_a_proxy_asks() {
        let peer = crate::listen::peer::Peer::at("127.0.0.1:40000".parse().unwrap());
        for (host, coding) in
            [("127.0.0.1:8790", None), ("localhost:8790", None), ("console.example.com", Some("gzip"))]
        {
            let mut request = Request::get("/api/graphql").body(Body::empty()).unwrap();
            request.headers_mut().insert(HOST, HeaderValue::from_static(host));
            request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            request.extensions_mut().insert(ConnectInfo(peer.clone()));
            let answer = router().oneshot(request).await.unwrap();
            let found = answer.headers().get(CONTENT_ENCODING).map(|coding| coding.to_str().unwrap());
            assert_eq!(found, coding, "{host}");
        }
    }

    #[test]
    fn a_coding_with_weight_zero_is_refused() {
        let taken = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accept));
            accepts(&headers, "gzip")
        };
        for accept in ["gzip", "br;q=1.0, GZIP;q=0.5", "*", "deflate, gzip ; q=0.001"] {
            assert!(taken(accept), "{accept}");
        }
        for accept in ["", "br", "gzip;q=0", "*;q=0", "gzip;q=0.0, *"] {
            assert!(!taken(accept), "{accept}");
        }
    }
}
