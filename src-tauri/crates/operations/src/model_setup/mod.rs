//! Models as people set them up: those on this machine ([`service_models`]) and who else serves them ([`model_providers`]).
//!
//! Pages (over HTTP), the command line and GraphQL are three doors to the same functions: each takes the [`PlatformAdmin`] who acts, does what is asked,
//! and leaves a line in the audit trail. The GraphQL door is `fields.rs`: its fields are answered ahead of their request, since what they do takes
//! long, asks another machine, or writes in transactions of its own.

mod error;
mod fields;
pub mod model_providers;
mod platform_admin;
pub mod service_models;
mod shown;

pub use error::SetupError;
pub(crate) use fields::AHEAD;
pub use platform_admin::{NOT_YOURS, PlatformAdmin, is_platform_admin};
pub use shown::{ModelsOverview, ProvidersOverview};

use auth::saml::time;
use serde::Serialize;
use serde_json::{Value, json};

/// A value as JSON, with the times of models as pages and scripts read them.
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
