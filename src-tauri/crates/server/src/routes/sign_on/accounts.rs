//! Whose accounts at the identity provider are linked.

use super::no_store;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// GET: the linked accounts of everybody in the service's tenant.
pub async fn accounts(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<Response, Failure> {
    let found = blocking(move || auth::saml::linked::accounts(&app.store, app.access.home)).await?;
    Ok(no_store(found))
}
