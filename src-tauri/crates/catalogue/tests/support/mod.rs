//! Reads `schema/` from the disk for the tests; the crate itself never does.

use std::path::{Path, PathBuf};

use catalogue::{Catalogue, Source};

/// `schema/` of the repository.
pub fn schema_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema")
}

/// The catalogue of the product; every mistake in it is printed with file and line.
#[track_caller]
pub fn catalogue() -> Catalogue {
    let files = files();
    let sources = files.iter().map(|(name, text)| Source { name, text }).collect::<Vec<_>>();
    match Catalogue::parse(&sources) {
        Ok(catalogue) => catalogue,
        Err(error) => panic!("schema/: {error}"),
    }
}

fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["tables", "operations", "views"] {
        let entries = std::fs::read_dir(schema_dir().join(folder)).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    files
}
