//! Settings → Single sign-on: shows, tests and saves its settings; test sign-ins, the response checker, refusals, the log.

mod accounts;
mod draft;
mod fetch;
mod lab;
mod log;
mod material;
mod shown;
mod trials;
mod warnings;

pub use accounts::accounts;
pub use draft::{check_draft, save, show};
pub use lab::{examine, preview_roles};
pub use log::{log, refusals};
pub use material::{read_certificate, read_metadata};
pub use trials::{create_test, show_test, start_test};

use crate::app::App;
use crate::error::Failure;
use crate::rest::JsonBody;
use auth::saml::Settings;
use auth::saml::settings::{self, ALL, Draft, Problem};
use axum::http::StatusCode;
use catalogue::Caller;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use store::Transaction;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "SamlSettingsChange")]
#[serde(deny_unknown_fields)]
pub struct Changes {
    #[serde(default)]
    values: Draft,
    #[serde(default)]
    confirm: bool,
}

fn changes(body: &JsonBody<Changes>) -> Result<Changes, Failure> {
    let changes = body.read("an object with `values`: texts or null by the names of settings")?;
    if let Some(unknown) = changes.values.keys().find(|name| settings::definition(name).is_none()) {
        let known: Vec<&str> = ALL.iter().map(|definition| definition.name).collect();
        return Err(Failure::bad_request(format!(
            "there is no setting {unknown:?}; there is {}",
            known.join(", ")
        )));
    }
    Ok(changes)
}

fn wrong_values(problems: &[Problem]) -> Failure {
    let words: Vec<String> =
        problems.iter().map(|problem| format!("{}: {}", problem.setting, problem.message)).collect();
    let listed = problems
        .iter()
        .map(|problem| json!({ "setting": problem.setting, "message": problem.message }))
        .collect();
    Failure::new(StatusCode::BAD_REQUEST, "wrong_value", words.join("; "))
        .with("problems", Value::Array(listed))
}

fn in_snapshot<T>(
    app: &App,
    work: impl FnOnce(&Transaction<'_>, Settings) -> Result<T, Failure>,
) -> Result<T, Failure> {
    app.store.snapshot(&Caller::system(), |rows| {
        let current = settings::load(rows, &app.sign_on.given, &app.own_url())?;
        work(rows, current)
    })
}
