//! `/api/graphql`.

use crate::app::{App, blocking};
use crate::caller::SignedIn;
use crate::error::{Failure, Malformed};
use ::graphql::Request;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::sync::Arc;

/// Whatever reaches GraphQL is answered with status 200; what went wrong is in `errors`.
pub async fn answer(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    let request = read(&body).map_err(IntoResponse::into_response)?;
    let caller = person.caller();
    let engine = app.engine.clone();
    let answered = blocking(move || {
        Ok::<_, Failure>(engine.execute(&caller, &request, |fault| {
            tracing::error!("a GraphQL request failed: {}", crate::error::chain(&fault));
        }))
    });
    let answer = answered.await.map_err(IntoResponse::into_response)?;
    let head = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    let mut response = (head, Body::from(answer)).into_response();
    // Callers that follow a request through several services send these (semantics §2).
    for name in ["traceparent", "x-request-id"] {
        if let Some(value) = headers.get(name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Ok(response)
}

fn read(body: &[u8]) -> Result<Request, Malformed> {
    let sent: Value =
        serde_json::from_slice(body).map_err(|error| Malformed(format!("the body is not JSON: {error}")))?;
    if !sent.get("query").is_some_and(Value::is_string) {
        return Err(Malformed("missing query body".to_owned()));
    }
    serde_json::from_value(sent).map_err(|error| {
        Malformed(format!("expected query (text), variables (object), operationName (text): {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::read;

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
