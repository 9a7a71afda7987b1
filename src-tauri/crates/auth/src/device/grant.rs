//! Issues device tokens: the code after consent, its exchange for tokens, and refresh token rotation.

use super::{CARRIED, GRACE, LISTED, PASTED, PATIENCE, Request, UNUSED, WAITING};
use crate::SignInError;
use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::security_log::{Event, note};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalogue::{Caller, Value, ValueRef};
use model::tables::{device_code, device_token};
use model::{Device, DeviceCode, Read as _, Secret, ZonedTimestamp, row};
use rand::CryptoRng;
use sha2::{Digest, Sha256};
use store::{Store, StoreError, Transaction, eq, is_null, le, lt};
use uuid::Uuid;

/// Why a device gets no tokens. The messages are shown to the user of the desktop.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    #[error(
        "This code was used before, has expired or was not made for this computer. Begin the sign-in again"
    )]
    CodeSpent,
    #[error("This device was signed out or revoked. Sign in again")]
    Revoked,
    #[error(
        "This device's key was used twice, so somebody may have copied it; the device was revoked. Sign in again"
    )]
    Reused,
    #[error("This device was not used for 30 days. Sign in again")]
    Unused,
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error("the database could not be asked about this device")]
    Store(#[from] StoreError),
}

/// The result of an exchange or a refresh. The plain text of both tokens is only in this value.
#[derive(Clone)]
pub struct DeviceGrant {
    pub device: Uuid,
    pub person: Person,
    /// Single use.
    pub refresh_token: String,
}

/// What a device reports about itself when it requests tokens.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeviceReport<'a> {
    pub platform: Option<&'a str>,
    /// Where the desktop stores its refresh token: `keyring`, `file` or `run`.
    pub kept_in: Option<&'a str>,
    /// Network address of the request.
    pub address: Option<&'a str>,
}

row! { struct Waiting from device_code { code_hash } }
row! { struct Token from device_token { device_id, used_at } }

/// Records a user's consent and returns the code for their desktop. Deletes expired codes and devices that ended long ago.
pub fn allow(
    store: &Store,
    person: &Person,
    request: &Request,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, StoreError> {
    let code = draw(rng);
    let validity = if request.redirect_uri.is_some() { CARRIED } else { PASTED };
    store.transaction_within(&Caller::system(), PATIENCE, |rows| {
        rows.delete("device_code", &[le("expires_at", ValueRef::Timestamp(now))])?;
        rows.delete("device", &[lt("expires_at", ValueRef::Timestamp(now - LISTED))])?;
        rows.delete("device", &[lt("revoked_at", ValueRef::Timestamp(now - LISTED))])?;
        let too_many = rows
            .query::<Waiting>()
            .filter(device_code::user_id.eq(person.user))
            .order(device_code::created_at.desc())
            .offset(WAITING - 1)
            .rows()?;
        for code in too_many {
            rows.delete("device_code", &[eq("code_hash", code.code_hash.get().as_str())])?;
        }
        rows.insert(
            "device_code",
            &[
                ("code_hash", fingerprint(&code).as_str().into()),
                ("user_id", person.user.into()),
                ("tenant_id", person.tenant.into()),
                ("challenge", request.challenge.as_str().into()),
                ("redirect_uri", request.redirect_uri.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
                ("device_name", request.device_name.as_str().into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("expires_at", ValueRef::Timestamp(now + validity)),
            ],
        )?;
        write_down(
            rows,
            "device_allowed",
            person,
            format!("{} allowed the desktop {} to sign in", person.email, request.device_name),
            now,
            rng,
        )
    })?;
    Ok(code)
}

/// Exchanges a code for tokens, for the device that holds its verifier. Of two concurrent exchanges one succeeds. A wrong verifier or redirect
/// address invalidates the code too.
pub fn exchange(
    store: &Store,
    code: (&str, &str, Option<&str>),
    itself: DeviceReport<'_>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<DeviceGrant, DeviceError> {
    settle(store, |rows| spend(rows, code, itself, now, rng))
}

fn spend(
    rows: &Transaction<'_>,
    (code, verifier, redirect_uri): (&str, &str, Option<&str>),
    itself: DeviceReport<'_>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<DeviceGrant, DeviceError> {
    let print = fingerprint(code);
    let spent = rows.find::<DeviceCode>(Secret::from(print.as_str()))?;
    rows.delete("device_code", &[eq("code_hash", &print)])?;
    let code = spent.ok_or(DeviceError::CodeSpent)?;
    let is_right = code.expires_at.micros() > now
        && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())) == code.challenge
        && code.redirect_uri.as_deref() == redirect_uri;
    if !is_right {
        return Err(DeviceError::CodeSpent);
    }
    let name = code.device_name;
    let (user, tenant) = (code.user_id.uuid(), code.tenant_id.uuid());
    let person = person::load(rows, user, tenant)?;
    let device = new_id(rng);
    let or_null = |text: Option<&str>| text.map(|text| text.chars().take(80).collect::<String>());
    let (platform, address) = (or_null(itself.platform), or_null(itself.address));
    let kept_in = itself.kept_in.filter(|kept| matches!(*kept, "keyring" | "file" | "run"));
    let cell = |text: &Option<String>| text.clone().map_or(Value::Null, Value::Text);
    let (platform, address) = (cell(&platform), cell(&address));
    rows.insert(
        "device",
        &[
            ("id", device.into()),
            ("user_id", user.into()),
            ("tenant_id", tenant.into()),
            ("name", name.as_str().into()),
            ("platform", platform.borrow()),
            ("kept_in", kept_in.map_or(ValueRef::Null, ValueRef::Text)),
            ("address", address.borrow()),
            ("created_at", ValueRef::Timestamp(now)),
            ("seen_at", ValueRef::Timestamp(now)),
            ("expires_at", ValueRef::Timestamp(now + UNUSED)),
        ],
    )?;
    let refresh_token = next_token(rows, device, now, rng)?;
    let words = format!("The desktop {name} of {} signed in", person.email);
    write_down(rows, "device_signed_in", &person, words, now, rng)?;
    Ok(DeviceGrant { device, person, refresh_token })
}

/// The result of a code or refresh token. A refusal is a value here, because an error would roll the transaction back.
enum Outcome {
    Granted(Box<DeviceGrant>),
    Refused(DeviceError),
}

/// Runs `grant` in one transaction. Changes made before a refusal are committed. If the write lock is not free within [`PATIENCE`], nothing is
/// changed.
fn settle(
    store: &Store,
    grant: impl FnOnce(&Transaction<'_>) -> Result<DeviceGrant, DeviceError>,
) -> Result<DeviceGrant, DeviceError> {
    let outcome = store.transaction_within(&Caller::system(), PATIENCE, |rows| match grant(rows) {
        Ok(granted) => Ok(Outcome::Granted(Box::new(granted))),
        Err(DeviceError::Store(error) | DeviceError::SignIn(SignInError::Store(error))) => Err(error),
        Err(refusal) => Ok(Outcome::Refused(refusal)),
    })?;
    match outcome {
        Outcome::Granted(granted) => Ok(*granted),
        Outcome::Refused(refusal) => Err(refusal),
    }
}

/// Exchanges a refresh token for the next one. A token used before revokes its device, unless the earlier response seems to have been lost (RFC
/// 9700, 4.14.2, allows this exception): see [`got_lost`].
pub fn refresh(
    store: &Store,
    token: &str,
    address: Option<&str>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<DeviceGrant, DeviceError> {
    settle(store, |rows| rotate(rows, token, address, now, rng))
}

fn rotate(
    rows: &Transaction<'_>,
    token: &str,
    address: Option<&str>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<DeviceGrant, DeviceError> {
    let print = fingerprint(token);
    let token = rows.find::<Token>(Secret::from(print.as_str()))?.ok_or(DeviceError::Revoked)?;
    let known = rows.find::<Device>(token.device_id)?.filter(|device| device.revoked_at.is_none());
    let known = known.ok_or(DeviceError::Revoked)?;
    let device = known.id.uuid();
    let person = person::load(rows, known.user_id.uuid(), known.tenant_id.uuid())?;
    let is_again = token.used_at.is_some();
    if let Some(ZonedTimestamp(used_at)) = token.used_at
        && !got_lost(rows, device, &print, used_at, now)?
    {
        super::listing::end(rows, device, "reuse", now)?;
        let words = format!(
            "A used key of the desktop {} of {} came again: it was revoked",
            known.name, person.email
        );
        write_down(rows, "device_token_reused", &person, words, now, rng)?;
        return Err(DeviceError::Reused);
    }
    if known.expires_at.micros() <= now {
        return Err(DeviceError::Unused);
    }
    if is_again {
        // The lost token is marked as used, outside the grace period: if it is presented after all, two clients hold keys of this device.
        let spent = [("used_at", ValueRef::Timestamp(now - GRACE - 1))];
        rows.update("device_token", &[eq("device_id", device), is_null("used_at")], &spent)?;
    } else {
        rows.update("device_token", &[eq("token_hash", &print)], &[("used_at", ValueRef::Timestamp(now))])?;
    }
    rows.delete(
        "device_token",
        &[eq("device_id", device), lt("used_at", ValueRef::Timestamp(now - UNUSED))],
    )?;
    rows.update(
        "device",
        &[eq("id", device)],
        &[
            ("seen_at", ValueRef::Timestamp(now)),
            ("expires_at", ValueRef::Timestamp(now + UNUSED)),
            ("address", address.map_or(ValueRef::Null, ValueRef::Text)),
        ],
    )?;
    let refresh_token = next_token(rows, device, now, rng)?;
    Ok(DeviceGrant { device, person, refresh_token })
}

/// Whether a used token may be used again: it must be the last one used, within [`GRACE`]. Then the token issued for it was not received, or its
/// holder has not used it yet.
fn got_lost(
    rows: &Transaction<'_>,
    device: Uuid,
    print: &str,
    used_at: i64,
    now: i64,
) -> Result<bool, StoreError> {
    if now - used_at > GRACE {
        return Ok(false);
    }
    let later = rows
        .query::<Token>()
        .filter(device_token::device_id.eq(device))
        .filter(device_token::token_hash.ne(print))
        .filter(device_token::used_at.ge(ZonedTimestamp(used_at)));
    Ok(!later.exists()?)
}

fn next_token(
    rows: &Transaction<'_>,
    device: Uuid,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, StoreError> {
    let token = draw(rng);
    rows.insert(
        "device_token",
        &[
            ("token_hash", fingerprint(&token).as_str().into()),
            ("device_id", device.into()),
            ("created_at", ValueRef::Timestamp(now)),
        ],
    )?;
    Ok(token)
}

pub(super) fn write_down(
    rows: &Transaction<'_>,
    kind: &'static str,
    person: &Person,
    text: String,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let (who, about) = (Some(person.user), Some(person.user));
    let event = Event { kind, who, about, cause: None, text, detail: serde_json::json!({}) };
    note(rows, &event, now, rng)
}
