//! State between redirecting a browser to the provider and signing it in: requests, used assertions and outcomes.
//!
//! It is stored in the database, so several servers can share a sign-in. Each entry can be used once, even by concurrent calls.

use super::cause::{Cause, Rejection};
use super::check::VerifiedResponse;
use super::idp_metadata::escape;
use super::provision::{self, Deployment};
use super::request_signer::{ALGORITHM, RequestSigner};
use super::settings::{Settings, Verifier};
use super::{SamlError, time};
use crate::SECOND;
use crate::person::{self, Person};
use crate::secret::{draw, fingerprint};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use catalogue::{Caller, ValueRef};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use model::{Read as _, SamlOutcome, SamlRequest, Secret, ZonedTimestamp};
use rand::CryptoRng;
use std::io::Write;
use store::{Store, StoreError, Transaction, eq, le};
use url::{Url, form_urlencoded};
use uuid::Uuid;

/// How long a request and an outcome are valid (contract, "Limits"): a minute, in µs.
pub const VALIDITY: i64 = 60 * SECOND;
/// How long an expired request is remembered, to report the reason for a late response: an hour, in µs.
const REMEMBERED: i64 = 3600 * SECOND;

/// A started sign-in.
#[derive(Debug)]
pub struct SignInStart {
    /// The address to redirect the browser to.
    pub location: Url,
    /// The request's id.
    pub id: String,
}

/// A browser's wish to sign in.
#[derive(Debug, Clone, Copy)]
pub struct SignInOptions<'a> {
    /// The secret in the browser's cookie.
    pub browser: &'a str,
    /// The local path to open after sign-in.
    pub return_to: &'a str,
    /// The dry run the sign-in belongs to.
    pub test: Option<Uuid>,
}

/// Starts a sign-in: stores the request, signs it if there is a signer, and returns the redirect address.
pub fn begin(
    store: &Store,
    verifier: &Verifier,
    signer: Option<&RequestSigner>,
    wish: SignInOptions<'_>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<SignInStart, SamlError> {
    let id = format!("_{}", draw(rng));
    let location = redirect(verifier, signer, &id, wish.return_to, now)?;
    store.transaction::<_, StoreError>(&Caller::system(), |rows| {
        sweep(rows, now)?;
        rows.insert(
            "saml_request",
            &[
                ("id_hash", fingerprint(&id).as_str().into()),
                ("browser_hash", fingerprint(wish.browser).as_str().into()),
                ("return_to", wish.return_to.into()),
                ("test_id", wish.test.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("expires_at", ValueRef::Timestamp(now + VALIDITY)),
            ],
        )
    })?;
    Ok(SignInStart { location, id })
}

fn sweep(rows: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    rows.delete("saml_request", &[le("expires_at", ValueRef::Timestamp(now - REMEMBERED))])?;
    rows.delete("saml_outcome", &[le("expires_at", ValueRef::Timestamp(now))])?;
    rows.delete("saml_used_assertion", &[le("expires_at", ValueRef::Timestamp(now))])?;
    Ok(())
}

/// The address of the HTTP-Redirect binding (SAML bindings, 3.4.4). The query contains the request, deflated and in base64; if signed, followed by
/// the signature of that part of the query exactly as sent.
fn redirect(
    verifier: &Verifier,
    signer: Option<&RequestSigner>,
    id: &str,
    relay_state: &str,
    now: i64,
) -> Result<Url, Rejection> {
    let request = format!(
        concat!(
            r#"<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" "#,
            r#"xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0" IssueInstant="{now}" "#,
            r#"Destination="{entry}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" "#,
            r#"AssertionConsumerServiceURL="{acs}"><saml:Issuer>{issuer}</saml:Issuer>"#,
            r#"<samlp:NameIDPolicy Format="{format}" AllowCreate="true"/></samlp:AuthnRequest>"#
        ),
        id = id,
        now = time::text(now.div_euclid(SECOND) * SECOND),
        entry = escape(verifier.entry_point.as_str()),
        acs = escape(&verifier.acs_url),
        issuer = escape(&verifier.audience),
        format = super::idp_metadata::NAME_ID_FORMAT,
    );
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed = deflate
        .write_all(request.as_bytes())
        .and_then(|()| deflate.finish())
        .expect("a Vec takes every write");
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("SAMLRequest", &STANDARD.encode(packed)).append_pair("RelayState", relay_state);
    let query = match signer {
        None => query.finish(),
        Some(signer) => {
            let content = query.append_pair("SigAlg", ALGORITHM).finish();
            let signature = signer
                .sign(&content)
                .map_err(|error| Rejection::new(Cause::CannotSign).received(error.to_string()))?;
            form_urlencoded::Serializer::new(content).append_pair("Signature", &signature).finish()
        }
    };
    let mut location = verifier.entry_point.clone();
    // The query of the provider's own address stays before the request.
    let whole = match location.query().filter(|own| !own.is_empty()) {
        Some(own) => format!("{own}&{query}"),
        None => query,
    };
    location.set_query(Some(&whole));
    Ok(location)
}

/// The text if it is a path of this service that is safe to redirect to; `None` otherwise.
pub fn local_path(text: &str) -> Option<&str> {
    let is_plain = text.len() <= 2000 && !text.chars().any(|letter| letter.is_control() || letter == '\\');
    (is_plain && text.starts_with('/') && !text.starts_with("//")).then_some(text)
}

/// A request started by this service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub return_to: String,
    pub test: Option<Uuid>,
    browser_hash: String,
    created_at: i64,
    expires_at: i64,
}

/// The request with that id, even if it was used or has expired.
pub fn find_request(store: &Store, id: &str) -> Result<Option<Request>, StoreError> {
    store.snapshot(&Caller::system(), |rows| request(rows, id))
}

fn request(rows: &Transaction<'_>, id: &str) -> Result<Option<Request>, StoreError> {
    let found = rows.find::<SamlRequest>(Secret::from(fingerprint(id)))?;
    Ok(found.map(|row| Request {
        return_to: row.return_to,
        test: row.test_id,
        browser_hash: row.browser_hash.expose(),
        created_at: row.created_at.micros(),
        expires_at: row.expires_at.micros(),
    }))
}

/// Marks the request and the assertion as used. Of two concurrent calls one succeeds.
pub fn consume(store: &Store, verified: &VerifiedResponse, now: i64) -> Result<Request, SamlError> {
    store.transaction(&Caller::system(), |rows| use_up(rows, verified, now))
}

fn use_up(rows: &Transaction<'_>, verified: &VerifiedResponse, now: i64) -> Result<Request, SamlError> {
    sweep(rows, now)?;
    let used = fingerprint(&format!("{}\n{}", verified.issuer, verified.assertion_id));
    let insert = rows.insert(
        "saml_used_assertion",
        &[("id_hash", used.as_str().into()), ("expires_at", ValueRef::Timestamp(verified.ends_at))],
    );
    match insert {
        Err(StoreError::Unique { .. }) => {
            return Err(Rejection::new(Cause::Replayed)
                .received(format!("{} again", verified.assertion_id))
                .into());
        }
        other => other?,
    }
    let unknown = || {
        Rejection::new(Cause::RequestUnknown)
            .expected("a request of the last minute")
            .received(&verified.request)
    };
    let request = request(rows, &verified.request)?.ok_or_else(unknown)?;
    if request.expires_at <= now {
        return Err(Rejection::new(Cause::SessionDataExpired)
            .expected(format!("within {} s", VALIDITY / SECOND))
            .received(format!("after {} s", (now - request.created_at) / SECOND))
            .into());
    }
    if rows.delete("saml_request", &[eq("id_hash", &fingerprint(&verified.request))])? == 0 {
        return Err(unknown().into());
    }
    Ok(request)
}

/// Signs in the person of an accepted response. The browser that started the sign-in still has to exchange the returned code.
///
/// Runs in one transaction. If the user may not sign in, the response is used up all the same.
pub fn accept(
    store: &Store,
    settings: &Settings,
    deployment: &Deployment,
    verified: &VerifiedResponse,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, SamlError> {
    let code = draw(rng);
    store.transaction(&Caller::system(), |rows| {
        let request = use_up(rows, verified, now)?;
        let found = match provision::find(rows, settings, deployment, verified) {
            Ok(found) => found,
            Err(SamlError::Refused(refused)) => return Ok(Err(SamlError::Refused(refused))),
            Err(error) => return Err(error),
        };
        let provisioned = found.provision(rows, settings, verified, now, rng)?;
        rows.insert(
            "saml_outcome",
            &[
                ("code_hash", fingerprint(&code).as_str().into()),
                ("browser_hash", request.browser_hash.as_str().into()),
                ("user_id", provisioned.user.into()),
                ("tenant_id", provisioned.tenant.into()),
                ("return_to", request.return_to.as_str().into()),
                ("session_ends_at", verified.session_ends_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
                ("created_at", ValueRef::Timestamp(now)),
                ("expires_at", ValueRef::Timestamp(now + VALIDITY)),
            ],
        )?;
        Ok(Ok(()))
    })??;
    Ok(code)
}

/// A completed sign-in.
#[derive(Debug)]
pub struct FinishedSignIn {
    pub person: Person,
    /// The local path to open.
    pub return_to: String,
    /// When the provider's session ends, in µs, if the provider states it.
    pub session_ends_at: Option<i64>,
}

/// Completes a sign-in in the browser that started it. A code works once; an attempt by another browser uses it up.
pub fn finish(
    store: &Store,
    code: &str,
    browser: Option<&str>,
    now: i64,
) -> Result<FinishedSignIn, SamlError> {
    let mine = fingerprint(code);
    let found = store.transaction(&Caller::system(), |rows| {
        let found = rows.find::<SamlOutcome>(Secret::from(mine.as_str()))?;
        rows.delete("saml_outcome", &[eq("code_hash", &mine)])?;
        Ok::<_, StoreError>(found)
    })?;
    let outcome = found.ok_or_else(|| Rejection::new(Cause::CodeSpent))?;
    if outcome.expires_at.micros() <= now {
        return Err(Rejection::new(Cause::SessionDataExpired).expected("within 60 s").into());
    }
    if browser.map(fingerprint).as_ref() != Some(outcome.browser_hash.get()) {
        return Err(Rejection::new(Cause::OtherBrowser).into());
    }
    let session_ends_at = outcome.session_ends_at.map(ZonedTimestamp::micros);
    if session_ends_at.is_some_and(|ends| ends <= now) {
        return Err(Rejection::new(Cause::ProviderSessionEnded).into());
    }
    let person = person::find(store, outcome.user_id.uuid(), outcome.tenant_id.uuid());
    Ok(FinishedSignIn {
        person: person.map_err(SamlError::sign_in)?,
        return_to: outcome.return_to,
        session_ends_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_service_are_gone_to() {
        for path in ["/", "/costs", "/costs?by=account#top", "/a//b"] {
            assert_eq!(local_path(path), Some(path));
        }
        for foreign in [
            "",
            "costs",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a\nb",
            "/\t/evil.example",
            "\\\\evil",
            " /costs",
            "/\u{0}",
        ] {
            assert_eq!(local_path(foreign), None, "{foreign:?}");
        }
    }
}
