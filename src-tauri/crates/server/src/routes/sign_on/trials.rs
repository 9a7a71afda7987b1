//! Test sign-ins: a dry run with the real provider, which changes nothing.

use super::{Changes, changes, wrong_values};
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::{JsonBody, NoStore};
use crate::routes::saml::{away, begin, browser};
use auth::saml::exchange::SignInOptions;
use auth::saml::refusals;
use auth::saml::report::Report;
use auth::saml::{SamlError, Settings, settings, time, trial};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// A started test sign-in.
#[derive(Serialize, JsonSchema)]
pub struct TestBegun {
    id: String,
    /// The address to open in the browser.
    start: String,
}

/// The state of a test sign-in.
#[derive(Serialize, JsonSchema)]
pub struct TestSignIn {
    at: String,
    id: String,
    reference: String,
    #[schemars(with = "Option<Report>")]
    report: Option<Value>,
    #[schemars(extend("enum" = ["waiting", "done", "expired"]))]
    state: &'static str,
}

/// POST: begins a dry run with a draft, or with the current settings.
pub async fn create_test(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<Changes>,
) -> Result<NoStore<TestBegun>, Failure> {
    let Changes { values, .. } = changes(&body)?;
    let id = blocking(move || {
        let settings = app.saml()?.with(&values);
        settings.verifier().map_err(|problems| {
            let missing: Vec<Value> = problems
                .iter()
                .map(|problem| json!({ "setting": problem.setting, "message": problem.message }))
                .collect();
            Failure::new(StatusCode::BAD_REQUEST, "not_configured", "SAML not configured")
                .with("missing", Value::Array(missing))
        })?;
        Ok::<_, Failure>(trial::create(&app.store, &settings, person.user, clock::now(), &mut rand::rng())?)
    })
    .await?;
    Ok(NoStore(TestBegun { id: id.to_string(), start: format!("/api/auth/saml/tests/{id}/start") }))
}

fn no_such_test() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no such test; begin another one")
}

async fn find_test(app: &Arc<App>, id: &str) -> Result<trial::Trial, Failure> {
    let id = Uuid::parse_str(id).map_err(|_| no_such_test())?;
    let store = app.store.clone();
    blocking(move || trial::find(&store, id)).await?.ok_or_else(no_such_test)
}

/// GET: sends the browser to the provider for a dry run.
pub async fn start_test(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let trial = find_test(&app, &id).await?;
    if trial.state(clock::now()) != "waiting" {
        return Err(no_such_test());
    }
    let browser = browser(&app, &headers);
    let begun = blocking({
        let (app, browser) = (Arc::clone(&app), browser.clone());
        move || {
            let settings = Settings::layer(&trial.values, &settings::SettingValues::new(), &app.own_url());
            let verifier = settings.verifier().map_err(|problems| wrong_values(&problems))?;
            let wish = SignInOptions {
                browser: &browser,
                return_to: "/settings/single-sign-on",
                test: Some(trial.id),
            };
            begin(&app, &settings, &verifier, wish).map_err(|error| match error {
                SamlError::Store(error) => error.into(),
                SamlError::Refused(refused) => {
                    let words = format!("{}. {}", refused.cause.message(), refused.cause.remedy());
                    Failure::new(StatusCode::INTERNAL_SERVER_ERROR, refused.cause.code(), words)
                }
            })
        }
    })
    .await?;
    Ok(away(&app, &headers, &browser, begun.location.as_str()))
}

/// GET: the state of a dry run.
pub async fn show_test(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<NoStore<TestSignIn>, Failure> {
    let trial = find_test(&app, &id).await?;
    Ok(NoStore(TestSignIn {
        id: trial.id.to_string(),
        at: time::text(trial.created_at),
        state: trial.state(clock::now()),
        reference: refusals::reference("ST", trial.id),
        report: trial.report.as_deref().and_then(|report| serde_json::from_str(report).ok()),
    }))
}
