//! `/api/graphql`: GraphQL over HTTP.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{Failure, LimitExceeded, MalformedRequest};
use crate::guard::caller::Proof;
use crate::guard::concurrency::{LimitReached, PATIENCE};
use crate::guard::query_threads::Hold;
use ::graphql::{Effort, Request};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use catalogue::format_timestamp;
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use store::{Cancel, ReadFrom, ResponseChunks};

/// Request header: maximum age of the data in seconds; it allows a replica to answer.
const MOST_AGE: &str = "x-max-staleness";
/// Response header: the time at which the data was current, at the earliest.
const AS_OF: HeaderName = HeaderName::from_static("x-data-as-of");
/// Maximum value of the allowed age, seconds.
const LONGEST: u64 = 86_400;

/// The page of the UI for writing and running queries.
const EXPLORER: &str = "/api-explorer";

/// Answers a GraphQL request. The status is 200 even for failed requests, whose errors are in `errors`; if the database is currently unusable, it
/// is 503, like at every other path.
///
/// The caller is authenticated on the thread that executes the request. A request known to read a few rows by key runs on the thread of its
/// connection, since handing it over would take longer; a request known to be a read that needs no compilation runs on a query thread; all others,
/// which may write or take long to plan, run on a blocking thread.
pub async fn answer(
    State(app): State<Arc<App>>,
    proof: Proof,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Response> {
    let person = match proof.guess(&app.access) {
        Some(person) => person,
        None => Arc::new(proof.check(&app.access).await.map_err(IntoResponse::into_response)?),
    };
    let body = body.map_err(|rejection| too_long(&rejection, app.limits.body_bytes))?;
    if let Err(error) = app.limits.request.check_body(&body) {
        return Ok(answered(error.body().into()));
    }
    let mut request = read(&body).map_err(IntoResponse::into_response)?;
    let most_age = most_age(&headers).map_err(IntoResponse::into_response)?;
    let turn = app.access.requests.take(person.user, PATIENCE).await;
    let turn = turn.map_err(|LimitReached| busy(app.limits.concurrent).into_response())?;
    let effort = app.engine.effort(&person.caller(), &request);
    let work = {
        let app = Arc::clone(&app);
        move |cancel: &Cancel| {
            let person = proof.check_here(&app.access)?;
            let as_of = most_age.map(|most_age| match app.store.replica_as_of(most_age) {
                Some(as_of) => {
                    request.from = ReadFrom::Replica;
                    as_of
                }
                None => app.store.now(),
            });
            let mut unavailable = None;
            let answer = app.engine.answer_until(&person.caller(), &request, cancel, |fault| {
                if fault.is_unavailable() {
                    unavailable = Some(fault);
                } else {
                    tracing::error!("a GraphQL request failed: {}", crate::error::chain(&fault));
                }
            });
            drop(turn);
            unavailable.map_or(Ok((answer, as_of)), |fault| Err(Failure::from(fault)))
        }
    };
    // Dropped with this future when the client disconnects, which cancels the work.
    let hold = Hold::default();
    let answered = match effort {
        Effort::PointRead => work(&hold.0),
        Effort::Read => app.readers.run(person.user, work).await.flatten(),
        Effort::Unknown => {
            let cancel = hold.0.clone();
            blocking(move || work(&cancel)).await
        }
    };
    let (answer, as_of) = answered.map_err(IntoResponse::into_response)?;
    let mut response = self::answered(answer);
    if let Some(as_of) = as_of.and_then(|as_of| format!("{}Z", format_timestamp(as_of)).parse().ok()) {
        response.headers_mut().insert(AS_OF, as_of);
    }
    // Clients that trace a request through several services send these headers (semantics §2).
    for name in ["traceparent", "x-request-id"] {
        if let Some(value) = headers.get(name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Ok(response)
}

/// A GraphQL request as defined by GraphQL over HTTP.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "for the document: requests are read by the engine's own type")]
pub struct GraphqlRequest {
    query: String,
    variables: Option<Map<String, Value>>,
    #[serde(rename = "operationName")]
    operation_name: Option<String>,
}

/// A GraphQL response. Errors are in `errors`, with status 200.
#[derive(Serialize, JsonSchema)]
pub struct GraphqlAnswer {
    data: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<GraphqlError>>,
}

/// A GraphQL error.
#[derive(Serialize, JsonSchema)]
pub struct GraphqlError {
    message: String,
    extensions: GraphqlErrorCode,
}

/// The location of the error in the request, and an error code for programs.
#[derive(Serialize, JsonSchema)]
pub struct GraphqlErrorCode {
    path: String,
    code: String,
}

/// The maximum age of the data, if the request states one.
fn most_age(headers: &HeaderMap) -> Result<Option<Duration>, MalformedRequest> {
    let Some(value) = headers.get(MOST_AGE) else { return Ok(None) };
    let seconds = value.to_str().ok().and_then(|text| text.trim().parse::<u64>().ok());
    let seconds = seconds.filter(|seconds| *seconds <= LONGEST).ok_or_else(|| {
        MalformedRequest(format!(
            "the header X-Max-Staleness is {value:?}: expected seconds from 0 to {LONGEST}"
        ))
    })?;
    Ok(Some(Duration::from_secs(seconds)))
}

/// The response. A long body is streamed without a content length.
fn answered(body: ResponseChunks) -> Response {
    let head = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    let body = if body.is_whole() {
        Body::from(body.into_bytes())
    } else {
        Body::from_stream(stream::iter(body.map(Ok::<_, Infallible>)))
    };
    (head, body).into_response()
}

fn too_long(rejection: &BytesRejection, limit: usize) -> Response {
    let status = rejection.status();
    if status != StatusCode::PAYLOAD_TOO_LARGE {
        return MalformedRequest(format!("the body did not arrive: {}", rejection.body_text()))
            .into_response();
    }
    let message = format!(
        "the body is longer than {limit} bytes, which is the limit; send it in parts, or raise the setting max_body_bytes"
    );
    LimitExceeded { status, message }.into_response()
}

fn busy(limit: usize) -> LimitExceeded {
    let message = format!(
        "{limit} requests of this user are being worked on, which is the limit, and none ended within {} s; \
         wait for answers before asking more, or raise the setting max_concurrent",
        PATIENCE.as_secs()
    );
    LimitExceeded { status: StatusCode::TOO_MANY_REQUESTS, message }
}

/// Redirects a browser to the API explorer, and tells programs how to send a request.
pub fn explain(headers: &HeaderMap) -> Response {
    if reads_pages(headers) {
        return ([(VARY, "Accept")], Redirect::to(EXPLORER)).into_response();
    }
    let refusal = Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "GraphQL is asked with POST and a JSON body: {\"query\": \"{ tenant { id } }\"}. A browser is led to the API explorer",
    );
    ([(ALLOW, "POST"), (VARY, "Accept")], refusal).into_response()
}

/// Whether the client accepts HTML, like a browser does for a page. curl's `*/*` does not count.
fn reads_pages(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).iter().filter_map(|accepted| accepted.to_str().ok()).any(|accepted| {
        let mut kinds = accepted.split(',').filter_map(|kind| kind.split(';').next());
        kinds.any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
    })
}

fn read(body: &[u8]) -> Result<Request, MalformedRequest> {
    // The cause of an error is determined only if parsing fails: that requires a second parse.
    if body.trim_ascii_start().starts_with(b"{")
        && let Ok(request) = serde_json::from_slice(body)
    {
        return Ok(request);
    }
    let sent: Value = serde_json::from_slice(body)
        .map_err(|error| MalformedRequest(format!("the body is not JSON: {error}")))?;
    if !sent.get("query").is_some_and(Value::is_string) {
        return Err(MalformedRequest("missing query body".to_owned()));
    }
    serde_json::from_value(sent).map_err(|error| {
        MalformedRequest(format!("expected query (text), variables (object), operationName (text): {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::{explain, read};
    use axum::http::HeaderMap;
    use axum::http::header::{ACCEPT, ALLOW, HeaderValue, LOCATION};

    /// Status, and the `Location` or `Allow` header for a client with this Accept header.
    fn explained(accept: &'static str) -> (u16, Option<HeaderValue>) {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
        let answer = explain(&headers);
        let next = answer.headers().get(LOCATION).or(answer.headers().get(ALLOW));
        (answer.status().as_u16(), next.cloned())
    }

    #[test]
    fn a_browser_is_led_to_the_explorer_and_a_program_is_told_to_post() {
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        assert_eq!(explained(browser), (303, Some(HeaderValue::from_static("/api-explorer"))));
        for program in ["*/*", "application/json", "text/plain, */*"] {
            assert_eq!(explained(program), (405, Some(HeaderValue::from_static("POST"))), "{program}");
        }
    }

    fn refusal(body: &str) -> Option<String> {
        read(body.as_bytes()).err().map(|malformed| malformed.0)
    }

    #[test]
    fn a_body_needs_a_query() {
        assert_eq!(refusal(r#"{"query": "{ tenant { id } }", "variables": null}"#), None);
        for body in ["{}", "[]", "null", r#"{"query": 7}"#] {
            assert_eq!(refusal(body).as_deref(), Some("missing query body"), "{body}");
        }
    }

    #[test]
    fn a_body_that_is_not_json_is_refused_with_the_place() {
        let message = refusal("{\"query\": ").unwrap();
        assert_eq!(message, "the body is not JSON: EOF while parsing a value at line 1 column 10");
    }

    #[test]
    fn variables_that_are_no_object_are_refused() {
        let message = refusal(r#"{"query": "{ a }", "variables": [1]}"#).unwrap();
        assert!(message.starts_with("expected query (text), variables (object)"), "{message}");
    }
}
