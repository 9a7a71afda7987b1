//! SAML sign-in: redirects to the identity provider, receives its response, and begins a session.
//!
//! The provider's page posts across sites, and browsers do not send our cookie with that. Therefore the posted response is verified and stored
//! under a one-time code, and only the next redirect, within this site, begins a session in the browser that began the sign-in.

mod health_report;
mod refusal_report;

pub use health_report::health;
pub use refusal_report::refusal;

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::cookie;
use crate::guard::session_cookie::{To, named};
use crate::listen::peer::Peer;
use crate::routes::session::begin_session;
use crate::secrets::request_key;
use auth::saml::check::{self, ExaminationResult};
use auth::saml::exchange::{self, FinishedSignIn, SignInOptions, SignInStart, local_path};
use auth::saml::refusals;
use auth::saml::report::{self, Exchange};
use auth::saml::settings::{SettingValues, Verifier};
use auth::saml::{Cause, Rejection, RequestSigner, SamlError, Settings, document, idp_metadata, trial};
use auth::session::SignInMethod;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use uuid::Uuid;

/// Lifetime of the cookie of a pending sign-in, seconds. Longer than the sign-in may take, so that a late response is reported as late.
const COOKIE_SECONDS: u64 = 600;

#[derive(Deserialize, JsonSchema)]
pub struct SignInQuery {
    /// The path of this service to redirect to after sign-in.
    next: Option<String>,
}

/// GET: sends the browser to the identity provider.
pub async fn login(
    State(app): State<Arc<App>>,
    Query(wanted): Query<SignInQuery>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let next = wanted.next.as_deref().and_then(local_path).unwrap_or("/").to_owned();
    let browser = browser(&app, &headers);
    let begun = blocking({
        let (app, browser) = (Arc::clone(&app), browser.clone());
        move || {
            let settings = app.saml()?;
            if let Err(refused) = check_enabled(&settings) {
                return Ok::<_, Failure>(Err(refuse(&app, &refused, None, false)));
            }
            let verifier = match settings.verifier() {
                Ok(verifier) => verifier,
                Err(problems) => {
                    let named: Vec<String> = problems
                        .iter()
                        .map(|problem| format!("{} {}", problem.setting, problem.message))
                        .collect();
                    let refused = Rejection::new(Cause::NotConfigured).received(named.join("; "));
                    return Ok(Err(refuse(&app, &refused, None, false)));
                }
            };
            let wish = SignInOptions { browser: &browser, return_to: &next, test: None };
            match begin(&app, &settings, &verifier, wish) {
                Ok(begun) => Ok(Ok(begun)),
                Err(SamlError::Refused(refused)) => Ok(Err(refuse(&app, &refused, None, false))),
                Err(SamlError::Store(error)) => Err(error.into()),
            }
        }
    })
    .await?;
    Ok(match begun {
        Ok(begun) => away(&app, &headers, &browser, begun.location.as_str()),
        Err(page) => go_to(&page),
    })
}

/// Begins a sign-in, with a signed request if the settings require it. Blocks the thread.
pub fn begin(
    app: &App,
    settings: &Settings,
    verifier: &Verifier,
    wish: SignInOptions<'_>,
) -> Result<SignInStart, SamlError> {
    let signer = if settings.signs_requests() { Some(signer(app)?) } else { None };
    exchange::begin(&app.store, verifier, signer.as_ref(), wish, clock::now(), &mut rand::rng())
}

/// The key pair that signs requests, created if missing. Blocks the thread.
fn signer(app: &App) -> Result<RequestSigner, Rejection> {
    request_key::find_or_make(&app.facts.data_dir).map_err(|error| {
        tracing::error!("{}", crate::error::chain(&error));
        Rejection::new(Cause::CannotSign).received(error.to_string())
    })
}

/// Redirects the browser to the provider, with a cookie that identifies the browser when it returns.
pub fn away(app: &App, headers: &HeaderMap, browser: &str, location: &str) -> Response {
    let cookie = named(&browser_cookie(app), headers, &app.access.signer.seal(browser), COOKIE_SECONDS);
    let mut response =
        (StatusCode::FOUND, [(SET_COOKIE, cookie), (CACHE_CONTROL, "no-store".to_owned())]).into_response();
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// The secret of the browser: its existing one, so that sign-ins begun in two tabs both work, or a new one.
pub fn browser(app: &App, headers: &HeaderMap) -> String {
    known_browser(app, headers).unwrap_or_else(|| auth::draw_secret(&mut rand::rng()))
}

fn known_browser(app: &App, headers: &HeaderMap) -> Option<String> {
    let sealed = cookie(headers, &browser_cookie(app))?;
    app.access.signer.open(&sealed).map(str::to_owned)
}

fn browser_cookie(app: &App) -> String {
    format!("{}_saml", app.access.cookie_name())
}

/// POST: the assertion consumer service, which receives the response of the identity provider from the browser.
pub async fn acs(State(app): State<Arc<App>>, request: Request) -> Response {
    let form = read_form(request.into_body()).await;
    let landed = blocking(move || Ok::<_, Failure>(receive(&app, form))).await;
    match landed {
        Ok(page) => go_to(&page),
        Err(failure) => failure.into_response(),
    }
}

/// The posted form.
struct Form {
    response: String,
    relay_state: Option<String>,
}

async fn read_form(body: Body) -> Result<Form, Rejection> {
    let bytes = to_bytes(body, document::MAX_BYTES).await.map_err(|_| {
        Rejection::new(Cause::BodyTooLarge).expected(format!("at most {} bytes", document::MAX_BYTES))
    })?;
    let mut form = Form { response: String::new(), relay_state: None };
    let mut responses = 0;
    for (name, value) in url::form_urlencoded::parse(&bytes) {
        match name.as_ref() {
            "SAMLResponse" => {
                responses += 1;
                form.response = value.into_owned();
            }
            "RelayState" => form.relay_state = Some(value.into_owned()),
            _ => {}
        }
    }
    match responses {
        0 => Err(Rejection::new(Cause::BodyMissing).expected("a form with the field SAMLResponse")),
        1 => Ok(form),
        several => Err(Rejection::new(Cause::BodyTwice).expected("1").received(several.to_string())),
    }
}

/// Verifies the response and returns the path to redirect the browser to. Blocks the thread.
fn receive(app: &App, form: Result<Form, Rejection>) -> String {
    let form = match form {
        Ok(form) => form,
        Err(refused) => return refuse(app, &refused, None, false),
    };
    match receive_form(app, &form) {
        Ok(page) => page,
        Err(SamlError::Refused(refused)) => refuse(app, &refused, None, false),
        Err(SamlError::Store(error)) => {
            tracing::error!("a sign-in could not be finished: {}", crate::error::chain(&error));
            refuse(app, &Rejection::new(Cause::Busy), None, false)
        }
    }
}

fn receive_form(app: &App, form: &Form) -> Result<String, SamlError> {
    let claimed = document::decode(&form.response).ok().and_then(|xml| check::claimed_request(&xml));
    let request = match claimed {
        Some(id) => exchange::find_request(&app.store, &id)?,
        None => None,
    };
    if let Some(test) = request.as_ref().and_then(|request| request.test) {
        return try_out(app, form, test);
    }
    let settings = app.saml()?;
    check_enabled(&settings)?;
    if let Some(state) =
        form.relay_state.as_deref().filter(|state| !state.is_empty() && local_path(state).is_none())
    {
        return Err(Rejection::new(Cause::RelayState)
            .expected("a path of this service")
            .received(state)
            .into());
    }
    let now = clock::now();
    let ExaminationResult { outcome, .. } = check::examine(&form.response, &settings, now);
    let verified = outcome?;
    let accepted =
        exchange::accept(&app.store, &settings, &app.sign_on.deployment, &verified, now, &mut rand::rng());
    match accepted {
        Ok(code) => Ok(format!("/api/auth/saml/finish?code={code}")),
        Err(SamlError::Refused(refused)) => {
            Ok(refuse(app, &refused, Some(&verified.attributes.email.value), false))
        }
        Err(error) => Err(error),
    }
}

/// The response of a test sign-in: verified with the settings it was begun with, and recorded; nothing else changes.
fn try_out(app: &App, form: &Form, test: Uuid) -> Result<String, SamlError> {
    let now = clock::now();
    let page = format!("/settings/single-sign-on?test={test}");
    let Some(trial) = trial::find(&app.store, test)?.filter(|trial| trial.passed.is_none()) else {
        return Err(Rejection::new(Cause::RequestUnknown)
            .expected("a test that was not finished yet")
            .into());
    };
    let settings = Settings::layer(&trial.values, &SettingValues::new(), &app.own_url());
    let examined = check::examine(&form.response, &settings, now);
    let ended = match &examined.outcome {
        Ok(verified) => match exchange::consume(&app.store, verified, now) {
            Ok(_) => Ok(()),
            Err(SamlError::Refused(refused)) => Err(*refused),
            Err(error) => return Err(error),
        },
        Err(_) => Ok(()),
    };
    let report =
        report::build(&app.store, &settings, &app.sign_on.deployment, examined, Exchange::Ended(ended))?;
    if let Some(cause) = report.cause {
        let failed = report.checks.iter().find(|step| step.cause == Some(cause));
        let mut refused = Rejection::new(cause);
        refused.expected = failed.and_then(|step| step.expected.clone());
        refused.received = failed.and_then(|step| step.received.clone());
        let email = report.person.as_ref().map(|person| person.email.as_str());
        refuse(app, &refused, email, true);
    }
    trial::end(&app.store, test, &report, now)?;
    Ok(page)
}

fn check_enabled(settings: &Settings) -> Result<(), Rejection> {
    if settings.is_enabled() {
        return Ok(());
    }
    Err(Rejection::new(Cause::NotEnabled).expected("SAML_ENABLED is true"))
}

/// Records the refusal and returns the path of the page that reports it. Blocks the thread.
fn refuse(app: &App, refused: &Rejection, email: Option<&str>, is_test: bool) -> String {
    let cause = refused.cause.code();
    tracing::warn!(cause, is_test, "a sign-in by SAML was refused");
    match refusals::refuse(&app.store, refused, email, is_test, clock::now(), &mut rand::rng()) {
        Ok(id) => format!("/sign-in?refused={id}"),
        Err(error) => {
            tracing::error!("a refusal could not be written down: {}", crate::error::chain(&error));
            format!("/sign-in?refused={cause}")
        }
    }
}

fn go_to(page: &str) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(CACHE_CONTROL, "no-store")]).into_response();
    let location = HeaderValue::from_str(page).unwrap_or(HeaderValue::from_static("/sign-in"));
    response.headers_mut().insert(LOCATION, location);
    response
}

#[derive(Deserialize, JsonSchema)]
pub struct Finish {
    code: String,
}

/// GET: the redirect target within this site that begins the session.
pub async fn finish(
    State(app): State<Arc<App>>,
    Query(Finish { code }): Query<Finish>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let browser = known_browser(&app, &headers);
    let finished = blocking({
        let app = Arc::clone(&app);
        move || match exchange::finish(&app.store, &code, browser.as_deref(), clock::now()) {
            Ok(finished) => Ok::<_, Failure>(Ok(finished)),
            Err(SamlError::Refused(refused)) => Ok(Err(refuse(&app, &refused, None, false))),
            Err(SamlError::Store(error)) => Err(error.into()),
        }
    })
    .await?;
    match finished {
        Ok(FinishedSignIn { person, return_to, session_ends_at }) => {
            let until = session_ends_at;
            let session =
                begin_session(&app, &headers, To::Peer(&peer), &person, SignInMethod::Saml, until).await?;
            let page = local_path(&return_to).unwrap_or("/");
            let mut response = go_to(page);
            for cookie in [session, named(&browser_cookie(&app), &headers, "", 0)] {
                if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                    response.headers_mut().append(SET_COOKIE, cookie);
                }
            }
            Ok(response)
        }
        Err(page) => Ok(go_to(&page)),
    }
}

/// GET: our SAML metadata, for the identity provider.
pub async fn metadata(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let text = blocking(move || {
        let settings = app.saml()?;
        let signs = settings.signs_requests();
        let found = if signs {
            request_key::find_or_make(&app.facts.data_dir).map(Some)
        } else {
            request_key::find(&app.facts.data_dir)
        };
        let signer = found.map_err(|error| Failure::fault(&error))?;
        let certificate = signer.as_ref().map(|signer| &signer.certificate);
        Ok::<_, Failure>(idp_metadata::of_service(
            &settings.entity_id(),
            &settings.acs_url(),
            certificate,
            signs,
        ))
    })
    .await?;
    let head = [
        (CONTENT_TYPE, "application/samlmetadata+xml"),
        (CONTENT_DISPOSITION, "attachment; filename=\"quarterdeck-metadata.xml\""),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((head, text).into_response())
}
