//! `/api/backups/passphrase`: what closes the backups that the service takes by itself. It is never sent back.

use super::{Key, listed, note};
use crate::app::App;
use crate::backups::{BackupsError, ClosedBy};
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::routes::Sent;
use axum::extract::State;
use axum::response::Response;
use backup::Passphrase;
use catalogue::format_timestamptz;
use serde_json::{Value, json};
use std::sync::Arc;

/// As [`listed`] tells it.
pub(super) fn shown(closed_by: ClosedBy) -> Value {
    match closed_by {
        ClosedBy::File => json!({ "kind": "file" }),
        ClosedBy::Stored { at, by } => {
            json!({ "kind": "stored", "at": at.map(format_timestamptz), "by": by })
        }
    }
}

/// PUT: closes those that are taken by themselves from now on, one that is due at once.
pub async fn save(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    // What does not fit may be the secret itself: it is not in the answer.
    let key: Key = serde_json::from_slice(&body)
        .map_err(|_| Failure::bad_request("Expected {\"passphrase\": text} as a JSON body"))?;
    let state = Arc::clone(&app);
    blocking(move || {
        let passphrase = Passphrase::to_close(key.passphrase.unwrap_or_default())?;
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

/// DELETE: those that are taken by themselves stay open from now on.
pub async fn forget(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
) -> Result<Response, Failure> {
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
