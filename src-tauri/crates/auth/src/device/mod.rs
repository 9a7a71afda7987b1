//! Sign-in of desktop programs through the browser (RFC 8252): a [`Request`] that the user approves, a one-time code, and rotating tokens.
//!
//! The desktop starts with a secret of its own (PKCE, RFC 7636): without it, an intercepted code is useless. The desktop receives an access token
//! valid for ten minutes and a single-use refresh token. A refresh token presented a second time is taken for a copy and revokes the device, unless
//! the first response seems to have been lost.

mod grant;
mod listing;
mod request;
#[cfg(test)]
mod tests;

pub use grant::{DeviceError, DeviceGrant, DeviceReport, allow, exchange, refresh};
pub use listing::{DeviceEntry, RevokedDevice, is_allowed, list, revoke, revoke_all, sign_out};
pub use request::{Request, RequestError, mark};

use crate::SECOND;
use std::time::Duration;

/// How long an access token of a device is valid: ten minutes, in seconds.
pub const ACCESS_SECONDS: i64 = 600;
/// How long a code delivered by the browser's redirect is valid: a minute, in µs.
const CARRIED: i64 = 60 * SECOND;
/// How long a code copied by hand is valid: five minutes, in µs.
const PASTED: i64 = 300 * SECOND;
/// How long a device stays signed in without being used: thirty days, in µs.
const UNUSED: i64 = 30 * 86_400 * SECOND;
/// How long a refresh token whose response was lost may be used again: two minutes, in µs. A desktop times out after one minute, then retries.
const GRACE: i64 = 120 * SECOND;
/// How long a desktop or a page waits for the write lock while an import holds it. A desktop that stopped waiting would miss its new refresh token.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long ended devices are listed: ninety days, in µs.
const LISTED: i64 = 90 * 86_400 * SECOND;
/// Maximum number of unused codes of a user; one more deletes the oldest.
const WAITING: u64 = 5;
