//! Logs: refused sign-ins, and changes of users' rights.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::NoStore;
use auth::saml::refusals::{self, Refusal};
use auth::saml::time;
use auth::security_log::{self, EventEntry};
use axum::extract::{Query, State};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "LogPage")]
pub struct Page {
    limit: Option<u64>,
    /// Return only entries before this time. Applies to the security log only.
    before: Option<String>,
}

/// GET: the newest refusals with cause and remedy.
pub async fn refusals(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Query(page): Query<Page>,
) -> Result<NoStore<Vec<Refusal>>, Failure> {
    let limit = page.limit.unwrap_or(50).min(500);
    let found = blocking(move || refusals::refusals(&app.store, limit, clock::now())).await?;
    Ok(NoStore(found))
}

/// GET: the events about users' rights.
pub async fn log(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Query(page): Query<Page>,
) -> Result<NoStore<Vec<EventEntry>>, Failure> {
    let limit = page.limit.unwrap_or(100).min(1000);
    let before = match page.before.as_deref() {
        None => i64::MAX,
        Some(text) => time::parse(text).ok_or_else(|| {
            Failure::bad_request(format!("`before` is {text:?}: expected a time like 2026-11-20T06:38:00Z"))
        })?,
    };
    let found = blocking(move || security_log::events(&app.store, before, limit)).await?;
    Ok(NoStore(found))
}
