//! `/api/about`: what this is, for the sign-in page and the status bar.

use crate::app::App;
use crate::caller::SignedIn;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::sync::Arc;

/// The data directory is told to people at this machine only, once they are signed in.
pub async fn show(
    State(app): State<Arc<App>>,
    signed_in: Result<SignedIn, crate::error::Failure>,
) -> Json<Value> {
    let is_local = app.address.ip().is_loopback();
    let data_dir = (is_local && signed_in.is_ok()).then(|| app.data_dir.display().to_string());
    Json(json!({
        "name": "Quarterdeck",
        "version": env!("CARGO_PKG_VERSION"),
        "instance": if is_local { "This computer" } else { "This server" },
        "data_dir": data_dir,
        "sign_in": { "token": true, "saml": false },
    }))
}
