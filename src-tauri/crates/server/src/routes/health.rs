//! `/healthz`: whether the service and its database answer.

use crate::app::{App, blocking};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use catalogue::Caller;
use serde_json::json;
use std::sync::Arc;
use store::StoreError;

pub async fn show(State(app): State<Arc<App>>) -> Response {
    let store = app.store.clone();
    let asked = blocking(move || {
        store.snapshot(&Caller::house(), |rows| {
            rows.select("tenant", &["id"], &[])?;
            Ok::<_, StoreError>(())
        })
    });
    if asked.await.is_ok() {
        return Json(json!({ "status": "ok" })).into_response();
    }
    let reason = json!({ "status": "failed", "reason": "the database does not answer; see the log" });
    (StatusCode::SERVICE_UNAVAILABLE, Json(reason)).into_response()
}
