//! The product's catalogue, for tests that open a store as the product does.

use catalogue::{Catalogue, Source};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The catalogue files in the project's `schema/` folder, without migrations: the name within that folder and the text, by name.
pub fn schema_files() -> Vec<(String, String)> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(schema.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{part}/{}", path.file_name().unwrap().to_str().unwrap());
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    files.sort();
    files
}

/// The catalogue of the product, parsed once in each process: parsing takes longer than many tests.
pub fn catalogue() -> Arc<Catalogue> {
    static CATALOGUE: OnceLock<Arc<Catalogue>> = OnceLock::new();
    let read = || {
        let files = schema_files();
        let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
        Arc::new(Catalogue::parse(&sources).unwrap_or_else(|error| panic!("schema/: {error}")))
    };
    CATALOGUE.get_or_init(read).clone()
}
