//! `/api/openapi.json`: the OpenAPI description of the routes.

use crate::guard::caller::SignedIn;
use crate::rest::document::document;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::sync::LazyLock;

/// Generated on first use.
static TEXT: LazyLock<String> = LazyLock::new(text);

/// The document, identical to `schema/generated/openapi.json`.
pub fn text() -> String {
    format!("{:#}\n", document(&super::list::areas()))
}

/// GET: the document.
pub async fn show(_: SignedIn) -> Response {
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}
