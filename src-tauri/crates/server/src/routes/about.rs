//! `/api/about`: name, version and available sign-in methods, for the sign-in page and the status bar.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use store::StoreError;

/// Public information about the service, available without signing in.
#[derive(Serialize, JsonSchema)]
pub struct About {
    /// The available areas of `/api/`.
    areas: &'static [&'static str],
    data_dir: Option<String>,
    instance: &'static str,
    name: &'static str,
    /// Version of the database schema.
    schema_version: u32,
    sign_in: WaysIn,
    version: &'static str,
}

/// The available sign-in methods: single sign-on if enabled, and the local administrator's password if set and enabled.
#[derive(Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a way of its own")]
pub struct WaysIn {
    desktop: bool,
    password: bool,
    saml: bool,
    token: bool,
}

/// GET: describes the service. The data directory is included only for signed-in users of the home tenant, on a service that listens on loopback.
pub async fn show(State(app): State<Arc<App>>, signed_in: Result<SignedIn, Failure>) -> Json<About> {
    let is_local = app.facts.address.ip().is_loopback();
    let ways = blocking({
        let app = Arc::clone(&app);
        move || Ok::<_, StoreError>((app.saml()?.is_enabled(), auth::password::local(&app.store)?.works()))
    });
    // If the database does not answer, tokens are the only sign-in method.
    let (saml, password) = ways.await.unwrap_or_default();
    let data_dir = (is_local && signed_in.is_ok_and(|SignedIn(person)| person.tenant == app.access.home))
        .then(|| app.facts.data_dir.display().to_string());
    Json(About {
        areas: super::offered(),
        data_dir,
        instance: if is_local { "This computer" } else { "This server" },
        name: "Quarterdeck",
        schema_version: store::SCHEMA_VERSION,
        sign_in: WaysIn { desktop: true, password, saml, token: true },
        version: env!("CARGO_PKG_VERSION"),
    })
}
