//! Creates the GraphQL engine for the data.

use crate::settings::Settings;
use graphql::{BuildError, Engine};
use store::Store;

/// An engine for `store`, without operations. The built-in catalogue is known to yield a valid schema, since a test generates it; a catalogue with
/// files of a folder is validated first.
pub fn over(store: Store, settings: &Settings) -> Result<Engine, BuildError> {
    if settings.schema.is_none() { Ok(Engine::over_tested_catalogue(store)) } else { Engine::new(store) }
}
