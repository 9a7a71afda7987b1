//! `/api/events`: documents about events.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::rest::JsonBody;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use graphql::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PostMortemText")]
#[serde(deny_unknown_fields)]
pub struct PostMortemText {
    markdown: String,
}

/// A document to save, in the same form as the result of `report_document`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PdfDocument")]
pub struct Document {
    name: String,
    media_type: &'static str,
    base64: String,
}

/// POST: renders the post-mortem of an event, as written in the request, as a PDF. Nothing is stored.
pub async fn post_mortem(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
    body: JsonBody<PostMortemText>,
) -> Result<Json<Document>, Failure> {
    let Ok(event) = Uuid::parse_str(&id) else {
        return Err(Failure::bad_request(format!("Expected the id of an event: {id} is none")));
    };
    let PostMortemText { markdown } = body.read("an object with `markdown`")?;
    let bytes = blocking(move || {
        operations::post_mortem_pdf(&app.store, &person.caller(), event, &markdown).map_err(refused)
    })
    .await?;
    Ok(Json(Document {
        name: format!("post-mortem-{event}.pdf"),
        media_type: "application/pdf",
        base64: STANDARD.encode(bytes),
    }))
}

fn refused(refusal: Refusal) -> Failure {
    match refusal.code {
        "validation-failed" => Failure::bad_request(refusal.message),
        "not-found" => Failure::new(StatusCode::NOT_FOUND, "not_found", refusal.message),
        "permission-error" => Failure::new(StatusCode::FORBIDDEN, "forbidden", refusal.message),
        _ => Failure::fault(&refusal.into_error()),
    }
}
