//! Webhooks for messages of monitoring systems.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use operations::{WebhookError, WebhookReceipt, receive_webhook};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// Maximum size of a message, bytes.
pub const LARGEST: usize = 1 << 20;

/// The number of alerts in a message, and of events created and updated.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WebhookReceipt")]
pub struct AlertCounts {
    alerts: u64,
    created: u64,
    updated: u64,
}

/// POST: accepts a message. Authentication is by the token in the path. The response contains only the number of events.
pub async fn receive(
    State(app): State<Arc<App>>,
    Path(token): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failure> {
    let body = body.map_err(|_| {
        let message = format!("A message is {} KiB at most", LARGEST >> 10);
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    })?;
    let store = app.store.clone();
    let outcome = blocking(move || Ok::<_, Failure>(receive_webhook(&store, &token, &body))).await?;
    match outcome {
        Ok(WebhookReceipt { alerts, created, updated }) => {
            Ok(Json(AlertCounts { alerts, created, updated }).into_response())
        }
        Err(WebhookError::TooMany { seconds }) => {
            let message = WebhookError::TooMany { seconds }.to_string();
            let failure = Failure::new(StatusCode::TOO_MANY_REQUESTS, "slow_down", message);
            Ok(([(RETRY_AFTER, seconds.to_string())], failure).into_response())
        }
        Err(error @ WebhookError::Unknown) => {
            Err(Failure::new(StatusCode::NOT_FOUND, "not_found", error.to_string()))
        }
        Err(WebhookError::Body(error)) => {
            Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "not_an_alert", error.to_string()))
        }
        Err(WebhookError::Store(error)) => Err(error.into()),
    }
}
