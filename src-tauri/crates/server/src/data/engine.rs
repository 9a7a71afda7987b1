//! The GraphQL engine over the data.

use crate::settings::Settings;
use graphql::{BuildError, Engine};
use store::Store;

/// An engine over `store`, still without operations. The built-in catalogue is known to make a sound schema, since a test writes that schema down;
/// one with files of a folder is tried first.
pub fn over(store: Store, settings: &Settings) -> Result<Engine, BuildError> {
    if settings.schema.is_none() { Ok(Engine::over_tested_catalogue(store)) } else { Engine::new(store) }
}
