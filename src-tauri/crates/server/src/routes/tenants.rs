//! The signed-in user with their tenants, and switching to another tenant.
//!
//! A browser gets another session when it switches. An API token or the key of a desktop was created for one tenant and stays in it.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{Proof, find_session};
use crate::guard::session_cookie::{self, To};
use crate::listen::peer::Peer;
use crate::rest::argument::Argument;
use crate::rest::operation::Operation;
use crate::rest::{JsonBody, NoStore};
use crate::routes::instances;
use auth::Person;
use auth::tenants::{self, TenantSwitch};
use axum::Json;
use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

/// The signed-in user.
#[derive(Serialize, JsonSchema)]
pub struct Session {
    email: String,
    name: String,
    tenant: Tenant,
    roles: Vec<&'static str>,
    tenants: Vec<Choice>,
    /// Whether the user may use remote instances from here. True only for the local administrator of a service on this computer.
    uses_instances: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TenantName")]
pub struct Tenant {
    id: String,
    name: String,
}

/// A tenant of a user, and the user's roles in it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TenantChoice")]
pub struct Choice {
    id: String,
    name: String,
    roles: Vec<&'static str>,
    /// Whether it is the current tenant.
    current: bool,
}

impl Session {
    /// The user, with the tenants they may switch to.
    fn new(app: &App, person: Person, tenants: Vec<Choice>) -> Self {
        let roles = names(&person);
        let uses_instances = instances::are_used_by(app, person.user);
        let tenant = Tenant { id: person.tenant.to_string(), name: person.tenant_name };
        Self { email: person.email, name: person.name, tenant, roles, tenants, uses_instances }
    }
}

impl Choice {
    fn new(person: Person, current: Uuid) -> Self {
        let roles = names(&person);
        let current = person.tenant == current;
        Self { id: person.tenant.to_string(), name: person.tenant_name, roles, current }
    }
}

fn names(person: &Person) -> Vec<&'static str> {
    person.roles.iter().map(|role| role.name()).collect()
}

/// The tenants of a user, sorted by name.
pub async fn choices(app: &Arc<App>, person: &Person) -> Result<Vec<Choice>, Failure> {
    let (store, user, current) = (app.store.clone(), person.user, person.tenant);
    let found = blocking(move || tenants::of(&store, user)).await?;
    Ok(found.into_iter().map(|person| Choice::new(person, current)).collect())
}

/// The response for a browser signed in as that user.
pub async fn told(app: &Arc<App>, person: Person) -> Result<Session, Failure> {
    let choices = choices(app, &person).await?;
    Ok(Session::new(app, person, choices))
}

/// GET: the signed-in user. An API token gets its own tenant only: the operator of a program need not know the other tenants of its user.
pub async fn show(State(app): State<Arc<App>>, proof: Proof) -> Result<NoStore<Session>, Failure> {
    let person = proof.check(&app.access).await?;
    let is_program = match &proof {
        Proof::Session(_) => false,
        Proof::Bearer(token) => app.access.signer.check(token, clock::now())?.device.is_none(),
    };
    let body = if is_program {
        let own = Choice::new(person.clone(), person.tenant);
        Session::new(&app, person, vec![own])
    } else {
        told(&app, person).await?
    };
    Ok(NoStore(body))
}

/// The tenants in which a request sees its user's own objects, such as sessions.
#[derive(Debug, Clone, Copy)]
pub enum Reach {
    /// All of the user's tenants; for a browser session.
    Everywhere,
    /// The tenant that the token was created for.
    Tenant,
}

impl Reach {
    /// The single tenant, or `None` for all.
    pub fn of(self, person: &Person) -> Option<Uuid> {
        matches!(self, Self::Tenant).then_some(person.tenant)
    }
}

impl FromRequestParts<Arc<App>> for Reach {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        Ok(match Proof::from_request_parts(parts, app).await? {
            Proof::Session(_) => Self::Everywhere,
            Proof::Bearer(_) => Self::Tenant,
        })
    }
}

impl Argument for Reach {
    fn describe(_: &mut Operation) {}
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "TenantWanted")]
#[serde(deny_unknown_fields)]
pub struct TenantChoice {
    tenant: Uuid,
}

/// POST: switches to another tenant of this user within the same sign-in: the session ends, and another one begins that expires no later.
pub async fn choose(
    State(app): State<Arc<App>>,
    proof: Proof,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: JsonBody<TenantChoice>,
) -> Result<Response, Failure> {
    let Proof::Session(secret) = proof else {
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "bound_to_tenant",
            "An API token and the key of a desktop count in the tenant they were made for. For another tenant, make a token or sign in there",
        ));
    };
    let chosen = body.read("an object with `tenant`, the id of one of your tenants")?;
    let found = find_session(&app.access, secret).await?.ok_or_else(Failure::not_authenticated)?;
    if found.person.tenant == chosen.tenant {
        return Ok(NoStore(told(&app, found.person).await?).into_response());
    }
    let (secret, session_move) = TenantSwitch::new(found.id, chosen.tenant, clock::now(), &mut rand::rng());
    let state = Arc::clone(&app);
    let moved = blocking(move || state.access.sessions.go_on(session_move)).await?;
    tracing::info!(user = %moved.person.user, tenant = %moved.person.tenant, "went on in another tenant");
    let left = u64::try_from((moved.expires_at - clock::now()) / 1_000_000).unwrap_or_default();
    let cookie = session_cookie::give(&app.access, &headers, To::Peer(&peer), &secret, left);
    let head = [(SET_COOKIE, cookie), (CACHE_CONTROL, "no-store".to_owned())];
    Ok((head, Json(told(&app, moved.person).await?)).into_response())
}
