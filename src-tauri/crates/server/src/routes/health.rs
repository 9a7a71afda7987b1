//! Health of the service: probes for load balancers, and a report for administrators.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::report::{self, ImportOutcome, Report};
use crate::rest::{Alphabetical, NoStore};
use crate::settings;
use auth::Person;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use catalogue::{Caller, Role, format_timestamptz};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::StoreError;

/// The health of the service.
#[derive(Serialize, JsonSchema)]
pub struct Health {
    /// Why the service is not healthy. Absent if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reason: Option<String>,
    status: HealthState,
}

/// The health status.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum HealthState {
    Ok,
    Failed,
    /// The service is shutting down.
    Stopping,
}

/// Diagnostic information for support.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiagnosticBundle")]
pub struct Bundle<'a> {
    about: &'static str,
    made_at: &'a str,
    report: Report,
    /// All settings with their sources.
    settings: Vec<settings::Line>,
    rows_by_table: BTreeMap<String, u64>,
    latest_imports: Vec<ImportOutcome>,
}

/// `/healthz`: whether the service answers, and its database, if no other server uses it. The state of a shared database is reported by `/readyz`
/// only: a supervisor that restarts servers which fail this probe would otherwise restart all of them while the database is down, to no effect.
pub async fn show(State(app): State<Arc<App>>) -> Response {
    if app.store.is_shared() { alive() } else { of_database(&app).await }
}

/// The response of a healthy service.
pub fn alive() -> Response {
    Json(Health { reason: None, status: HealthState::Ok }).into_response()
}

async fn of_database(app: &App) -> Response {
    let store = app.store.clone();
    let asked = blocking(move || {
        let looked = store.snapshot(&Caller::system(), |rows| rows.select("tenant", &["id"], &[]));
        match looked {
            Ok(_) => Ok(None),
            Err(newer @ StoreError::NewerSchema { .. }) => Ok(Some(newer.to_string())),
            Err(error) => Err(error),
        }
    });
    let reason = match asked.await {
        Ok(None) => return alive(),
        Ok(Some(newer)) => newer,
        Err(_) => "the database does not answer; see the log".to_owned(),
    };
    unavailable(HealthState::Failed, reason)
}

fn unavailable(status: HealthState, reason: String) -> Response {
    let body = Json(Health { reason: Some(reason), status });
    (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "5")], body).into_response()
}

/// `/readyz`: whether this service accepts traffic. It does not while it is about to stop, or when its database does not answer.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.draining.load(Ordering::Relaxed) || *app.stopping.borrow() {
        let reason = "this service was told to stop; send requests elsewhere".to_owned();
        return unavailable(HealthState::Stopping, reason);
    }
    of_database(&app).await
}

/// `/api/health/report`: database, disk, imports, versions.
pub async fn report(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
) -> Result<NoStore<Report>, Failure> {
    Ok(NoStore(of(&app, &person).await?))
}

/// `/api/health/bundle`: the report, every setting with its origin, the row count of each table and the outcome of the latest imports, in one file
/// for support. Secrets are reported as set or not set. An administrator of a tenant other than the home tenant gets that tenant's data only: its
/// row counts, and no settings, because they contain paths of the machine.
pub async fn bundle(State(app): State<Arc<App>>, SignedIn(person): SignedIn) -> Result<Response, Failure> {
    let report = of(&app, &person).await?;
    let asked = Arc::clone(&app);
    let is_of_instance = person.tenant == app.access.home;
    let (tables, imports) = blocking(move || {
        let caller = person.caller();
        let counter = if is_of_instance { Caller::system() } else { Caller::system_for(person.tenant) };
        report::contents(&asked.store, &caller, &counter)
    })
    .await?;
    let made = format_timestamptz(clock::now());
    let told = app.facts.origins.iter().filter(|_| is_of_instance);
    let settings: Vec<_> = told.map(settings::Origin::line).collect();
    let body = Alphabetical(Bundle {
        about: "Diagnostic bundle of Quarterdeck. It holds no secret, no cost and no e-mail address.",
        made_at: &made,
        report,
        settings,
        rows_by_table: tables,
        latest_imports: imports,
    });
    let name = format!("attachment; filename=\"quarterdeck-bundle-{}.json\"", &made[..10]);
    let head = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    let text = serde_json::to_string_pretty(&body).map_err(|error| Failure::fault(&error))?;
    Ok((head, text).into_response())
}

async fn of(app: &Arc<App>, person: &Person) -> Result<Report, Failure> {
    if !person.roles.contains(&Role::TenantAdmin) {
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "The health of this instance is told to people with the role tenant_admin",
        ));
    }
    let (app, caller) = (Arc::clone(app), person.caller());
    blocking(move || report::make(&app, &caller, clock::now())).await
}
