//! The catalogue: built in, or read from a folder.

use catalogue::{Catalogue, CatalogueError, Source};
use rust_embed::RustEmbed;
use std::path::{Path, PathBuf};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../../schema"]
struct BuiltIn;

/// The folders of a catalogue, and what files in them end in.
const PARTS: [(&str, &str); 3] = [("tables", "graphql"), ("operations", "graphql"), ("views", "sql")];

/// Why there is no catalogue.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    #[error("the catalogue folder {path} cannot be read")]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("{path} is no catalogue: expected a folder `tables` with .graphql files in it")]
    Empty { path: PathBuf },
    #[error(transparent)]
    Wrong(#[from] CatalogueError),
}

/// The catalogue in `folder`, or the built-in one.
pub fn load(folder: Option<&Path>) -> Result<Catalogue, SchemaError> {
    let files = match folder {
        Some(folder) => read(folder)?,
        None => built_in(),
    };
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Ok(Catalogue::parse(&sources)?)
}

fn built_in() -> Vec<(String, String)> {
    let is_source = |name: &str| PARTS.iter().any(|(part, _)| name.starts_with(part));
    BuiltIn::iter()
        .filter(|name| is_source(name))
        .filter_map(|name| {
            let file = BuiltIn::get(&name)?;
            Some((name.into_owned(), String::from_utf8_lossy(&file.data).into_owned()))
        })
        .collect()
}

fn read(folder: &Path) -> Result<Vec<(String, String)>, SchemaError> {
    let unreadable = |path: &Path, cause| SchemaError::Unreadable { path: path.to_owned(), cause };
    let mut files = Vec::new();
    for (part, ending) in PARTS {
        let part_folder = folder.join(part);
        if part != "tables" && !part_folder.exists() {
            continue;
        }
        let entries = std::fs::read_dir(&part_folder).map_err(|cause| unreadable(&part_folder, cause))?;
        for entry in entries {
            let path = entry.map_err(|cause| unreadable(&part_folder, cause))?.path();
            if path.extension().is_some_and(|found| found == ending) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let text = std::fs::read_to_string(&path).map_err(|cause| unreadable(&path, cause))?;
                files.push((format!("{part}/{name}"), text));
            }
        }
    }
    if files.is_empty() {
        return Err(SchemaError::Empty { path: folder.to_owned() });
    }
    // The same order on every system, so that the same database comes out.
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalogue_is_the_one_in_the_repository() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
        let (built_in, read) = (load(None).unwrap(), load(Some(&repository)).unwrap());
        assert_eq!(built_in.tables.len(), read.tables.len());
        assert!(built_in.find("spends").is_some());
    }

    #[test]
    fn a_folder_that_is_no_catalogue_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let says = |folder: &Path| load(Some(folder)).unwrap_err().to_string();
        let tables = folder.path().join("tables");
        assert_eq!(says(folder.path()), format!("the catalogue folder {} cannot be read", tables.display()));
        std::fs::create_dir(&tables).unwrap();
        assert!(says(folder.path()).contains("is no catalogue"), "{}", says(folder.path()));
        std::fs::write(tables.join("cost.graphql"), "type spends @tabel { id: uuid! @key }").unwrap();
        assert!(says(folder.path()).contains("tables/cost.graphql:1"), "{}", says(folder.path()));
    }
}
