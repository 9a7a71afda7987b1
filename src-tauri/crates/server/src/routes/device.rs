//! Sign-in of desktop programs: requested in the browser, confirmed by the user, and continued with rotating tokens.
//!
//! Consent requires a session cookie and this service's own page (`caller::check_site`): neither an API token nor another desktop can give it. The
//! answer is sent to a port of the user's own computer, or shown to the user.

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{Browser, SignedIn};
use crate::rest::{Alphabetical, JsonBody, NoStore};
use crate::routes::session::{Owner, SessionsQuery, note};
use crate::routes::tenants::{Choice, Reach};
use crate::routes::{Address, tenants};
use auth::device::{self, DeviceError, DeviceReport, Request};
use auth::security_log::Event;
use auth::tenants::in_tenant;
use auth::throttle::Attempt;
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, NoContent, Response};
use catalogue::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use uuid::Uuid;

/// The page that asks for consent. Like every page, it requires sign-in.
const PAGE: &str = "/device";

/// GET: the address to which a desktop sends the browser. It always redirects to a page of this service.
pub async fn authorize(RawQuery(query): RawQuery) -> Result<Response, Failure> {
    let query = query.unwrap_or_default();
    let mut response = (StatusCode::SEE_OTHER, [(CACHE_CONTROL, "no-store")]).into_response();
    let location =
        HeaderValue::from_str(&format!("{PAGE}?{query}")).map_err(|error| Failure::fault(&error))?;
    response.headers_mut().insert(LOCATION, location);
    Ok(response)
}

/// Parses the parameters of a request. A parameter that occurs twice counts as missing.
fn read(query: &str) -> Result<Request, Failure> {
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let find = |name: &str| {
        let mut found = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        found.next().filter(|_| found.next().is_none())
    };
    let is_twice = pairs.iter().filter(|(name, _)| name == "redirect_uri").count() > 1;
    if is_twice {
        return Err(Failure::new(
            StatusCode::BAD_REQUEST,
            "bad_device_request",
            "`redirect_uri` stands there twice",
        ));
    }
    Request::read(find)
        .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, "bad_device_request", error.to_string()))
}

/// A sign-in request of a desktop program, for the user to approve.
#[derive(Serialize, JsonSchema)]
pub struct DeviceRequest {
    /// The address that receives the answer. Null if the user enters a code in the desktop program.
    answers_to: Option<String>,
    device: String,
    email: String,
    /// A check value that the desktop program shows too, for comparison.
    mark: String,
    name: String,
    roles: Vec<&'static str>,
    tenant: String,
    /// The user's tenants. The desktop program is approved for one of them.
    tenants: Alphabetical<Vec<Choice>>,
}

/// GET: the request that the user is asked to confirm.
pub async fn show(
    State(app): State<Arc<App>>,
    Browser(person): Browser,
    RawQuery(query): RawQuery,
) -> Result<NoStore<DeviceRequest>, Failure> {
    let request = read(&query.unwrap_or_default())?;
    let choices = tenants::choices(&app, &person).await?;
    Ok(NoStore(DeviceRequest {
        answers_to: request.answers_to().map(str::to_owned),
        mark: device::mark(&request.challenge),
        device: request.device_name,
        email: person.email,
        name: person.name,
        roles: person.roles.iter().map(|role| role.name()).collect(),
        tenant: person.tenant_name,
        tenants: Alphabetical(choices),
    }))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DeviceAnswer")]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The unchanged query string of the consent page.
    request: String,
    allow: bool,
    /// Id of the tenant to approve the desktop program for. The current tenant by default.
    tenant: Option<Uuid>,
}

/// The next step after the decision: a redirect, or a code for the user to enter.
#[derive(Serialize, JsonSchema)]
pub struct DeviceAnswered {
    /// A one-time code, valid for five minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    code: Option<String>,
    redirect: Option<String>,
}

/// POST: the user's decision. Returns the address to continue at, or the code to copy into the desktop program.
pub async fn consent(
    State(app): State<Arc<App>>,
    Browser(person): Browser,
    body: JsonBody<Answer>,
) -> Result<NoStore<DeviceAnswered>, Failure> {
    let expected = "an object with the text `request`, the boolean `allow` and maybe `tenant`, the id of one of your tenants";
    let answer = body.read(expected)?;
    let request = read(answer.request.trim_start_matches('?'))?;
    let body = blocking(move || {
        if !answer.allow {
            let text = format!("{} did not let the desktop {} in", person.email, request.device_name);
            note(&app, &event("device_refused", Some(person.user), person.user, text))?;
            let redirect = request.answer("error", "access_denied");
            return Ok::<_, Failure>(DeviceAnswered { code: None, redirect });
        }
        // A desktop is bound to the tenant it was admitted to.
        let person = match answer.tenant.filter(|tenant| *tenant != person.tenant) {
            Some(tenant) => in_tenant(&app.store, person.user, tenant)?,
            None => person,
        };
        let code = device::allow(&app.store, &person, &request, clock::now(), &mut rand::rng())?;
        Ok(match request.answer("code", &code) {
            Some(address) => DeviceAnswered { code: None, redirect: Some(address) },
            None => DeviceAnswered { code: Some(code), redirect: None },
        })
    })
    .await?;
    Ok(NoStore(body))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DeviceGrant")]
#[serde(tag = "grant", rename_all = "snake_case", deny_unknown_fields)]
pub enum Grant {
    Code {
        code: String,
        verifier: String,
        redirect_uri: Option<String>,
        platform: Option<String>,
        kept_in: Option<String>,
    },
    Refresh {
        refresh_token: String,
    },
}

/// The tokens of a desktop program.
#[derive(Serialize, JsonSchema)]
pub struct DeviceTokens {
    access_token: String,
    device_id: String,
    email: String,
    /// Lifetime of the access token in seconds.
    expires_in: i64,
    name: String,
    refresh_token: String,
    tenant: String,
}

/// POST: exchanges a code, or the latest refresh token, for the next pair of tokens. Failed attempts are delayed increasingly.
pub async fn token(
    State(app): State<Arc<App>>,
    address: Address,
    body: JsonBody<Grant>,
) -> Result<NoStore<DeviceTokens>, Failure> {
    let grant = body.read(
        "an object with `grant` (code: `code`, `verifier`, `redirect_uri`; refresh: `refresh_token`)",
    )?;
    let told = blocking(move || {
        let telling = address.telling();
        let name = match &grant {
            Grant::Code { code, .. } => code,
            Grant::Refresh { refresh_token } => refresh_token,
        };
        let attempt = Attempt::new("device", name, telling.as_deref());
        attempt.check(&app.store, clock::now())?.map_err(Failure::slow_down)?;
        let (now, rng) = (clock::now(), &mut rand::rng());
        let granted = match &grant {
            Grant::Code { code, verifier, redirect_uri, platform, kept_in } => {
                let itself = DeviceReport {
                    platform: platform.as_deref(),
                    kept_in: kept_in.as_deref(),
                    address: telling.as_deref(),
                };
                device::exchange(&app.store, (code, verifier, redirect_uri.as_deref()), itself, now, rng)
            }
            Grant::Refresh { refresh_token } => {
                device::refresh(&app.store, refresh_token, telling.as_deref(), now, rng)
            }
        };
        let granted = match granted {
            Ok(granted) => granted,
            Err(refusal) => {
                if matches!(refusal, DeviceError::CodeSpent | DeviceError::Revoked | DeviceError::Reused) {
                    attempt.failed(&app.store, now)?;
                }
                return Err(refusal.into());
            }
        };
        Ok::<_, Failure>(DeviceTokens {
            access_token: app.access.signer.issue_for_device(&granted.person, granted.device, now),
            device_id: granted.device.to_string(),
            email: granted.person.email,
            expires_in: device::ACCESS_SECONDS,
            name: granted.person.name,
            refresh_token: granted.refresh_token,
            tenant: granted.person.tenant_name,
        })
    })
    .await?;
    Ok(NoStore(told))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DeviceSignOut")]
pub struct Leaving {
    refresh_token: String,
}

/// POST: signs a device out. The response is the same if there is no such device.
pub async fn sign_out(State(app): State<Arc<App>>, body: JsonBody<Leaving>) -> Result<NoContent, Failure> {
    let leaving = body.read("an object with the text `refresh_token`")?;
    blocking(move || {
        if let Some(gone) = device::sign_out(&app.store, &leaving.refresh_token, clock::now())? {
            let text = format!("The desktop {} signed out", gone.name);
            note(&app, &event("device_signed_out", Some(gone.user), gone.user, text))?;
        }
        Ok::<_, Failure>(NoContent)
    })
    .await
}

/// Why a device's access ended.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "the words of the column `revoked_by`, for the document")]
enum RevokedBy {
    Person,
    Device,
    Reuse,
}

/// An approved desktop program. Times are ISO 8601 in UTC.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DeviceRow")]
pub struct DeviceView {
    id: String,
    name: String,
    /// Operating system and version, as reported by the program.
    platform: Option<String>,
    #[schemars(with = "Option<remote::vault::Keeping>")]
    kept_in: Option<String>,
    address: Option<String>,
    created_at: String,
    seen_at: String,
    expires_at: String,
    revoked_at: Option<String>,
    /// Revoked by a person or by the device itself, or because a refresh token was used twice.
    #[schemars(with = "Option<RevokedBy>")]
    revoked_by: Option<String>,
    /// The tenant the program is approved for.
    tenant: String,
    user: Owner,
}

/// GET: the devices of the caller in every tenant; with `?of=everyone`, those of the tenant, for its administrators.
pub async fn list(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    reach: Reach,
    Query(whose): Query<SessionsQuery>,
) -> Result<NoStore<Vec<DeviceView>>, Failure> {
    let everyone = match whose.of.as_deref() {
        None => false,
        Some("everyone") if person.roles.contains(&Role::TenantAdmin) => true,
        Some("everyone") => {
            return Err(Failure::new(
                StatusCode::FORBIDDEN,
                "forbidden",
                "Only administrators of the tenant see everybody's devices",
            ));
        }
        Some(_) => return Err(Failure::bad_request("`of` can be everyone, or left out")),
    };
    let (tenant, user) =
        if everyone { (Some(person.tenant), None) } else { (reach.of(&person), Some(person.user)) };
    let found = blocking(move || device::list(&app.store, tenant, user)).await?;
    let text = auth::saml::time::text;
    let shown = found
        .into_iter()
        .map(|device| DeviceView {
            id: device.id.to_string(),
            name: device.name,
            platform: device.platform,
            kept_in: device.kept_in,
            address: device.address,
            created_at: text(device.created_at),
            seen_at: text(device.seen_at),
            expires_at: text(device.expires_at),
            revoked_at: device.revoked_at.map(text),
            revoked_by: device.revoked_by,
            tenant: device.tenant_name,
            user: Owner { id: device.user.to_string(), email: device.email, name: device.user_name },
        })
        .collect();
    Ok(NoStore(shown))
}

/// DELETE: revokes a device of the caller, or one of the tenant for its administrators. It takes effect with the device's next request.
pub async fn revoke(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    reach: Reach,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    let is_administrator = person.roles.contains(&Role::TenantAdmin);
    blocking(move || {
        let mut devices = device::list(&app.store, reach.of(&person), Some(person.user))?;
        if is_administrator {
            devices.extend(device::list(&app.store, Some(person.tenant), None)?);
        }
        let found = devices.into_iter().find(|device| device.id.to_string() == id);
        let gone = match found {
            Some(found) => device::revoke(&app.store, found.id, "person", clock::now())?,
            None => None,
        };
        let Some(gone) = gone else {
            return Err(Failure::new(
                StatusCode::NOT_FOUND,
                "not_found",
                "There is no such device, or it was revoked already",
            ));
        };
        let text = format!("{} revoked the desktop {}", person.email, gone.name);
        note(&app, &event("device_revoked", Some(person.user), gone.user, text))?;
        Ok(NoContent)
    })
    .await
}

fn event(kind: &'static str, who: Option<Uuid>, about: Uuid, text: String) -> Event<'static> {
    Event { kind, who, about: Some(about), cause: None, text, detail: json!({}) }
}
