//! `schema/generated/` follows from `schema/`: `UPDATE=1 cargo test` rewrites it, without it a stale file fails.

use catalogue::{Catalogue, Source};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema")
}

/// The catalogue as it stands in the project.
fn catalogue() -> Catalogue {
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(folder().join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{part}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Catalogue::parse(&sources).unwrap_or_else(|error| panic!("{error}"))
}

fn check(name: &str, text: &str) {
    let path = folder().join("generated").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "schema/generated/{name} is stale: run UPDATE=1 cargo test -p graphql");
}

#[test]
fn the_schema_of_the_interface_is_current() {
    check("schema.graphql", &graphql::sdl(&catalogue()).unwrap());
}

#[test]
fn the_statements_of_the_database_are_current() {
    let statements = store::ddl::sqlite(&catalogue());
    check("sqlite.sql", &format!("{};\n", statements.join(";\n\n")));
}
