//! `/api/auth/token`: exchanges e-mail address and secret of an API token for a bearer token.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::rest::JsonBody;
use crate::routes::Address;
use auth::throttle::Attempt;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An API token: e-mail address and secret.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ApiToken")]
pub struct Credentials {
    email: String,
    secret: String,
}

/// A bearer token for API requests.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BearerToken")]
pub struct Token {
    token: String,
    /// Lifetime in seconds.
    expiry: i64,
}

/// POST: returns a bearer token for an API token.
pub async fn exchange(
    State(app): State<Arc<App>>,
    address: Address,
    body: JsonBody<Credentials>,
) -> Result<Json<Token>, Failure> {
    let person = check(&app, &body, address).await?;
    let token = app.access.signer.issue(&person, clock::now());
    Ok(Json(Token { token, expiry: auth::EXPIRY_SECONDS }))
}

/// The user whose API token is in the body. Failed attempts from an address are delayed increasingly; the correct secret is always accepted.
pub async fn check(
    app: &App,
    body: &JsonBody<Credentials>,
    address: Address,
) -> Result<auth::Person, Failure> {
    let sent = body.read("an object with the texts `email` and `secret`")?;
    let store = app.store.clone();
    let found = blocking(move || {
        let attempt = Attempt::with_secret("token", address.telling().as_deref());
        let now = clock::now();
        attempt.prove(&store, now, || auth::api_token::check(&store, &sent.email, &sent.secret, now))
    })
    .await?;
    app.access.sessions.use_api_token(found.token);
    Ok(found.person)
}
