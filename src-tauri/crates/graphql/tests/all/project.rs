//! Paths of the project's `schema/` and the folders beside it.

use std::path::{Path, PathBuf};

/// The root folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}
