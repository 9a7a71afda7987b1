//! The secret that signs bearer tokens.

use crate::secret::draw;
use crate::setting;
use catalogue::Caller;
use rand::CryptoRng;
use store::{Store, StoreError, Transaction};

const NAME: &str = "appauth_secret";

/// The configured secret (`APPAUTH_SECRET`), else the one stored in the database, generated if there is none yet.
pub fn signing_secret(
    store: &Store,
    configured: Option<&str>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, StoreError> {
    if let Some(secret) = configured.filter(|secret| !secret.is_empty()) {
        return Ok(secret.to_owned());
    }
    let system = Caller::system();
    if let Some(kept) = store.snapshot(&system, kept)? {
        return Ok(kept);
    }
    store.transaction(&system, |rows| {
        // Another process may have created it meanwhile.
        if let Some(kept) = kept(rows)? {
            return Ok(kept);
        }
        let secret = draw(rng);
        setting::put(rows, NAME, &secret, now)?;
        Ok(secret)
    })
}

/// Removes the stored secret and returns it. The next start generates another, which invalidates everything signed before.
pub fn forget(rows: &Transaction<'_>) -> Result<Option<String>, StoreError> {
    let kept = kept(rows)?;
    setting::remove(rows, NAME)?;
    Ok(kept)
}

fn kept(rows: &Transaction<'_>) -> Result<Option<String>, StoreError> {
    setting::get(rows, NAME)
}
