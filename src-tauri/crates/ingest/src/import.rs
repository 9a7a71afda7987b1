//! The files of one delivery from their first byte to their reports.
//!
//! All are written in one transaction, each in an attempt of its own, so that one that cannot be read fails alone. At the end it
//! is decided what they take the place of; where a person must say, nothing is kept but the reports.

mod delivery;
mod halt;
mod reporting;
mod run;
mod writing;

use crate::archive::Archive;
use crate::decide::Choice;
use crate::error::ImportError;
use crate::formats::{FormAnswers, Stop};
use crate::manifest::Manifest;
use crate::mapping;
use crate::report::{Decision, Report, State, rows_answer};
use crate::source;
use crate::write::Job;
use crate::write::imports;
use catalogue::Caller;
use delivery::Delivery;
use halt::Halt;
use run::Run;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::{Clock, Store, StoreError, Transaction};
use uuid::Uuid;

/// By which share a replacement lowers a period without a question, unless the settings say otherwise.
pub const MOST_LOWER: f64 = 0.25;

/// A file to import.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// The row of `imports` to report in; it is made when it is not there.
    pub import_id: Uuid,
    /// What people call it. It says nothing about the format.
    pub name: &'a str,
    /// Its name behind the folders it lay in, as far as they are known: manifests tell files by it.
    pub location: &'a str,
    /// Where its bytes are.
    pub path: &'a Path,
    /// Hash and size of the file as it was handed in, where `path` holds it packed.
    pub original: Option<(&'a str, u64)>,
    /// What a person has said about this file; `None`: what is said of all of them.
    pub forms: Option<FormAnswers>,
    /// The questions about this file that were answered in earlier attempts. An answer about its rows holds where [`Options::choice`] is none.
    pub answers: &'a [Decision],
    pub progress: Progress<'a>,
}

/// How to import.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Whom the accounts it adds are created by: the caller, or the tenant's owner.
    pub owner: Uuid,
    /// What the files have in common.
    pub delivery: Uuid,
    /// What a person has said the rows are.
    pub choice: Option<Choice>,
    /// By which share a replacement may lower a period without a question.
    pub most_lower: f64,
    /// Where the files' bytes are kept; `None` keeps none.
    pub archive: Option<&'a Archive>,
    /// What a person has said about how numbers and dates are written, of files that have no answers of their own.
    pub forms: FormAnswers,
    /// The mapping that tables no format knows are read by; without one the mapping for their header.
    pub mapping: Option<&'a str>,
    /// A mapping that is tried and not kept.
    pub draft: Option<&'a mapping::Mapping>,
    /// Read everything, write nothing.
    pub dry_run: bool,
    /// Asked in the transaction that writes, when it begins and when it decides: whether the files are still to be imported by whoever imports them. Where
    /// another has, nothing is written.
    pub is_still_due: Option<&'a StillDue<'a>>,
    pub clock: Clock,
}

/// Whether files are still to be imported, as the rows of a transaction say.
pub type StillDue<'a> = dyn Fn(&Transaction<'_>) -> Result<bool, StoreError> + Sync + 'a;

/// Who wants to know how far an import has come, and who may end it.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Told the bytes of the file and the rows read so far, a few times a second at most.
    pub tell: &'a (dyn Fn(u64, u64) + Sync),
    /// Set to true, the import ends soon and nothing is written.
    pub cancelled: &'a AtomicBool,
}

/// One run of an export whose parts are all there: its manifest, and what its files are to those of other runs.
#[derive(Debug)]
pub struct ExportRun<'a> {
    /// The import of the manifest, and its report once all is written.
    pub job: Job,
    pub report: Report,
    pub manifest: &'a Manifest,
    /// Which part each file is.
    pub part_of: Vec<usize>,
    /// Imports of older runs of the export, which this one takes the place of.
    pub older: Vec<Uuid>,
    /// Imports of other parts of this run, whose rows are in place.
    pub own: Vec<Uuid>,
}

/// What came of a delivery.
pub struct DeliveryOutcome {
    /// File by file; an error is that of one file, whose bytes could not be read.
    pub files: Vec<Result<Report, ImportError>>,
    /// Of the manifest, when there is one.
    pub manifest: Option<Report>,
}

/// Imports the files of one delivery. Blocks the thread; a second one reads while this one writes.
///
/// After an error nothing of the delivery is in the database, and the rows of `imports` are as they were. Of a run of an export
/// either all parts are written or none.
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
    let ends = runs.iter().map(|_| None).collect();
    let mut delivery = Delivery {
        runs: &runs,
        store,
        caller,
        options,
        ends,
        export_run,
        manifest: None,
        in_place: Vec::new(),
    };
    match export_run {
        Some(export_run) => delivery.run_whole(export_run)?,
        None => delivery.run()?,
    }
    let (ends, manifest) = (delivery.ends, delivery.manifest);
    let end = |(run, end): (&Run<'_>, Option<Halt>)| run.end(end.unwrap_or(Halt::Stop(Stop::Abandoned)));
    let files = runs.iter().zip(ends).map(end).collect::<Result<_, _>>()?;
    if let (Some(export_run), Some(report)) = (export_run, &manifest)
        && report.state == State::WaitingForParts
        && !options.dry_run
    {
        let now = (options.clock)();
        store.transaction(caller, |rows| imports::finish(rows, &export_run.job, report, now, 0))?;
    }
    Ok(DeliveryOutcome { files, manifest })
}

/// What a person has said in earlier attempts of the rows of files, where it is one thing of all of which they have said anything.
fn answered(files: &[File<'_>]) -> Option<Choice> {
    let mut choices = files.iter().filter_map(|file| rows_answer(file.answers)?.rows_choice());
    let first = choices.next()?;
    choices.all(|choice| choice == first).then_some(first)
}

/// The report of a file of which no more is known than what it is.
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
