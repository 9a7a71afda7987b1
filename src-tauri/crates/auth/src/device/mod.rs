//! Desktop programs that a person lets in from the browser (RFC 8252): a [`Request`] that the person sees, a one-time code, tokens that rotate.
//!
//! The desktop begins with a secret of its own (PKCE, RFC 7636), so that a code is of no use to whoever reads it on its way. What it gets is an
//! access token of ten minutes and a refresh token that works once; one that comes a second time was copied, and ends the device, unless the answer to it
//! got lost.

mod grant;
mod listing;
mod request;
#[cfg(test)]
mod tests;

pub use grant::{DeviceError, DeviceGrant, Itself, allow, exchange, refresh};
pub use listing::{DeviceEntry, RevokedDevice, is_allowed, list, revoke, revoke_all, sign_out};
pub use request::{Request, RequestError, mark};

use crate::SECOND;
use std::time::Duration;

/// How long an access token of a device counts: ten minutes, in seconds.
pub const ACCESS_SECONDS: i64 = 600;
/// How long a code works that the browser brings: a minute, in µs.
const CARRIED: i64 = 60 * SECOND;
/// How long a code works that a person carries over: five minutes, in µs.
const PASTED: i64 = 300 * SECOND;
/// How long a device stays signed in without being used: thirty days, in µs.
const UNUSED: i64 = 30 * 86_400 * SECOND;
/// How long a refresh token may come again whose answer got lost: two minutes, in µs. A desktop waits one for an answer, and asks again after that.
const GRACE: i64 = 120 * SECOND;
/// How long a desktop or a page waits for an import that holds the database. A desktop that gave up would not hear that its key has changed.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long devices that have ended are listed: ninety days, in µs.
const LISTED: i64 = 90 * 86_400 * SECOND;
/// Codes of one person that wait at a time; with one more, the oldest is forgotten.
const WAITING: u64 = 5;
