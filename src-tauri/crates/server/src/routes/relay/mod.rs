//! `/instances/{id}/api/…`: forwards requests of the page to a remote instance.

mod socket;

use crate::app::App;
use crate::background::registry::{Kind, Outcome};
use crate::clock;
use crate::error::Failure;
use crate::rest::Relay;
use crate::rest::route::Facts;
use crate::routes::instances::{Keeper, parse_id};
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::http::{HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::TryStreamExt;
use remote::{Content, RelayMode, RelayRequest, RelayResponse, RemoteError, RequestBody};
use serde::Deserialize;
use std::sync::Arc;

/// Response header of a stored copy: the time it was stored.
const COPY: HeaderName = HeaderName::from_static("x-quarterdeck-copy");
/// Prevents a response of a remote instance from acting as a page of ours, even when opened directly.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");

#[derive(Deserialize)]
struct NameRequest {
    #[serde(alias = "file")]
    name: String,
}

/// The name of the file being uploaded, for display.
fn name_of_file(uri: &Uri) -> String {
    Query::<NameRequest>::try_from_uri(uri).map_or_else(|_| "A file".to_owned(), |Query(named)| named.name)
}

/// Any method: forwards the request and returns the response of the instance.
pub async fn pass(
    State(app): State<Arc<App>>,
    Keeper(remotes): Keeper,
    Path((id, rest)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Failure> {
    let id = parse_id(&id)?;
    if socket::is_asked_for(&request) {
        return socket::pass(app, remotes, id, &format!("/api/{rest}"), request).await;
    }
    let (parts, body) = request.into_parts();
    let path = match parts.uri.query() {
        Some(query) => format!("/api/{rest}?{query}"),
        None => format!("/api/{rest}"),
    };
    let route = super::find(&parts.method, &format!("/api/{rest}"));
    let underway = route
        .is_some_and(Facts::takes_file)
        .then(|| app.jobs.begin(Kind::Sending, &name_of_file(&parts.uri), clock::now()));
    // A file is streamed, and may be as large as the instance allows; any other body was entered on a page and is read into memory.
    let body = if underway.is_some() {
        RequestBody::Stream(
            body.into_data_stream().map_ok(|piece| piece.to_vec()).map_err(std::io::Error::other),
        )
    } else {
        let limit = app.limits.body_bytes;
        let whole = to_bytes(body, limit).await.map_err(|_| RemoteError::TooLarge { limit })?;
        RequestBody::Whole(whole.to_vec())
    };
    let passing = route.and_then(|route| match route.relay {
        Relay::Refused => None,
        Relay::Passed => Some(RelayMode::AsItComes),
        Relay::Kept => Some(RelayMode::Whole),
    });
    let asked = RelayRequest { method: parts.method, path, headers: parts.headers, body };
    let RelayResponse { status, headers, content, copy_of } = remotes.relay(id, passing, asked).await?;
    if let Some(underway) = underway {
        underway.came_to(if status.is_success() { Outcome::Done } else { Outcome::Failed });
    }
    let body = match content {
        Content::Whole(bytes) => Body::from(bytes),
        Content::Stream(stream) => Body::from_stream(stream),
    };
    let mut response = (status, headers, body).into_response();
    let head = response.headers_mut();
    head.insert(CONTENT_SECURITY_POLICY, POLICY);
    head.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(kept_at) = copy_of
        && let Ok(time) = HeaderValue::from_str(&auth::saml::time::text(kept_at))
    {
        head.insert(COPY, time);
    }
    Ok(response)
}
