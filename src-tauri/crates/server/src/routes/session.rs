//! A browser's session: by a one-time link or an API token it begins, by signing out it ends.

use crate::app::{App, blocking};
use crate::caller::{SignedIn, check_site, find_session, session_secret};
use crate::clock;
use crate::error::Failure;
use crate::routes::{Sent, parse_body, token};
use auth::Person;
use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who is signed in.
#[derive(Serialize)]
struct Session {
    email: String,
    name: String,
    tenant: Tenant,
    roles: Vec<&'static str>,
}

#[derive(Serialize)]
struct Tenant {
    id: String,
    name: String,
}

impl From<Person> for Session {
    fn from(person: Person) -> Self {
        Self {
            email: person.email,
            name: person.name,
            tenant: Tenant { id: person.tenant.to_string(), name: person.tenant_name },
            roles: person.roles.iter().map(|role| role.name()).collect(),
        }
    }
}

#[derive(Deserialize)]
struct Link {
    code: String,
}

/// GET: who this is.
pub async fn show(SignedIn(person): SignedIn) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(Session::from(person))).into_response()
}

/// POST: signs a browser in with the pair of an API token.
pub async fn sign_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let person = token::check(&app, &body).await?;
    begin(&app, &headers, person).await
}

/// POST: spends the code of a one-time link.
pub async fn follow_link(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let link: Link = parse_body(&body, "an object with the text `code`")?;
    let (store, now) = (app.store.clone(), clock::now());
    let guest = app.links.spend(&link.code, now);
    let person = blocking(move || match guest {
        Some(guest) => auth::person::find(&store, guest.user, guest.tenant),
        None => auth::one_time_code::spend(&store, &link.code, now),
    })
    .await?;
    begin(&app, &headers, person).await
}

/// POST: ends the session and takes the cookie back.
pub async fn sign_out(
    State(app): State<Arc<App>>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if let Some(secret) = session_secret(&headers, &app) {
        check_site(&app.names, &method, &headers)?;
        if let Some(found) = find_session(&app, secret).await? {
            let later = Arc::clone(&app);
            blocking(move || {
                later.later.end(found.id);
                Ok::<_, Failure>(())
            })
            .await?;
        }
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie(&app, &headers, "", 0))]).into_response())
}

async fn begin(app: &Arc<App>, headers: &HeaderMap, person: Person) -> Result<Response, Failure> {
    let (secret, begun) = auth::session::begin(&person, app.session_lifetime, clock::now(), &mut rand::rng());
    let later = Arc::clone(app);
    blocking(move || {
        later.later.begin(begun);
        Ok::<_, Failure>(())
    })
    .await?;
    tracing::info!(user = %person.user, "signed in");
    let seconds = app.session_lifetime.as_secs();
    let head = [(SET_COOKIE, cookie(app, headers, &secret, seconds)), (CACHE_CONTROL, "no-store".to_owned())];
    Ok((head, Json(Session::from(person))).into_response())
}

fn cookie(app: &App, headers: &HeaderMap, secret: &str, seconds: u64) -> String {
    // Behind a proxy that speaks TLS, only the page knows.
    let is_https = headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let secure = if is_https { "; Secure" } else { "" };
    format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}", app.cookie_name())
}
