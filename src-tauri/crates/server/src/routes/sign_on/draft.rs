//! The settings of single sign-on: current, with a draft applied, and saved.

use super::shown::{SignOnOverview, describe, password_of};
use super::{Changes, changes, in_snapshot, wrong_values};
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::{JsonBody, NoStore};
use crate::routes::password::would_lock_out;
use auth::saml::settings::{self, ALL, Problem};
use auth::saml::{Settings, lock_out};
use auth::security_log::{self, Event};
use axum::extract::State;
use catalogue::Caller;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::Transaction;
use uuid::Uuid;

/// GET: every setting with its origin.
pub async fn show(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<NoStore<SignOnOverview>, Failure> {
    let shown =
        blocking(move || in_snapshot(&app, |rows, current| describe(&app, rows, &current, None))).await?;
    Ok(NoStore(shown))
}

/// POST: the settings with a draft applied, and the people whom saving it would lock out. Saves nothing.
pub async fn check_draft(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<Changes>,
) -> Result<NoStore<SignOnOverview>, Failure> {
    let Changes { values, .. } = changes(&body)?;
    let shown = blocking(move || {
        in_snapshot(&app, |rows, current| {
            let draft = current.with(&values);
            let reasons = lock_out::reasons(rows, &current, &draft, password_of(&app)?, clock::now())?;
            describe(&app, rows, &draft, Some(reasons))
        })
    })
    .await?;
    Ok(NoStore(shown))
}

/// PUT: saves values. They take effect at once, on every server that shares the database.
pub async fn save(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<Changes>,
) -> Result<NoStore<SignOnOverview>, Failure> {
    let Changes { values, confirm } = changes(&body)?;
    let shown = blocking(move || {
        let local = password_of(&app)?;
        app.store.transaction(&Caller::system(), |rows| {
            let current = settings::load(rows, &app.sign_on.given, &app.own_url())?;
            let draft = current.with(&values);
            let problems: Vec<Problem> =
                draft.problems().into_iter().filter(|problem| values.contains_key(problem.setting)).collect();
            if !problems.is_empty() {
                return Err(wrong_values(&problems));
            }
            let reasons = if confirm {
                Vec::new()
            } else {
                lock_out::reasons(rows, &current, &draft, local, clock::now())?
            };
            if !reasons.is_empty() {
                return Err(would_lock_out(&reasons));
            }
            settings::save(rows, &values, clock::now())?;
            let after = settings::load(rows, &app.sign_on.given, &app.own_url())?;
            note_change(rows, &current, &after, person.user, &person.email)?;
            Ok(())
        })?;
        in_snapshot(&app, |rows, current| describe(&app, rows, &current, None))
    })
    .await?;
    Ok(NoStore(shown))
}

fn note_change(
    rows: &Transaction<'_>,
    before: &Settings,
    after: &Settings,
    who: Uuid,
    email: &str,
) -> Result<(), Failure> {
    let changed: BTreeMap<&str, Value> = ALL
        .iter()
        .filter(|definition| before.entry(definition.name) != after.entry(definition.name))
        .map(|definition| {
            (
                definition.name,
                json!({ "before": before.value(definition.name), "after": after.value(definition.name) }),
            )
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = changed.keys().copied().collect();
    let event = Event {
        kind: "settings_changed",
        who: Some(who),
        about: None,
        cause: None,
        text: format!("{email} changed {}", names.join(", ")),
        detail: json!(changed),
    };
    Ok(security_log::note(rows, &event, clock::now(), &mut rand::rng())?)
}
