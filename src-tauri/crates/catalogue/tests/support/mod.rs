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

/// Query and answer of every folder of `tests/cases/`.
#[allow(dead_code, reason = "not every test reads them")]
pub fn cases() -> Vec<(String, String)> {
    let mut cases = Vec::new();
    let folders = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        found.sort();
        found
    };
    for area in folders(&schema_dir().join("../tests/cases")) {
        for case in folders(&area) {
            let read = |name: &str| std::fs::read_to_string(case.join(name));
            if let (Ok(query), Ok(answer)) = (read("query.graphql"), read("expect.json")) {
                cases.push((query, answer));
            }
        }
    }
    cases
}
