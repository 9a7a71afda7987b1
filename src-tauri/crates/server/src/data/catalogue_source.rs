//! Loads the catalogue: built in, or with files of a folder.

use catalogue::{Catalogue, CatalogueError, Source};
use rust_embed::RustEmbed;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../../schema"]
struct BuiltIn;

/// The folders of a catalogue, and the extensions of the files in them.
const PARTS: [(&str, &str); 3] = [("tables", "graphql"), ("operations", "graphql"), ("views", "sql")];
/// Only built in, because the numbers of migrations are the versions of the schema.
const MIGRATIONS: &str = "migrations/";

/// Why the catalogue cannot be loaded.
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

/// The built-in catalogue, with the files of `folder` added; a file of the same name replaces ours. Without a folder, the result is cached for the
/// process, because a restart after a restore loads it again.
pub fn load(folder: Option<&Path>) -> Result<Arc<Catalogue>, SchemaError> {
    static BUILT_IN: OnceLock<Arc<Catalogue>> = OnceLock::new();
    if let Some(folder) = folder {
        let (mut files, own) = (built_in(), read(folder)?);
        files.retain(|(name, _)| !own.iter().any(|(other, _)| other == name));
        files.extend(own);
        return parse(&files);
    }
    if let Some(catalogue) = BUILT_IN.get() {
        return Ok(catalogue.clone());
    }
    let catalogue = parse(&built_in())?;
    Ok(BUILT_IN.get_or_init(|| catalogue).clone())
}

fn parse(files: &[(String, String)]) -> Result<Arc<Catalogue>, SchemaError> {
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Ok(Arc::new(Catalogue::parse(&sources)?))
}

fn built_in() -> Vec<(String, String)> {
    let is_source =
        |name: &str| name.starts_with(MIGRATIONS) || PARTS.iter().any(|(part, _)| name.starts_with(part));
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
    fn the_version_of_the_schema_is_the_number_of_the_last_migration() {
        let last = load(None).unwrap().migrations.last().map(|migration| migration.number);
        assert_eq!(last, Some(store::SCHEMA_VERSION));
    }

    #[test]
    fn files_of_a_folder_are_added_to_the_built_in_ones() {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        let own = "\"A berth.\"\ntype berth @table(tenant: \"tenant\", account: all) {\n  id: uuid! @key\n  \
                   tenant: uuid! @references(table: \"tenant\", on_delete: cascade)\n  keeper: uuid @references(table: \"users\")\n}\n";
        std::fs::write(tables.join("harbour.graphql"), own).unwrap();
        let catalogue = load(Some(folder.path())).unwrap();
        assert!(catalogue.find("berth").is_some() && catalogue.find("spends").is_some());

        let wrong =
            own.replace("\"users\"", "\"sailors\"").replace("tenant: \"tenant\"", "tenant: \"owner\"");
        std::fs::write(tables.join("harbour.graphql"), wrong).unwrap();
        let error = load(Some(folder.path())).unwrap_err().to_string();
        assert!(error.contains("tables/harbour.graphql:5: there is no table `sailors`"), "{error}");
        assert!(
            error.contains("tables/harbour.graphql:2: tenant: owner is not a column of `berth`"),
            "{error}"
        );
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
