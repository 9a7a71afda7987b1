//! Whether sign-in with the identity provider works, now or at another time.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::rest::NoStore;
use auth::saml::{health, time};
use axum::extract::{Query, State};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub struct At {
    /// The date or time to report on. Now by default.
    at: Option<String>,
}

/// GET: the health report, now or at another time.
pub async fn health(
    State(app): State<Arc<App>>,
    Query(At { at }): Query<At>,
) -> Result<NoStore<health::Health>, Failure> {
    let now = match at.as_deref() {
        None => clock::now(),
        Some(text) => moment(text).ok_or_else(|| {
            Failure::bad_request(format!(
                "`at` is {text:?}: expected a date like 2026-12-14 or a time like 2026-12-14T00:00:00Z"
            ))
        })?,
    };
    let settings = blocking(move || app.saml()).await?;
    Ok(NoStore(health::report(&settings, now)))
}

/// Parses a date, which means its start, or a time.
fn moment(text: &str) -> Option<i64> {
    time::parse(text).or_else(|| time::parse(&format!("{text}T00:00:00Z")))
}
