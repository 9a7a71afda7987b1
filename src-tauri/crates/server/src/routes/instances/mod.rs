//! Remote instances: manages them, signs in to them and queries them through this service; only for the local user of this computer.
//!
//! The page refers to an instance by its id. Addresses and credentials are handled by the crate `remote`.

mod shown;

use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::rest::argument::Argument;
use crate::rest::operation::Operation;
use crate::rest::{Access, Alphabetical, Created, JsonBody, NoStore};
use auth::Person;
use auth::saml::certificate;
use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::NoContent;
use remote::vault::{FileState, Keeping};
use remote::{Course, Instance, InstanceSettings, Mode, RemoteError, Remotes, Report};
use schemars::JsonSchema;
use serde::Deserialize;
use shown::{
    AddedInstance, BegunSignIn, InstanceList, InstanceView, KeyFile, KeyringState, Look, ThisComputer,
};
use std::sync::Arc;
use uuid::Uuid;

/// The local administrator, on a service that only this computer can reach. The keys to instances belong to them; a service for many people stores
/// none.
pub struct Keeper(pub Arc<Remotes>);

impl Argument for Keeper {
    fn describe(operation: &mut Operation) {
        operation.access = Access::LocalAdministrator;
    }
}

impl FromRequestParts<Arc<App>> for Keeper {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let SignedIn(Person { user, .. }) = SignedIn::from_request_parts(parts, app).await?;
        if are_used_by(app, user) {
            return Ok(Self(Arc::clone(&app.instances.remotes)));
        }
        Err(Failure::new(
            StatusCode::FORBIDDEN,
            "not_at_this_computer",
            "Other instances are used from Quarterdeck on one's own computer, as its local administrator",
        ))
    }
}

/// Whether a user connects to remote instances from here.
pub fn are_used_by(app: &App, user: Uuid) -> bool {
    app.access.is_for_this_computer && user == app.instances.keeper
}

fn shown(remotes: &Remotes, instance: Instance) -> Result<InstanceView, RemoteError> {
    let (copy_bytes, copy_of) = remotes.kept(instance.id)?;
    let text = auth::saml::time::text;
    let own = instance.authorities.as_deref().map(certificate::parse_all).transpose().unwrap_or_default();
    let now = clock::now();
    let proxy_signs_in = instance.proxy_signs_in();
    Ok(InstanceView {
        id: instance.id.to_string(),
        sign_in: remotes.course(instance.id),
        name: instance.name,
        colour: instance.colour,
        address: instance.address,
        own_authorities: own.unwrap_or_default().iter().map(|one| one.details(now)).collect(),
        proxy_signs_in,
        proxy: instance.proxy,
        plain_accepted: instance.plain_accepted,
        keeps_copies: instance.keeps_copies,
        kept_in: instance.kept_in,
        email: instance.email,
        tenant: instance.tenant_name,
        version: instance.version,
        seen_at: instance.seen_at.map(text),
        copy_bytes,
        copy_of: copy_of.map(text),
    })
}

/// GET: all instances, and the state of the key file.
pub async fn list(
    State(app): State<Arc<App>>,
    Keeper(remotes): Keeper,
) -> Result<NoStore<Alphabetical<InstanceList>>, Failure> {
    let (address, data_dir) = (app.facts.address.to_string(), app.facts.data_dir.display().to_string());
    let body = blocking(move || {
        let all: Result<Vec<InstanceView>, RemoteError> =
            remotes.list()?.into_iter().map(|instance| shown(&remotes, instance)).collect();
        Ok::<_, RemoteError>(InstanceList {
            here: ThisComputer { address, version: env!("CARGO_PKG_VERSION"), data_dir },
            instances: all?,
            file: remotes.vault().file(),
            colours: remote::COLOURS.to_vec(),
        })
    })
    .await?;
    Ok(NoStore(Alphabetical(body)))
}

/// GET: whether the keyring of this system can store and return a key.
pub async fn keyring(Keeper(remotes): Keeper) -> Result<Json<KeyringState>, Failure> {
    let probed = blocking(move || Ok::<_, RemoteError>(remotes.vault().probe(&mut rand::rng()))).await?;
    let why = probed.err().map(|error| error.to_string());
    Ok(Json(KeyringState { works: why.is_none(), why }))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "KeyFilePassphrase")]
pub struct Passphrase {
    passphrase: String,
}

/// POST: unlocks the key file, or creates it with this passphrase.
pub async fn unlock(Keeper(remotes): Keeper, body: JsonBody<Passphrase>) -> Result<Json<KeyFile>, Failure> {
    let sent = body.read("an object with the text `passphrase`")?;
    let file = blocking(move || {
        remotes.vault().unlock(&sent.passphrase, &mut rand::rng()).map_err(RemoteError::from)?;
        Ok::<FileState, RemoteError>(remotes.vault().file())
    })
    .await?;
    Ok(Json(KeyFile { file }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InstancePlace {
    address: String,
    authorities: Option<String>,
    proxy: Option<String>,
    #[serde(default)]
    plain_accepted: bool,
}

/// Details of the certificates of another machine, for display; those that cannot be parsed are omitted.
pub fn certificates_shown(certificates: Vec<Vec<u8>>, now: i64) -> Vec<certificate::Details> {
    let read = certificates.into_iter().filter_map(certificate::read);
    read.map(|certificate| certificate.details(now)).collect()
}

/// The result of checking an address, for display.
fn told(report: Report) -> Look {
    let now = clock::now();
    let (found, error) = match report.found {
        Ok(about) => (Some(about), None),
        Err(error) => (None, Some(error)),
    };
    Look {
        address: report.address,
        encrypted: report.is_encrypted,
        certificates: certificates_shown(report.certificates, now),
        took: report.took,
        checked_at: auth::saml::time::text(now),
        saml: found.as_ref().map(|about| about.sign_in.saml),
        version: found.map(|about| about.version),
        trouble: error.as_ref().map(code),
        message: error.map(|error| error.to_string()),
    }
}

/// POST: checks an address before it is added.
pub async fn look(
    Keeper(remotes): Keeper,
    body: JsonBody<InstancePlace>,
) -> Result<Json<Alphabetical<Look>>, Failure> {
    let place = body.read("an object with the text `address`")?;
    let report = remotes
        .look(&place.address, place.authorities.as_deref(), place.proxy.as_deref(), place.plain_accepted)
        .await?;
    Ok(Json(Alphabetical(told(report))))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInstance {
    name: String,
    colour: String,
    address: String,
    authorities: Option<String>,
    proxy: Option<String>,
    #[serde(default)]
    plain_accepted: bool,
    #[serde(default = "yes")]
    keeps_copies: bool,
}

fn yes() -> bool {
    true
}

/// POST: adds an instance.
pub async fn add(
    Keeper(remotes): Keeper,
    body: JsonBody<NewInstance>,
) -> Result<Created<Json<AddedInstance>>, Failure> {
    let added = body.read("an object with the texts `name`, `colour` and `address`")?;
    let id = blocking(move || {
        let wanted = InstanceSettings {
            name: added.name,
            colour: added.colour,
            address: added.address,
            authorities: added.authorities,
            proxy: added.proxy,
            plain_accepted: added.plain_accepted,
            keeps_copies: added.keeps_copies,
        };
        remotes.add(wanted, &mut rand::rng())
    })
    .await?;
    Ok(Created(Json(AddedInstance { id: id.to_string() })))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InstanceChange {
    name: Option<String>,
    colour: Option<String>,
    address: Option<String>,
    /// Certificate authorities to trust, as PEM. An empty text removes them.
    authorities: Option<String>,
    proxy: Option<String>,
    plain_accepted: Option<bool>,
    keeps_copies: Option<bool>,
}

/// PUT: changes the given properties and leaves the others.
pub async fn change(
    Keeper(remotes): Keeper,
    Path(id): Path<String>,
    body: JsonBody<InstanceChange>,
) -> Result<NoContent, Failure> {
    let id = parse_id(&id)?;
    let changed = body.read("an object with what is to change")?;
    blocking(move || {
        let known = remotes.find(id)?;
        let wanted = InstanceSettings {
            name: changed.name.unwrap_or(known.name),
            colour: changed.colour.unwrap_or(known.colour),
            address: changed.address.unwrap_or(known.address),
            authorities: changed.authorities.or(known.authorities),
            proxy: changed.proxy.or(known.proxy),
            plain_accepted: changed.plain_accepted.unwrap_or(known.plain_accepted),
            keeps_copies: changed.keeps_copies.unwrap_or(known.keeps_copies),
        };
        remotes.change(id, wanted)
    })
    .await?;
    Ok(NoContent)
}

/// DELETE: signs out of an instance, and removes it with its stored copies.
pub async fn remove(Keeper(remotes): Keeper, Path(id): Path<String>) -> Result<NoContent, Failure> {
    let id = parse_id(&id)?;
    match remotes.sign_out(id).await {
        // A user who forgot the passphrase can still remove the instance; the key expires by itself.
        Ok(()) | Err(RemoteError::Vault(remote::VaultError::Locked)) => {}
        Err(error) => return Err(error.into()),
    }
    blocking(move || remotes.remove(id)).await?;
    Ok(NoContent)
}

/// POST: checks a known instance.
pub async fn check(
    Keeper(remotes): Keeper,
    Path(id): Path<String>,
) -> Result<Json<Alphabetical<Look>>, Failure> {
    Ok(Json(Alphabetical(told(remotes.check(parse_id(&id)?).await?))))
}

/// DELETE: deletes the stored copies of an instance.
pub async fn forget(Keeper(remotes): Keeper, Path(id): Path<String>) -> Result<NoContent, Failure> {
    let id = parse_id(&id)?;
    blocking(move || remotes.forget_copies(id)).await?;
    Ok(NoContent)
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "InstanceSignIn")]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// `browser`, or `code` if the browser is on another computer.
    #[schemars(extend("enum" = ["browser", "code"]))]
    mode: String,
    #[schemars(with = "Keeping")]
    keep_in: String,
}

/// POST: begins a sign-in. Returns the address that the system's browser must open.
pub async fn begin_sign_in(
    Keeper(remotes): Keeper,
    Path(id): Path<String>,
    body: JsonBody<SignIn>,
) -> Result<Json<BegunSignIn>, Failure> {
    let id = parse_id(&id)?;
    let sent = body.read("an object with the texts `mode` and `keep_in`")?;
    let mode = match sent.mode.as_str() {
        "browser" => Mode::Browser,
        "code" => Mode::Code,
        _ => return Err(Failure::bad_request("`mode`: expected browser or code")),
    };
    let keeping = Keeping::find(&sent.keep_in)
        .ok_or_else(|| Failure::bad_request("`keep_in`: expected keyring, file or run"))?;
    let mut rng = auth_rng();
    let begun = remotes.begin_sign_in(id, mode, keeping, &device_name(), &mut rng).await?;
    Ok(Json(BegunSignIn {
        mark: auth::device::mark(&begun.challenge),
        seconds: begun.seconds_left(clock::now()),
        address: begun.address.into(),
    }))
}

/// A random number generator that is `Send`, to be held across await points.
fn auth_rng() -> impl rand::CryptoRng + Send {
    use rand::SeedableRng;
    rand::rngs::StdRng::from_os_rng()
}

/// The name of this computer, shown to the user who admits it.
fn device_name() -> String {
    let kept = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric() || "-_. ".contains(*letter)).take(60).collect()
    };
    let hostname = std::env::var("HOSTNAME")
        .or_else(|_| std::env::var("COMPUTERNAME"))
        .ok()
        .or_else(|| std::fs::read_to_string("/etc/hostname").ok())
        .map(|name| kept(name.trim()))
        .filter(|name| !name.is_empty());
    hostname.unwrap_or_else(|| "A computer".to_owned())
}

/// GET: the state of the sign-in.
pub async fn course(Keeper(remotes): Keeper, Path(id): Path<String>) -> Result<Json<Course>, Failure> {
    Ok(Json(remotes.course(parse_id(&id)?)))
}

/// DELETE: cancels a sign-in.
pub async fn cancel(Keeper(remotes): Keeper, Path(id): Path<String>) -> Result<NoContent, Failure> {
    remotes.cancel_sign_in(parse_id(&id)?);
    Ok(NoContent)
}

#[derive(Deserialize, JsonSchema)]
pub struct CarriedCode {
    code: String,
}

/// POST: finishes a sign-in with a code that the user copied from the browser.
pub async fn finish(
    Keeper(remotes): Keeper,
    Path(id): Path<String>,
    body: JsonBody<CarriedCode>,
) -> Result<NoContent, Failure> {
    let carried = body.read("an object with the text `code`")?;
    remotes.finish_with_code(parse_id(&id)?, &carried.code).await?;
    Ok(NoContent)
}

/// POST: signs this computer out of an instance.
pub async fn sign_out(Keeper(remotes): Keeper, Path(id): Path<String>) -> Result<NoContent, Failure> {
    remotes.sign_out(parse_id(&id)?).await?;
    Ok(NoContent)
}

pub fn parse_id(text: &str) -> Result<Uuid, Failure> {
    Uuid::parse_str(text).map_err(|_| RemoteError::Unknown.into())
}

/// The error code of an error, for the page.
fn code(error: &RemoteError) -> &'static str {
    match error {
        RemoteError::Unknown => "instance_unknown",
        RemoteError::Known { .. } => "instance_known",
        RemoteError::Address(remote::AddressError::Plain { .. }) => "plain_http",
        RemoteError::Name | RemoteError::Colour | RemoteError::Address(_) | RemoteError::Authorities(_) => {
            "bad_request"
        }
        RemoteError::Proxy { .. } => "proxy_secret",
        RemoteError::Away(fault) => match fault.trouble {
            outgoing::FaultKind::Certificate => "certificate",
            _ => "instance_unreachable",
        },
        RemoteError::Resting { .. } => "instance_unreachable",
        RemoteError::Strange { .. } => "instance_strange",
        RemoteError::SignedOut { .. } => "instance_signed_out",
        RemoteError::Refused { .. } => "sign_in_refused",
        RemoteError::NotBegun => "no_sign_in",
        RemoteError::NotRelayed { .. } => "not_relayed",
        RemoteError::TooLarge { .. } => "body_too_long",
        RemoteError::Port(_) => "no_port",
        RemoteError::Vault(remote::VaultError::Locked) => "instance_locked",
        RemoteError::Vault(remote::VaultError::WrongPassphrase) => "wrong_passphrase",
        RemoteError::Vault(remote::VaultError::WeakPassphrase) => "weak_passphrase",
        RemoteError::Vault(_) => "keyring",
        RemoteError::Store(_) | RemoteError::Interrupted(_) => "internal",
    }
}

impl From<RemoteError> for Failure {
    fn from(error: RemoteError) -> Self {
        let code = code(&error);
        let status = match code {
            "instance_unknown" => StatusCode::NOT_FOUND,
            "instance_known" | "no_sign_in" | "proxy_secret" => StatusCode::CONFLICT,
            "instance_signed_out" | "instance_locked" | "sign_in_refused" | "wrong_passphrase" => {
                StatusCode::UNAUTHORIZED
            }
            "instance_unreachable" | "keyring" | "no_port" => StatusCode::SERVICE_UNAVAILABLE,
            "certificate" | "instance_strange" => StatusCode::BAD_GATEWAY,
            "not_relayed" => StatusCode::FORBIDDEN,
            "body_too_long" => StatusCode::PAYLOAD_TOO_LARGE,
            "internal" => {
                return match error {
                    RemoteError::Store(error) => error.into(),
                    error => Self::fault(&error),
                };
            }
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, code, error.to_string())
    }
}
