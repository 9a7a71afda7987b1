//! A request's credentials in, a [`Caller`] out: users, roles, sessions, tokens, one-time links.
//!
//! Start at [`person::find`] (who somebody is) and at the ways to prove it: [`session`], [`Signer`], [`api_token`],
//! [`one_time_code`], [`password`], [`device`], [`saml`]. Nothing here knows HTTP or GraphQL. Time (`now`, µs since 1970 UTC) and randomness come in as
//! arguments. What proves somebody's identity is stored as a SHA-256 fingerprint only: every such secret has 256 random
//! bits, so there is nothing to guess that a slow hash would protect; the one password there is has argon2id.
//!
//! [`Caller`]: catalogue::Caller

pub mod api_token;
mod bearer;
pub mod device;
mod error;
pub mod household;
mod known;
pub mod one_time_code;
pub mod password;
pub mod person;
pub mod returned;
pub mod saml;
pub mod sample;
mod secret;
pub mod security_log;
pub mod session;
mod setting;
mod signing_secret;
mod tenant;
pub mod tenants;
#[cfg(test)]
mod tests;
pub mod throttle;
pub mod time;
pub mod user;

pub use bearer::{Bearer, BearerError, EXPIRY_SECONDS, Signer};
pub use error::{AccountError, SignInError};
pub use known::{ProofError, SecretCache};
pub use person::Person;
pub use secret::{draw as draw_secret, fingerprint};
pub use signing_secret::{forget as forget_signing_secret, signing_secret};
pub use tenant::Tenant;

/// Microseconds in a second: the unit of every `now` here.
const SECOND: i64 = 1_000_000;
