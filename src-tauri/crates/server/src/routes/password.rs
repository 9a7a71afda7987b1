//! The local administrator's password: signing in with it, setting it, disabling it.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::listen::peer::Peer;
use crate::rest::JsonBody;
use crate::routes::Address;
use crate::routes::session::{WithCookie, begin, note};
use auth::password::{self, Local};
use auth::saml::lock_out;
use auth::security_log::Event;
use auth::session::SignInMethod;
use auth::throttle::Attempt;
use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use catalogue::Caller;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use store::StoreError;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PasswordSignIn")]
pub struct Pair {
    email: String,
    password: String,
}

/// POST: signs a browser in as the local administrator.
pub async fn sign_in(
    State(app): State<Arc<App>>,
    address: Address,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: JsonBody<Pair>,
) -> Result<WithCookie, Failure> {
    let pair = body.read("an object with the texts `email` and `password`")?;
    // Held until the password is hashed.
    let turn = app.access.hashing.acquire().await.map_err(|error| Failure::fault(&error))?;
    let person = blocking({
        let app = Arc::clone(&app);
        move || {
            let attempt = Attempt::new("password", &pair.email, address.telling().as_deref());
            attempt
                .guess(&app.store, clock::now(), || password::check(&app.store, &pair.email, &pair.password))
                .map_err(Failure::from)
        }
    })
    .await;
    drop(turn);
    begin(&app, &headers, &peer, person?, SignInMethod::Password).await
}

/// The local administrator account, which can sign in without an identity provider.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LocalAdministrator")]
pub struct AdministratorView {
    email: &'static str,
    set: bool,
    enabled: bool,
}

impl From<Local> for AdministratorView {
    fn from(local: Local) -> Self {
        Self { email: auth::tenancy::LOCAL_ADMINISTRATOR, set: local.is_set, enabled: local.is_enabled }
    }
}

/// GET: whether a password is set and enabled.
pub async fn show(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<Json<AdministratorView>, Failure> {
    let local = blocking(move || password::local(&app.store)).await?;
    Ok(Json(local.into()))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "LocalAdministratorChange")]
#[serde(deny_unknown_fields)]
pub struct Change {
    password: Option<String>,
    enabled: Option<bool>,
    #[serde(default)]
    confirm: bool,
}

/// PUT: sets the password, or enables or disables it.
pub async fn change(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<Change>,
) -> Result<Json<AdministratorView>, Failure> {
    let change = body.read("an object with `password` or `enabled`")?;
    let turn = app.access.hashing.acquire().await.map_err(|error| Failure::fault(&error))?;
    let changed = blocking({
        let app = Arc::clone(&app);
        move || {
            let event = |kind, text: &str| Event {
                kind,
                who: Some(person.user),
                about: None,
                cause: None,
                text: text.to_owned(),
                detail: json!({}),
            };
            if let Some(password) = &change.password {
                password::set(&app.store, password, clock::now(), &mut rand::rng())?;
                note(&app, &event("password_set", "The local administrator's password was set"))?;
            }
            if let Some(is_on) = change.enabled {
                switch(&app, is_on, change.confirm)?;
                let (kind, word) = if is_on { ("password_on", "on") } else { ("password_off", "off") };
                note(&app, &event(kind, &format!("Sign-in with a password was switched {word}")))?;
            }
            Ok::<_, Failure>(password::local(&app.store)?)
        }
    })
    .await;
    drop(turn);
    Ok(Json(changed?.into()))
}

fn switch(app: &App, is_on: bool, is_confirmed: bool) -> Result<(), Failure> {
    let settings = app.saml()?;
    let reasons = app.store.transaction(&Caller::system(), |rows| {
        let reasons =
            if is_on || is_confirmed { Vec::new() } else { lock_out::without_password(rows, &settings)? };
        if reasons.is_empty() {
            password::switch(rows, is_on, clock::now())?;
        }
        Ok::<_, StoreError>(reasons)
    })?;
    if reasons.is_empty() { Ok(()) } else { Err(would_lock_out(&reasons)) }
}

/// The response that asks for confirmation before a change that would lock people out.
pub fn would_lock_out(reasons: &[lock_out::Reason]) -> Failure {
    let words = "This would lock people out. Send it again with \"confirm\": true to do it all the same";
    let reasons = reasons.iter().map(|reason| json!({ "code": reason.code, "text": reason.text })).collect();
    Failure::new(StatusCode::CONFLICT, "would_lock_out", words)
        .with("reasons", serde_json::Value::Array(reasons))
}
