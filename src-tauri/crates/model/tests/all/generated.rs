//! `src/generated/` matches the catalogue. `UPDATE=1 cargo test -p model` rewrites it.

use crate::printer::files;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Folders of generated files, beside `generated.rs`, which declares them.
const FOLDERS: [&str; 2] = ["generated", "generated/operations"];

#[test]
fn the_generated_code_is_up_to_date() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = formatted(files(&testkit::product::catalogue()));
    let mut known = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(source.join(folder)).into_iter().flatten();
        let files = entries.map(Result::unwrap).filter(|entry| entry.path().is_file());
        known.extend(files.map(|entry| format!("{folder}/{}", entry.file_name().display())));
    }
    if std::env::var_os("UPDATE").is_some() {
        for folder in FOLDERS {
            std::fs::create_dir_all(source.join(folder)).unwrap();
        }
        for name in known.iter().filter(|name| !files.contains_key(*name)) {
            std::fs::remove_file(source.join(name)).unwrap();
        }
        for (name, text) in &files {
            std::fs::write(source.join(name), text).unwrap();
        }
        known.retain(|name| files.contains_key(name));
    }
    let unknown: Vec<&String> = known.iter().filter(|name| !files.contains_key(*name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} come from no file of schema/: run UPDATE=1 cargo test -p model");
    for (name, text) in &files {
        let written = std::fs::read_to_string(source.join(name)).unwrap_or_default();
        assert!(
            written == *text,
            "{name} is not what the catalogue says: run UPDATE=1 cargo test -p model and read the change"
        );
    }
}

/// Formats the files with `cargo fmt`.
fn formatted(files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    for name in FOLDERS {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let status = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(settings)
        .arg(folder.path().join("generated.rs"))
        .status()
        .unwrap();
    assert!(status.success(), "rustfmt refuses the generated code");
    let read = |name: String| {
        let text = std::fs::read_to_string(folder.path().join(&name)).unwrap();
        (name, text)
    };
    files.into_keys().map(read).collect()
}
