//! `/api/auth/token`: e-mail address and secret in, bearer token out.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::routes::{Address, Sent, parse_body};
use auth::throttle::Attempt;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The pair an API token consists of.
#[derive(Deserialize)]
pub struct Credentials {
    email: String,
    secret: String,
}

#[derive(Serialize)]
pub struct Token {
    token: String,
    /// Seconds.
    expiry: i64,
}

pub async fn exchange(
    State(app): State<Arc<App>>,
    address: Address,
    Sent(body): Sent,
) -> Result<Json<Token>, Failure> {
    let person = check(&app, &body, address).await?;
    let token = app.access.signer.issue(&person, clock::now());
    Ok(Json(Token { token, expiry: auth::EXPIRY_SECONDS }))
}

/// Whose API token the body holds. An address that guesses waits longer each time; the right secret counts all the same.
pub async fn check(app: &App, body: &[u8], address: Address) -> Result<auth::Person, Failure> {
    let sent: Credentials = parse_body(body, "an object with the texts `email` and `secret`")?;
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
