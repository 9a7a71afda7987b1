//! `/api/backups/passphrase`: the passphrase that encrypts automatic backups. It is never returned.

use super::{Key, ListAnswer, listed, note};
use crate::app::App;
use crate::backups::BackupsError;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::JsonBody;
use axum::extract::State;
use backup::Passphrase;
use std::sync::Arc;

/// PUT: encrypts automatic backups from now on. A backup that is due is taken at once.
pub async fn save(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<Key>,
) -> Result<ListAnswer, Failure> {
    let key = body.read_secret("{\"passphrase\": text}")?;
    let state = Arc::clone(&app);
    blocking(move || {
        let passphrase = Passphrase::for_encryption(key.passphrase.unwrap_or_default())?;
        state.backups.service.close_with(&passphrase, &person.email, clock::now())?;
        note(
            &state,
            &person,
            "Backups taken by themselves are encrypted: a passphrase was stored".to_owned(),
        )?;
        Ok::<_, BackupsError>(())
    })
    .await?;
    app.backups.schedule.look_again();
    listed(app).await
}

/// DELETE: stops encrypting automatic backups.
pub async fn forget(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
) -> Result<ListAnswer, Failure> {
    let state = Arc::clone(&app);
    blocking(move || {
        state.backups.service.leave_open()?;
        note(
            &state,
            &person,
            "Backups taken by themselves are no longer encrypted: the passphrase was removed".to_owned(),
        )?;
        Ok::<_, BackupsError>(())
    })
    .await?;
    app.backups.schedule.look_again();
    listed(app).await
}
