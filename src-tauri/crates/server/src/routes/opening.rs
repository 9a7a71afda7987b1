//! `POST /api/opening`: what a page asks when it opens, in one request.
//!
//! A page that opens asks a dozen things, and its one thread has the code of the page to read at that moment. Sent together they cost it one
//! request. Each is worked on as if it had come by itself: the same routes, the same person, the same limits.
//!
//! The body is `{"asks": [{"path": "/api/auth/session"}, {"path": "/api/graphql", "body": {…}}, …]}`: with a body an ask is a POST, without one a
//! GET. The first says who asks: it is answered before the others begin, the cookie that it brings counts for them, and where it is refused they
//! are not asked at all. The answer has a line of JSON each, `[place in asks, status, body]`, in the order in which they are ready.

use crate::ahead;
use crate::app::App;
use crate::caller::Browser;
use crate::clock;
use crate::error::{Failure, chain};
use crate::routes::{Sent, parse_body};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, SET_COOKIE, TRANSFER_ENCODING,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::future::FutureExt;
use futures_util::stream::{self, FuturesUnordered, StreamExt};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tower::ServiceExt;

/// What can be asked.
const OPENS: [&str; 7] = [
    "/api/about",
    "/api/auth/link",
    "/api/auth/saml/health",
    "/api/auth/session",
    "/api/graphql",
    "/api/host",
    "/api/instances",
];
/// More than any page asks.
const MOST: usize = 64;

const EXPECTED: &str = r#"{"asks": [{"path": text, "body": any JSON, or left out}, …]}"#;

#[derive(Deserialize)]
struct Opening {
    asks: Vec<Ask>,
}

#[derive(Deserialize)]
struct Ask {
    path: String,
    body: Option<Box<RawValue>>,
}

/// Answers an opening by what `routes` answer to each ask.
pub async fn answer(app: Arc<App>, routes: Router, request: Request) -> Result<Response, Failure> {
    let (mut outer, body) = request.into_parts();
    let asks = read(&app, &outer, body).await?;
    let questions = asks.iter().filter(|ask| ask.path == "/api/graphql").filter_map(|ask| ask.body.clone());
    let questions: Vec<_> = questions.collect();
    // Before somebody signs in, which is written down.
    if let Some(ready) = app.ready.take(&app.store, clock::now()) {
        outer.extensions.insert(Arc::new(ready));
    }
    let (outer, response) = open(outer, asks, routes).await;
    if app.host.is_none() || questions.is_empty() {
        return Ok(response);
    }
    // Gone with the last answer.
    let (answers, answered) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let _ = answered.await;
        keep(app, outer, questions).await;
    });
    Ok(response.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |_| {
            let _ = &answers;
        }))
    }))
}

/// Keeps the questions of a window for its next start: they are worked out then for the person in front of it.
async fn keep(app: Arc<App>, mut outer: Parts, questions: Vec<Box<RawValue>>) {
    let Ok(Browser(person)) = Browser::from_request_parts(&mut outer, &app).await else { return };
    if person.user != app.keeper {
        return;
    }
    let kept = spawn_blocking(move || ahead::keep(&app, &person.caller(), &questions, clock::now())).await;
    if let Ok(Err(error)) = kept {
        tracing::warn!("what the window asked is not kept: {}", chain(&error));
    }
}

async fn read(app: &Arc<App>, outer: &Parts, body: Body) -> Result<Vec<Ask>, Failure> {
    let Sent(body) = Sent::from_request(Request::from_parts(outer.clone(), body), app).await?;
    let Opening { asks } = parse_body(&body, EXPECTED)?;
    if asks.is_empty() || asks.len() > MOST {
        let count = asks.len();
        return Err(Failure::bad_request(format!("Expected 1 to {MOST} asks, {count} came")));
    }
    match asks.iter().find(|ask| !OPENS.contains(&ask.path.as_str())) {
        Some(Ask { path, .. }) => Err(Failure::bad_request(format!(
            "{path:?} is not asked while a page opens: expected one of {}. Ask it by itself",
            OPENS.join(", ")
        ))),
        None => Ok(asks),
    }
}

/// The answers, and the request as they were asked with.
async fn open(mut outer: Parts, asks: Vec<Ask>, routes: Router) -> (Parts, Response) {
    for name in [CONTENT_LENGTH, TRANSFER_ENCODING] {
        outer.headers.remove(name);
    }
    let mut asks = asks.into_iter().enumerate();
    let mut lines = Vec::new();
    let mut cookie = None;
    let mut others = FuturesUnordered::new();
    if let Some((place, ask)) = asks.next() {
        let answer = ask_by_itself(&routes, &outer, ask).await;
        cookie = answer.headers().get(SET_COOKIE).cloned();
        if let Some(pair) = cookie.as_ref().and_then(sent_back) {
            outer.headers.insert(COOKIE, pair);
        }
        if answer.status().is_success() {
            let answer = |(place, ask)| {
                let answer = ask_by_itself(&routes, &outer, ask);
                async move { line(place, answer.await).await }
            };
            others = asks.map(answer).collect();
        }
        lines.push(line(place, answer).await);
    }
    let lines = stream::iter(lines).chain(others).map(Ok::<_, Infallible>);
    let head = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    let mut response = (head, Body::from_stream(lines)).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    (outer, response)
}

/// The answer to an ask that is a request of its own, by whoever sent the opening.
fn ask_by_itself(routes: &Router, outer: &Parts, ask: Ask) -> impl Future<Output = Response> + use<> {
    let mut parts = outer.clone();
    parts.uri = Uri::try_from(ask.path).expect("the paths that can be asked are addresses");
    let body = if let Some(body) = ask.body {
        Body::from(Box::<str>::from(body).into_string())
    } else {
        parts.method = Method::GET;
        Body::empty()
    };
    let answer = routes.clone().oneshot(Request::from_parts(parts, body));
    answer.map(|answer| answer.unwrap_or_else(|never| match never {}))
}

/// What a browser sends back of a cookie: its name and value.
fn sent_back(cookie: &HeaderValue) -> Option<HeaderValue> {
    let bytes = cookie.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b';').unwrap_or(bytes.len());
    HeaderValue::from_bytes(&bytes[..end]).ok()
}

async fn line(place: usize, answer: Response) -> Bytes {
    let status = answer.status().as_u16();
    // A body that breaks off is no JSON: whoever asked asks again.
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap_or_default();
    let mut line = format!("[{place},{status},").into_bytes();
    if body.is_empty() {
        line.extend_from_slice(b"null");
    }
    // Within JSON an end of line stands between values only.
    line.extend(body.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }));
    line.extend_from_slice(b"]\n");
    line.into()
}
