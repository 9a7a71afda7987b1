//! `/api/openapi.json`: the description of the routes, for programs and for whoever writes one.

use crate::guard::caller::SignedIn;
use crate::rest::document::document;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::sync::LazyLock;

/// Made when it is asked for first.
static TEXT: LazyLock<String> = LazyLock::new(text);

/// The document as `schema/generated/openapi.json` has it.
pub fn text() -> String {
    format!("{:#}\n", document(&super::list::areas()))
}

/// GET: the document.
pub async fn show(_: SignedIn) -> Response {
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}
