//! `/api/auth/token`: e-mail address and secret in, bearer token out.

use crate::app::{App, blocking};
use crate::clock;
use crate::error::Failure;
use crate::routes::{Address, Sent, parse_body};
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
    let token = app.signer.issue(&person, clock::now());
    Ok(Json(Token { token, expiry: auth::EXPIRY_SECONDS }))
}

/// Whose API token the body holds. Who guesses waits longer each time.
pub async fn check(app: &App, body: &[u8], address: Address) -> Result<auth::Person, Failure> {
    let sent: Credentials = parse_body(body, "an object with the texts `email` and `secret`")?;
    let store = app.store.clone();
    let found = blocking(move || {
        let attempt = auth::throttle::Attempt::new("token", &sent.email, address.telling().as_deref());
        guarded(&store, &attempt, || auth::api_token::check(&store, &sent.email, &sent.secret, clock::now()))
    })
    .await?;
    app.later.use_api_token(found.token);
    Ok(found.person)
}

/// Lets an attempt happen unless a delay runs, and counts it when it fails. Blocks.
pub fn guarded<T>(
    store: &store::Store,
    attempt: &auth::throttle::Attempt,
    check: impl FnOnce() -> Result<T, auth::SignInError>,
) -> Result<T, Failure> {
    attempt.check(store, clock::now())?.map_err(Failure::slow_down)?;
    match check() {
        Ok(found) => {
            attempt.succeeded(store)?;
            Ok(found)
        }
        Err(error @ auth::SignInError::WrongCredentials) => {
            attempt.failed(store, clock::now())?;
            Err(error.into())
        }
        Err(error) => Err(error.into()),
    }
}
