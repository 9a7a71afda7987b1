//! What a person has decided about an import is carried out, from the bytes that were kept.

use crate::clock;
use crate::jobs::findings;
use catalogue::{Caller, Value};
use ingest::{Archive, FormAnswers, ImportError, Report, RowsChoice};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// Why a decision was not carried out. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    #[error("there is no such import")]
    NotFound,
    #[error("this import waits for no decision: its state is {0}")]
    NothingToDecide(String),
    #[error("{0:?} is no choice here: expected one of {1}")]
    NoSuchChoice(String, String),
    #[error("the bytes of {0} are no longer kept: import the file again")]
    Dropped(String),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An import that waits for a decision.
pub(super) struct Waiting {
    pub id: Uuid,
    name: String,
    sha256: String,
    size: u64,
    pub path: PathBuf,
    pub report: Report,
}

impl Waiting {
    /// Its bytes, to be imported.
    pub fn as_file<'f>(&'f self, cancelled: &'f AtomicBool) -> ingest::File<'f> {
        ingest::File {
            import_id: self.id,
            name: &self.name,
            location: &self.name,
            path: &self.path,
            original: Some((&self.sha256, self.size)),
            progress: ingest::Progress { tell: &|_, _| {}, cancelled },
        }
    }
}

/// Carries a choice out for an import and the others of its delivery that wait; `by` is the name of who chose, `most_lower` the share by which a
/// replacement lowers a period without a question. Blocks the thread.
pub fn decide(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (id, owner): (Uuid, Uuid),
    (choice, by): (&str, Option<&str>),
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    let waiting = waiting(store, caller, archive, id)?;
    let first = waiting.first().ok_or(DecideError::NotFound)?;
    let decision = first.report.decision.as_ref();
    let offered: Vec<&str> = decision
        .map(|decision| decision.choices.iter().map(|choice| choice.choice.as_str()).collect())
        .unwrap_or_default();
    if !offered.contains(&choice) {
        return Err(DecideError::NoSuchChoice(choice.to_owned(), offered.join(", ")));
    }
    let rows = RowsChoice::parse(choice);
    let forms = match rows {
        Some(_) => first.report.forms,
        None => first.report.forms.with(choice).unwrap_or(FormAnswers::default()),
    };
    let said = Answers { rows, forms, by };
    run(store, caller, archive, (&waiting, owner), said, most_lower)
}

/// Imports files that waited for something that is settled by now, with the answers their reports hold.
pub(super) fn carry_out(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (files, owner): (&[Waiting], Uuid),
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    let forms = files.first().map(|file| file.report.forms).unwrap_or_default();
    run(store, caller, archive, (files, owner), Answers { rows: None, forms, by: None }, most_lower)
}

/// What a person has said about the files.
struct Answers<'a> {
    rows: Option<RowsChoice>,
    forms: FormAnswers,
    by: Option<&'a str>,
}

fn run(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (waiting, owner): (&[Waiting], Uuid),
    said: Answers<'_>,
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    let never = AtomicBool::new(false);
    let files: Vec<ingest::File<'_>> = waiting.iter().map(|file| file.as_file(&never)).collect();
    let options = ingest::Options {
        owner,
        delivery: Uuid::new_v4(),
        choice: said.rows,
        decided_by: said.by,
        most_lower,
        archive: Some(archive),
        forms: said.forms,
        mapping: None,
        draft: None,
        dry_run: false,
        clock: clock::now,
    };
    let reports = ingest::import(store, caller, &files, options)?;
    findings::after_imports(store, caller, &reports);
    Ok(reports.into_iter().collect::<Result<_, _>>()?)
}

/// The import of that id and the others of its delivery that wait.
pub(super) fn waiting(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    id: Uuid,
) -> Result<Vec<Waiting>, DecideError> {
    let columns = ["id", "file_name", "sha256", "size_bytes", "report", "state", "delivery_id"];
    let found = store.snapshot::<_, StoreError>(caller, |rows| {
        let own = rows.select("imports", &columns, &[eq("id", id)])?;
        let delivery = own.first().and_then(|row| row[6].as_uuid());
        match delivery {
            Some(delivery) => {
                let mut all = own;
                let others = rows.select(
                    "imports",
                    &columns,
                    &[eq("delivery_id", delivery), eq("state", "needs_decision")],
                )?;
                all.extend(others.into_iter().filter(|row| row[0].as_uuid() != Some(id)));
                Ok(all)
            }
            None => Ok(own),
        }
    })?;
    let mut waiting = Vec::new();
    for row in &found {
        let [Value::Uuid(id), name, sha256, size, report, state, _] = row.as_slice() else { continue };
        let text = |value: &Value| value.as_text().unwrap_or_default().to_owned();
        let state = text(state);
        if state != "needs_decision" {
            return Err(DecideError::NothingToDecide(state));
        }
        let (name, sha256) = (text(name), text(sha256));
        let path = archive.find(&sha256).ok_or_else(|| DecideError::Dropped(name.clone()))?;
        let report = report.as_text().and_then(|json| serde_json::from_str(json).ok());
        let report = report.ok_or(DecideError::NotFound)?;
        let size = size.as_int().and_then(|size| u64::try_from(size).ok()).unwrap_or_default();
        waiting.push(Waiting { id: *id, name, sha256, size, path, report });
    }
    Ok(waiting)
}
