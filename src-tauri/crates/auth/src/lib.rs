//! Authentication: turns a request's credentials into a [`Caller`].
//!
//! Users, roles, sessions, tokens and sign-in links.
//!
//! Start at [`person::find`] (user, roles and accounts) and at the ways to authenticate: [`session`], [`Signer`], [`api_token`], [`one_time_code`],
//! [`password`], [`device`], [`saml`]. This crate does not depend on HTTP or GraphQL. Time (`now`, µs since 1970 UTC) and randomness are arguments.
//! Secrets are stored only as SHA-256 fingerprints: each has 256 random bits, so a slow hash would add no protection. The one password is hashed
//! with argon2id.
//!
//! [`Caller`]: catalogue::Caller

pub mod api_token;
mod bearer;
pub mod device;
mod error;
pub mod one_time_code;
pub mod password;
pub mod person;
pub mod post_restore;
mod proof_cache;
pub mod saml;
pub mod sample;
mod secret;
pub mod security_log;
pub mod session;
mod setting;
mod signing_secret;
pub mod tenancy;
mod tenant;
pub mod tenants;
#[cfg(test)]
mod tests;
pub mod throttle;
pub mod time;
pub mod user;

pub use bearer::{Bearer, BearerError, EXPIRY_SECONDS, Signer};
pub use error::{AccountError, SignInError};
pub use person::Person;
pub use proof_cache::{ProofError, SecretCache};
pub use secret::{draw as draw_secret, fingerprint};
pub use signing_secret::{forget as forget_signing_secret, signing_secret};
pub use tenant::Tenant;

/// Microseconds in a second: the unit of every `now` in this crate.
const SECOND: i64 = 1_000_000;
