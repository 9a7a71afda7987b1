//! Accounts of the identity provider that are linked to users.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::NoStore;
use auth::saml::linked::LinkedAccount;
use axum::extract::State;
use std::sync::Arc;

/// GET: the linked accounts of all users of the home tenant.
pub async fn accounts(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
) -> Result<NoStore<Vec<LinkedAccount>>, Failure> {
    let found = blocking(move || auth::saml::linked::accounts(&app.store, app.access.home)).await?;
    Ok(NoStore(found))
}
