//! Setup of language models: those on this machine ([`service_models`]) and external providers ([`model_providers`]).
//!
//! HTTP pages, the command line and GraphQL call the same functions. Each function takes the acting
//! [`PlatformAdmin`], does the operation and writes an audit entry. The GraphQL fields are in `fields.rs`. They run
//! before the request's transaction, because they take long, call other machines or use their own transactions.

mod error;
mod fields;
pub mod model_providers;
mod platform_admin;
pub mod service_models;
mod shown;

pub use error::SetupError;
pub(crate) use fields::PRE_TRANSACTION_FIELDS;
pub use platform_admin::{NOT_YOURS, PlatformAdmin, is_platform_admin};
pub use shown::{ModelsOverview, ProvidersOverview};

use auth::saml::time;
use serde::Serialize;
use serde_json::{Value, json};

/// Serialises a value, with the times of models as ISO 8601 texts instead of µs.
pub fn with_times(value: &impl Serialize) -> Value {
    let mut value = json!(value);
    for name in ["started_at", "updated_at", "installed_at", "checked_at"] {
        if let Some(at) = value[name].as_i64() {
            value[name] = time::text(at).into();
        }
    }
    for notice in value["notices"].as_array_mut().into_iter().flatten() {
        if let Some(at) = notice["at"].as_i64() {
            notice["at"] = time::text(at).into();
        }
    }
    value
}
