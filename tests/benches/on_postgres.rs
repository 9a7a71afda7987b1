//! Runs the program with a new PostgreSQL database.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A script in `folder` that starts `program` with a new, empty database, which is deleted with the benchmark.
pub fn program(folder: &Path, program: &Path) -> PathBuf {
    let database = testkit::postgres::database().expect("PostgreSQL is installed");
    let file = folder.join("quarterdeck-server");
    let text = format!("#!/bin/sh\nQUARTERDECK_DATABASE='{database}' exec '{}' \"$@\"\n", program.display());
    std::fs::write(&file, text).expect("there is room");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    file
}
