//! Bearer tokens: signed claims (JWT), valid for an hour, that `/api/auth/token` issues to programs.

use crate::device::ACCESS_SECONDS;
use crate::{Person, SECOND};
use catalogue::Role;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long a bearer token is valid.
pub const EXPIRY_SECONDS: i64 = 3600;

const ISSUER: &str = "urn:quarterdeck";
const AUDIENCE: &str = "urn:quarterdeck:api";

/// The user, tenant and device of a bearer token. The other claims are for the client: the service reads roles from the database for each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bearer {
    pub user: Uuid,
    pub tenant: Uuid,
    /// The desktop that holds the token; `None` for programs with an API token.
    pub device: Option<Uuid>,
    /// When the token expires: microseconds since 1970, UTC.
    pub expires_at: i64,
}

impl Bearer {
    /// Fails if the token has expired.
    pub fn check(&self, now: i64) -> Result<(), BearerError> {
        if self.expires_at <= now { Err(BearerError::Expired) } else { Ok(()) }
    }
}

/// The claims of a bearer token (semantics §3).
#[derive(Serialize, Deserialize)]
struct Claims {
    name: String,
    email: String,
    sub: String,
    given_name: String,
    user_id: String,
    tenant_id: String,
    default_role: String,
    allowed_roles: Vec<String>,
    account_ids: Vec<String>,
    readonly_account_ids: Vec<String>,
    namespaced_account_ids: Vec<String>,
    namespaced_readonly_account_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device_id: Option<String>,
    iat: i64,
    iss: String,
    aud: String,
    exp: i64,
}

/// Why a bearer token is rejected.
#[derive(Debug, thiserror::Error)]
pub enum BearerError {
    #[error("the token was not issued by this service, or was changed")]
    NotOurs(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the token has expired; get a new one from /api/auth/token")]
    Expired,
}

/// Signs bearer tokens and verifies their signatures.
#[derive(Clone)]
pub struct Signer {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

impl Signer {
    /// A signer with this secret (HS256).
    pub fn new(secret: &str) -> Self {
        Self {
            encoding: EncodingKey::from_secret(secret.as_bytes()),
            decoding: DecodingKey::from_secret(secret.as_bytes()),
        }
    }

    /// Appends an HMAC to the secret for the cookie. A cookie with a valid HMAC was written by this service.
    pub fn seal(&self, secret: &str) -> String {
        let signature = jsonwebtoken::crypto::sign(secret.as_bytes(), &self.encoding, Algorithm::HS256)
            .expect("a text can be signed with HMAC");
        format!("{secret}.{signature}")
    }

    /// The secret in a cookie written by [`seal`](Self::seal); `None` if its HMAC is wrong.
    pub fn open<'a>(&self, sealed: &'a str) -> Option<&'a str> {
        let (secret, signature) = sealed.split_once('.')?;
        let is_ours =
            jsonwebtoken::crypto::verify(signature, secret.as_bytes(), &self.decoding, Algorithm::HS256);
        is_ours.unwrap_or(false).then_some(secret)
    }

    /// A bearer token for a person.
    pub fn issue(&self, person: &Person, now: i64) -> String {
        self.issue_to(person, None, EXPIRY_SECONDS, now)
    }

    /// A bearer token for a person's device. It is valid for ten minutes at most, and only until the device is revoked.
    pub fn issue_for_device(&self, person: &Person, device: Uuid, now: i64) -> String {
        self.issue_to(person, Some(device), ACCESS_SECONDS, now)
    }

    fn issue_to(&self, person: &Person, device: Option<Uuid>, seconds: i64, now: i64) -> String {
        let iat = now.div_euclid(SECOND);
        let claims = Claims {
            name: person.name.clone(),
            email: person.email.clone(),
            sub: person.user.to_string(),
            given_name: person.name.split_whitespace().next().unwrap_or_default().to_owned(),
            user_id: person.user.to_string(),
            tenant_id: person.tenant.to_string(),
            default_role: person.roles.first().copied().unwrap_or(Role::TenantUsage).name().to_owned(),
            allowed_roles: person.roles.iter().map(|role| role.name().to_owned()).collect(),
            account_ids: person.accounts.writable.clone(),
            readonly_account_ids: person.accounts.readonly.clone(),
            namespaced_account_ids: person.accounts.namespaces_writable.clone(),
            namespaced_readonly_account_ids: person.accounts.namespaces_readonly.clone(),
            device_id: device.map(|device| device.to_string()),
            iat,
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            exp: iat + seconds,
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
            .expect("claims of texts and numbers can be signed")
    }

    /// Verifies a bearer token. Fails if this service did not sign it or if it has expired.
    pub fn check(&self, token: &str, now: i64) -> Result<Bearer, BearerError> {
        let mut rules = Validation::new(Algorithm::HS256);
        rules.set_issuer(&[ISSUER]);
        rules.set_audience(&[AUDIENCE]);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        // The library would compare with the system clock; here the time is an argument.
        rules.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &rules)
            .map_err(|error| BearerError::NotOurs(Box::new(error)))?
            .claims;
        let id = |text: &str| Uuid::parse_str(text).map_err(|error| BearerError::NotOurs(Box::new(error)));
        let (user, tenant) = (id(&claims.user_id)?, id(&claims.tenant_id)?);
        let device = claims.device_id.as_deref().map(id).transpose()?;
        let bearer = Bearer { user, tenant, device, expires_at: claims.exp.saturating_mul(SECOND) };
        bearer.check(now)?;
        Ok(bearer)
    }
}
