//! Imports the files of one delivery, from their first byte to their reports.
//!
//! All files are written in one transaction, each in its own savepoint: an unreadable file fails alone. At the end, the code decides which
//! stored rows the files replace. If a person has to decide, only the reports are stored.

mod batch;
mod file_result;
mod reporting;
mod run;
mod writing;

use crate::archive::Archive;
use crate::decide::Choice;
use crate::error::ImportError;
use crate::formats::{FormAnswers, ReadStop};
use crate::manifest::Manifest;
use crate::mapping;
use crate::report::{Decision, Report, State, rows_answer};
use crate::source;
use crate::write::Job;
use crate::write::imports;
use batch::ImportBatch;
use catalogue::Caller;
use file_result::FileResult;
use run::Run;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::{Clock, Store, StoreError, Transaction};
use uuid::Uuid;

/// The default share by which a replacement may lower the cost of a period without a question.
pub const MOST_LOWER: f64 = 0.25;

/// A file to import.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// The row of `imports` for the report; it is created if it does not exist.
    pub import_id: Uuid,
    /// The display name. It has no influence on the detected format.
    pub name: &'a str,
    /// The name with the folders it was in, as far as known; manifests are matched by it.
    pub location: &'a str,
    /// The path of its bytes.
    pub path: &'a Path,
    /// Hash and size of the file as it was handed in, if `path` contains it compressed.
    pub original: Option<(&'a str, u64)>,
    /// The answers for this file about number and date formats; `None` uses those for all files.
    pub forms: Option<FormAnswers>,
    /// The questions about this file that earlier attempts answered. An answer about its rows applies if [`Options::choice`] is `None`.
    pub answers: &'a [Decision],
    pub progress: Progress<'a>,
}

/// Options of an import.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The creator of new accounts: the calling user, or the tenant's owner.
    pub owner: Uuid,
    /// The id that the files of the delivery share.
    pub delivery: Uuid,
    /// The answer to whether rows add or replace.
    pub choice: Option<Choice>,
    /// The share by which a replacement may lower the cost of a period without a question.
    pub most_lower: f64,
    /// The archive for the files' bytes; `None` stores none.
    pub archive: Option<&'a Archive>,
    /// The answers about number and date formats, for files without their own.
    pub forms: FormAnswers,
    /// The mapping for tables of unknown format; `None` uses the saved mapping for their header.
    pub mapping: Option<&'a str>,
    /// An unsaved mapping, to try out.
    pub draft: Option<&'a mapping::Mapping>,
    /// Reads everything, writes nothing.
    pub dry_run: bool,
    /// Called in the writing transaction at its start and before the decision: whether this process still has to import the files. If another
    /// process has imported them, nothing is written.
    pub is_still_due: Option<&'a StillDue<'a>>,
    pub clock: Clock,
}

/// Whether the files still have to be imported, according to the rows visible in a transaction.
pub type StillDue<'a> = dyn Fn(&Transaction<'_>) -> Result<bool, StoreError> + Sync + 'a;

/// Reports progress and allows cancellation.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Called with the bytes of the file and the rows read so far, at most a few times per second.
    pub on_progress: &'a (dyn Fn(u64, u64) + Sync),
    /// Setting it to true ends the import soon, with nothing written.
    pub cancelled: &'a AtomicBool,
}

/// An export run whose parts are all present: its manifest, and the relation of its files to other runs.
#[derive(Debug)]
pub struct ExportRun<'a> {
    /// The import of the manifest, and its report once everything is written.
    pub job: Job,
    pub report: Report,
    pub manifest: &'a Manifest,
    /// The index of the manifest part for each file.
    pub part_of: Vec<usize>,
    /// Imports of older runs of the export, which this run replaces.
    pub older: Vec<Uuid>,
    /// Imports of other parts of this run whose rows are already stored.
    pub own: Vec<Uuid>,
}

/// The result of a delivery.
pub struct DeliveryOutcome {
    /// The result of each file; an error belongs to one file whose bytes could not be read.
    pub files: Vec<Result<Report, ImportError>>,
    /// The report of the manifest, if there is one.
    pub manifest: Option<Report>,
}

/// Imports the files of one delivery. Blocks the thread; another import can read while this one writes.
///
/// After an error the database contains nothing of the delivery, and the rows of `imports` are unchanged. Either all parts of an export run
/// are written or none.
pub fn deliver(
    store: &Store,
    caller: &Caller,
    files: &[File<'_>],
    options: Options<'_>,
    export_run: Option<&ExportRun<'_>>,
) -> Result<DeliveryOutcome, ImportError> {
    let tenant = caller.tenant().ok_or(ImportError::NoTenant)?;
    let options = Options { choice: options.choice.or_else(|| answered(files)), ..options };
    let runs: Vec<Run<'_>> =
        files.iter().map(|file| Run::new(store, caller, tenant, *file, options)).collect::<Result<_, _>>()?;
    let results = runs.iter().map(|_| None).collect();
    let mut batch = ImportBatch {
        runs: &runs,
        store,
        caller,
        options,
        results,
        export_run,
        manifest: None,
        in_place: Vec::new(),
    };
    match export_run {
        Some(export_run) => batch.run_manifest(export_run)?,
        None => batch.run()?,
    }
    let (results, manifest) = (batch.results, batch.manifest);
    let end = |(run, end): (&Run<'_>, Option<FileResult>)| {
        run.end(end.unwrap_or(FileResult::Stop(ReadStop::Abandoned)))
    };
    let files = runs.iter().zip(results).map(end).collect::<Result<_, _>>()?;
    if let (Some(export_run), Some(report)) = (export_run, &manifest)
        && report.state == State::WaitingForParts
        && !options.dry_run
    {
        let now = (options.clock)();
        store.transaction(caller, |rows| imports::finish(rows, &export_run.job, report, now, 0))?;
    }
    Ok(DeliveryOutcome { files, manifest })
}

/// The answer of earlier attempts about the rows, if all files with an answer have the same one.
fn answered(files: &[File<'_>]) -> Option<Choice> {
    let mut choices = files.iter().filter_map(|file| rows_answer(file.answers)?.rows_choice());
    let first = choices.next()?;
    choices.all(|choice| choice == first).then_some(first)
}

/// The report of a file of which only the format is known.
pub fn recognised(
    store: &Store,
    caller: &Caller,
    file: File<'_>,
    options: Options<'_>,
) -> Result<Report, ImportError> {
    let tenant = caller.tenant().ok_or(ImportError::NoTenant)?;
    let run = Run::new(store, caller, tenant, file, options)?;
    let sha256 = match file.original {
        Some((sha256, _)) => Ok(sha256.to_owned()),
        None => source::hash(file.path),
    };
    let sha256 = sha256.map_err(|cause| ImportError::Read { path: file.path.to_owned(), cause })?;
    Ok(Report { sha256, ..run.recognised() })
}
