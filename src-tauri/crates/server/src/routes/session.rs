//! Browser sessions: begun with a one-time link or an API token, ended by signing out.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{SignedIn, check_site, find_session};
use crate::guard::login_tokens::Validity;
use crate::guard::session_cookie::{SessionSecret, To, give, take_back};
use crate::listen::peer::Peer;
use crate::rest::{JsonBody, NoStore};
use crate::routes::Address;
use crate::routes::tenants::{Reach, Session, told};
use crate::routes::token::{self, Credentials};
use auth::Person;
use auth::session::{NewSession, SignInMethod};
use axum::Json;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::header::{CACHE_CONTROL, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::response::NoContent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "LinkCode")]
pub struct Link {
    code: String,
}

/// The signed-in user, and the cookie of the session.
pub type WithCookie = ([(HeaderName, String); 2], Json<Session>);
/// The cookie that ends the session in the browser.
pub type SignedOut = ([(HeaderName, String); 1], NoContent);

/// POST: signs a browser in with e-mail address and secret of an API token.
pub async fn sign_in(
    State(app): State<Arc<App>>,
    address: Address,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: JsonBody<Credentials>,
) -> Result<WithCookie, Failure> {
    let person = token::check(&app, &body, address).await?;
    begin(&app, &headers, &peer, person, SignInMethod::Token).await
}

/// POST: signs a browser in with the code of a one-time link.
pub async fn follow_link(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: JsonBody<Link>,
) -> Result<WithCookie, Failure> {
    let link = body.read("an object with the text `code`")?;
    let (store, now) = (app.store.clone(), clock::now());
    let guest = app.access.login_tokens.spend(&link.code, now, || peer.is_own_user());
    // The window gets another link at each start, therefore it does not need this session after a crash.
    let is_of_window = matches!(guest, Some((_, Validity::Held)));
    let person = blocking(move || match guest {
        Some((guest, _)) => auth::person::find(&store, guest.user, guest.tenant),
        None => auth::one_time_code::spend(&store, &link.code, now),
    })
    .await?;
    if is_of_window {
        let (begun, cookie) = draw_session(&app, &headers, To::Window, &person, SignInMethod::Window, None);
        app.access.sessions.begin_unwaited(begun);
        return signed_in(&app, person, cookie).await;
    }
    begin(&app, &headers, &peer, person, SignInMethod::Link).await
}

/// POST: ends the session and deletes its cookie.
pub async fn sign_out(
    State(app): State<Arc<App>>,
    SessionSecret(secret): SessionSecret,
    method: Method,
    headers: HeaderMap,
) -> Result<SignedOut, Failure> {
    if let Some(secret) = secret {
        check_site(&app.access.hosts, &method, &headers)?;
        if let Some(found) = find_session(&app.access, secret).await? {
            let state = Arc::clone(&app);
            blocking(move || Ok::<_, Failure>(state.access.sessions.end(found.id)?)).await?;
        }
    }
    Ok(([(SET_COOKIE, take_back(&app.access, &headers))], NoContent))
}

/// Begins a session and returns the signed-in user.
pub async fn begin(
    app: &Arc<App>,
    headers: &HeaderMap,
    peer: &Peer,
    person: Person,
    way: SignInMethod,
) -> Result<WithCookie, Failure> {
    let cookie = begin_session(app, headers, To::Peer(peer), &person, way, None).await?;
    signed_in(app, person, cookie).await
}

async fn signed_in(app: &Arc<App>, person: Person, cookie: String) -> Result<WithCookie, Failure> {
    let head = [(SET_COOKIE, cookie), (CACHE_CONTROL, "no-store".to_owned())];
    Ok((head, Json(told(app, person).await?)))
}

/// Begins a session and returns its cookie. The session ends at `until` (µs since 1970 UTC) at the latest, if given.
pub async fn begin_session(
    app: &Arc<App>,
    headers: &HeaderMap,
    to: To<'_>,
    person: &Person,
    way: SignInMethod,
    until: Option<i64>,
) -> Result<String, Failure> {
    let (begun, cookie) = draw_session(app, headers, to, person, way, until);
    let state = Arc::clone(app);
    blocking(move || {
        state.access.sessions.begin(begun);
        Ok::<_, Failure>(())
    })
    .await?;
    Ok(cookie)
}

/// Creates a session, which is valid once it is passed to the session writer, and its cookie. It ends at `until` at the latest.
fn draw_session(
    app: &App,
    headers: &HeaderMap,
    to: To<'_>,
    person: &Person,
    way: SignInMethod,
    until: Option<i64>,
) -> (NewSession, String) {
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let now = clock::now();
    let left = until.map(|until| Duration::from_micros(u64::try_from(until - now).unwrap_or(0)));
    let usual = way.lifetime(app.access.session_lifetime);
    let lifetime = left.map_or(usual, |left| left.min(usual));
    let (secret, begun) = auth::session::begin(person, way, agent, lifetime, now, &mut rand::rng());
    tracing::info!(user = %person.user, "signed in");
    (begun, give(&app.access, headers, to, &secret, lifetime.as_secs()))
}

/// A signed-in browser. Times are ISO 8601 in UTC.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SessionRow")]
pub struct BrowserSession {
    id: String,
    /// The sign-in method.
    #[schemars(with = "Option<WayIn>")]
    way: Option<String>,
    agent: Option<String>,
    created_at: String,
    seen_at: String,
    expires_at: String,
    /// Whether this request belongs to the session.
    current: bool,
    tenant: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Owner")]
    user: Option<Owner>,
}

/// A sign-in method.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "the words of the column `way`, for the document")]
enum WayIn {
    Window,
    Saml,
    Password,
    Link,
    Token,
}

/// The user that a session or device belongs to.
#[derive(Serialize, JsonSchema)]
pub struct Owner {
    pub id: String,
    pub email: String,
    pub name: String,
}

/// Selects whose sessions to list.
#[derive(Deserialize, JsonSchema)]
pub struct SessionsQuery {
    /// `everyone` for the sessions of all users of the tenant. Omitted for the caller's own.
    pub of: Option<String>,
}

/// GET: the sessions of the caller in every tenant; with `?of=everyone`, those of the tenant, for its administrators.
pub async fn list(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    reach: Reach,
    Query(whose): Query<SessionsQuery>,
    SessionSecret(secret): SessionSecret,
) -> Result<NoStore<Vec<BrowserSession>>, Failure> {
    let everyone = match whose.of.as_deref() {
        None => false,
        Some("everyone") if person.roles.contains(&catalogue::Role::TenantAdmin) => true,
        Some("everyone") => return Err(only_administrators()),
        Some(_) => return Err(Failure::bad_request("`of` can be everyone, or left out")),
    };
    let current = match secret {
        Some(secret) => find_session(&app.access, secret).await?.map(|found| found.id),
        None => None,
    };
    let store = app.store.clone();
    let found = blocking(move || {
        let (tenant, user) =
            if everyone { (Some(person.tenant), None) } else { (reach.of(&person), Some(person.user)) };
        auth::session::list(&store, tenant, user, clock::now())
    })
    .await?;
    let text = auth::saml::time::text;
    let listed = found
        .into_iter()
        .map(|session| BrowserSession {
            id: session.id.to_string(),
            way: session.way,
            agent: session.agent,
            created_at: text(session.created_at),
            seen_at: text(session.seen_at),
            expires_at: text(session.expires_at),
            current: current == Some(session.id),
            tenant: session.tenant_name,
            user: everyone.then_some(Owner {
                id: session.user.to_string(),
                email: session.email,
                name: session.name,
            }),
        })
        .collect();
    Ok(NoStore(listed))
}

/// DELETE: ends a session of the caller, or one of the tenant for its administrators.
pub async fn end(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    reach: Reach,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    let is_administrator = person.roles.contains(&catalogue::Role::TenantAdmin);
    blocking(move || {
        let now = clock::now();
        let mut sessions = auth::session::list(&app.store, reach.of(&person), Some(person.user), now)?;
        if is_administrator {
            sessions.extend(auth::session::list(&app.store, Some(person.tenant), None, now)?);
        }
        let session = sessions.into_iter().find(|session| session.id.to_string() == id);
        let Some(session) = session else {
            return Err(Failure::new(
                StatusCode::NOT_FOUND,
                "not_found",
                "There is no such session, or it has ended",
            ));
        };
        app.access.sessions.end(session.id)?;
        let event = auth::security_log::Event {
            kind: "session_ended",
            who: Some(person.user),
            about: Some(session.user),
            cause: None,
            text: format!("A session of {} was ended", session.email),
            detail: serde_json::json!({}),
        };
        note(&app, &event)?;
        Ok(NoContent)
    })
    .await
}

/// POST: ends all sessions and devices of the caller, including this session.
pub async fn sign_out_everywhere(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    headers: HeaderMap,
) -> Result<SignedOut, Failure> {
    let state = Arc::clone(&app);
    blocking(move || {
        state.access.sessions.end_all(person.user)?;
        auth::device::revoke_all(&state.store, person.user, clock::now())?;
        let event = auth::security_log::Event {
            kind: "signed_out_everywhere",
            who: Some(person.user),
            about: Some(person.user),
            cause: None,
            text: format!("{} signed out everywhere", person.email),
            detail: serde_json::json!({}),
        };
        note(&state, &event)
    })
    .await?;
    Ok(([(SET_COOKIE, take_back(&app.access, &headers))], NoContent))
}

/// Writes an event to the security log. Blocks the thread.
pub fn note(app: &App, event: &auth::security_log::Event<'_>) -> Result<(), Failure> {
    let system = catalogue::Caller::system();
    app.store
        .transaction(&system, |rows| auth::security_log::note(rows, event, clock::now(), &mut rand::rng()))
        .map_err(Failure::from)
}

fn only_administrators() -> Failure {
    Failure::new(
        StatusCode::FORBIDDEN,
        "forbidden",
        "Only administrators of the tenant see everybody's sessions",
    )
}
