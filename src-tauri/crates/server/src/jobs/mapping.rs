//! Column mappings for a waiting CSV file of costs: tried and applied from the stored bytes.

use super::decide::{DecideError, Waiting, carry_out, waiting};
use crate::clock;
use catalogue::Caller;
use ingest::mapping::{self, Mapping, MappingContent};
use ingest::{Archive, Report, TablePreview};
use std::sync::atomic::AtomicBool;
use store::Store;
use uuid::Uuid;

/// The reason code of questions about columns.
pub const REASON: &str = "mapping";
/// Number of rows in a preview.
const ROWS: usize = 10;

/// Why a mapping was not tried or saved. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    #[error("this import does not wait for its columns to be mapped")]
    NotAsked,
    #[error("a mapping needs a column or a fixed value for {0}")]
    Lacks(String),
    #[error("a mapping named {0:?} is kept for files with other columns: choose another name")]
    NameTaken(String),
    #[error("expected a name of 1 to 80 characters")]
    Nameless,
    #[error(transparent)]
    Decide(#[from] DecideError),
    #[error("the file cannot be read")]
    Read(#[from] std::io::Error),
}

impl From<store::StoreError> for MappingError {
    fn from(error: store::StoreError) -> Self {
        Self::Decide(error.into())
    }
}

/// The import that waits for a mapping, and others of its delivery that do, too.
fn asked(store: &Store, caller: &Caller, archive: &Archive, id: Uuid) -> Result<Vec<Waiting>, MappingError> {
    let mut found = waiting(store, caller, archive, id)?;
    found.retain(|file| file.report.decision.as_ref().is_some_and(|decision| decision.reason == REASON));
    if found.first().is_none_or(|file| file.id != id) {
        return Err(MappingError::NotAsked);
    }
    Ok(found)
}

/// The columns and first rows of a waiting file. Blocks the thread.
pub fn preview(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    id: Uuid,
) -> Result<TablePreview, MappingError> {
    let found = asked(store, caller, archive, id)?;
    let file = found.first().ok_or(MappingError::NotAsked)?;
    ingest::table_preview(&file.path, ROWS)?.ok_or(MappingError::NotAsked)
}

fn check(content: &MappingContent) -> Result<(), MappingError> {
    let lacking: Vec<&str> = content.missing_fields().into_iter().map(mapping::Field::name).collect();
    if lacking.is_empty() { Ok(()) } else { Err(MappingError::Lacks(lacking.join(", "))) }
}

/// The report that an import with this mapping would have. Nothing is written. Blocks the thread.
pub fn try_out(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (id, owner): (Uuid, Uuid),
    content: MappingContent,
    most_lower: f64,
) -> Result<Report, MappingError> {
    check(&content)?;
    let found = asked(store, caller, archive, id)?;
    let file = found.first().ok_or(MappingError::NotAsked)?;
    let draft = Mapping { name: "draft".to_owned(), content };
    let never = AtomicBool::new(false);
    let files = [ingest::File { import_id: Uuid::new_v4(), ..file.as_file(&never) }];
    let options = ingest::Options {
        owner,
        delivery: Uuid::new_v4(),
        choice: None,
        most_lower,
        archive: None,
        forms: file.report.forms,
        mapping: None,
        draft: Some(&draft),
        dry_run: true,
        is_still_due: None,
        clock: clock::now,
    };
    let reports = ingest::import(store, caller, &files, options).map_err(DecideError::from)?;
    let report = reports.into_iter().next().ok_or(MappingError::NotAsked)?;
    Ok(report.map_err(DecideError::from)?)
}

/// Saves a mapping for files with the same columns as the waiting one, and imports the files of its delivery with it. `by` is the name of the user,
/// which the reports state beside the mapping. Blocks the thread.
pub fn keep(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (id, owner, by): (Uuid, Uuid, &str),
    new: &Mapping,
    most_lower: f64,
) -> Result<Vec<Report>, MappingError> {
    check(&new.content)?;
    if new.name.trim().is_empty() || new.name.chars().count() > 80 {
        return Err(MappingError::Nameless);
    }
    let mut found = asked(store, caller, archive, id)?;
    let header = preview(store, caller, archive, id)?.header;
    let kept = store.snapshot(caller, mapping::all)?;
    if kept.iter().any(|kept| kept.mapping.name == new.name && !kept.is_for(&header)) {
        return Err(MappingError::NameTaken(new.name.clone()));
    }
    mapping::save(store, caller, new, &header)?;
    // A name may be identical to a choice about rows.
    let choice = format!("{REASON} {}", new.name);
    for file in &mut found {
        file.answer(&choice, Some(by), clock::now());
    }
    Ok(carry_out(store, caller, archive, (found, owner), most_lower)?)
}
