//! `/api/about`: what this is, for the sign-in page and the status bar.

use crate::app::App;
use crate::blocking::blocking;
use crate::guard::caller::SignedIn;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::sync::Arc;
use store::StoreError;

/// The data directory is told to people of the first tenant at this machine only, once they are signed in.
pub async fn show(
    State(app): State<Arc<App>>,
    signed_in: Result<SignedIn, crate::error::Failure>,
) -> Json<Value> {
    let is_local = app.facts.address.ip().is_loopback();
    let ways = blocking({
        let app = Arc::clone(&app);
        move || Ok::<_, StoreError>((app.saml()?.is_enabled(), auth::password::local(&app.store)?.works()))
    });
    // A database that does not answer offers no way in but tokens.
    let (saml, password) = ways.await.unwrap_or_default();
    let data_dir = (is_local && signed_in.is_ok_and(|SignedIn(person)| person.tenant == app.access.home))
        .then(|| app.facts.data_dir.display().to_string());
    Json(json!({
        "name": "Quarterdeck",
        "version": env!("CARGO_PKG_VERSION"),
        "schema_version": store::SCHEMA_VERSION,
        "instance": if is_local { "This computer" } else { "This server" },
        "data_dir": data_dir,
        "areas": super::AREAS,
        "sign_in": { "token": true, "saml": saml, "password": password, "desktop": true },
    }))
}
