//! `/metrics`: metrics of this service for a monitoring system.

use crate::app::App;
use crate::background::registry::Kind;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::listen::peer::Peer;
use crate::metrics::{self, LiveReadings, Readings};
use axum::extract::{ConnectInfo, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, FORWARDED};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::StoreError;

/// GET: the metrics. Requires the token of the setting `metrics_token`; if none is set, a client on this computer.
pub async fn show(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    check(app.metrics.token.as_deref(), peer.address.ip().is_loopback(), &headers)?;
    let asked = Arc::clone(&app);
    let readings = blocking(move || readings(&asked)).await?;
    let text = app.metrics.counted.text(&readings).map_err(|error| Failure::fault(&error))?;
    Ok(([(CONTENT_TYPE, metrics::CONTENT_TYPE), (CACHE_CONTROL, "no-store")], text).into_response())
}

/// The current values of all metrics. Blocks the thread.
fn readings(app: &App) -> Result<Readings, StoreError> {
    let reads = app.readers.load();
    let jobs = app.jobs.list();
    let kinds = [Kind::Import, Kind::Download, Kind::ModelFile, Kind::Backup, Kind::Sending];
    let of_kind = |kind| jobs.iter().filter(|job| job.kind == kind).count();
    let live = LiveReadings {
        jobs: kinds.into_iter().map(|kind| (kind, of_kind(kind))).collect(),
        reads_waiting: reads.waiting,
        readers_idle: reads.idle,
        started_seconds: app.facts.started / 1_000_000,
    };
    Ok(Readings::of_data(&app.store, &app.facts.data_dir)?.with_live(live))
}

fn check(token: Option<&str>, is_local: bool, headers: &HeaderMap) -> Result<(), Failure> {
    let Some(token) = token else {
        let through_proxy = headers.contains_key(FORWARDED) || headers.contains_key("x-forwarded-for");
        if is_local && !through_proxy {
            return Ok(());
        }
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "no_metrics_token",
            "Figures are told to programs on this computer. To read them from elsewhere, set `metrics_token` and send it as bearer token",
        ));
    };
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = given.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    // Digests are compared, so that the duration reveals nothing about the token.
    let is_token = given.is_some_and(|(_, given)| Sha256::digest(given.trim()) == Sha256::digest(token));
    if is_token {
        return Ok(());
    }
    Err(Failure::new(
        StatusCode::UNAUTHORIZED,
        "wrong_metrics_token",
        "Send the value of the setting `metrics_token` as bearer token",
    ))
}
