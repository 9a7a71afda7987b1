//! One file from its first byte to its report.

use crate::Delivery;
use crate::detect::{Detected, detect, unknown};
use crate::error::ImportError;
use crate::formats::{
    Batch, FormAnswers, Format, Readable, Reading, Records, Scope, Settled, Stop, Summary, compute_optimizer,
    damaged_gzip, focus,
};
use crate::limit::BATCHES_WAITING;
use crate::report::{CostTotal, Decision, Failure, Period, Report, SavingsTotal, State};
use crate::source::{self, Source};
use crate::write::imports::{self, Earlier};
use crate::write::{Conflict, Job, Writer, Written};
use catalogue::{Caller, DecimalSum, format_timestamp};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, sync_channel};
use store::{Clock, Store, StoreError, Transaction};
use uuid::Uuid;

/// A file to import.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// What people call it. It says nothing about the format.
    pub name: &'a str,
    /// Where its bytes are.
    pub path: &'a Path,
}

/// How to import.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The row of `imports` to report in; it is made when it is not there.
    pub import_id: Uuid,
    /// Whom the accounts it adds are created by: the caller, or the tenant's owner.
    pub owner: Uuid,
    /// The delivery the file is a part of: shared by its parts, new for any other file.
    pub delivery: &'a Delivery,
    /// What a person has said about how numbers and dates are written.
    pub forms: FormAnswers,
    /// Read everything, write nothing.
    pub dry_run: bool,
    pub clock: Clock,
}

/// Who wants to know how far an import has come, and who may end it.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Told the bytes of the file and the rows read so far, a few times a second at most.
    pub tell: &'a (dyn Fn(u64, u64) + Sync),
    /// Set to true, the import ends soon and nothing is written.
    pub cancelled: &'a AtomicBool,
}

/// Imports one file. Blocks the thread; a second one reads while this one writes.
///
/// A file that cannot be understood is no error but a report in state `failed`, kept like any other. After an error nothing
/// of the file is in the database, and the row of `imports` is as it was.
pub fn import(
    store: &Store,
    caller: &Caller,
    file: File<'_>,
    options: Options<'_>,
    progress: Progress<'_>,
) -> Result<Report, ImportError> {
    let tenant = caller.tenant().ok_or(ImportError::NoTenant)?;
    let job = Job {
        tenant,
        import: options.import_id,
        user: caller.user,
        owner: options.owner,
        now: (options.clock)(),
    };
    let cannot_read = |cause| ImportError::Read { path: file.path.to_owned(), cause };
    let metadata = std::fs::metadata(file.path).map_err(cannot_read)?;
    let run = Run { store, caller, file, options, progress, job, size_bytes: metadata.len() };
    let mut report = Report::of(file.name, metadata.len());
    report.forms = options.forms;
    let outcome = if metadata.is_dir() {
        Err(refused(unknown("a directory")))
    } else if metadata.is_file() {
        run.run(&mut report)
    } else {
        Err(refused(unknown("no regular file")))
    };
    match outcome {
        Ok(()) => {
            options.delivery.add(job.import);
            Ok(report)
        }
        Err(Halt::DryRun(done)) => Ok(*done),
        Err(Halt::Unchanged(earlier)) => {
            options.delivery.add(earlier.id);
            let report = unchanged(report, *earlier);
            run.keep(&report)?;
            Ok(report)
        }
        Err(Halt::Stop(Stop::Refused(failure))) => {
            report = Report {
                format: report.format,
                format_title: report.format_title,
                ..Report::of(file.name, metadata.len())
            };
            report.error = Some(*failure);
            run.keep(&report)?;
            Ok(report)
        }
        Err(Halt::Undecided(decision)) => {
            report.state = State::NeedsDecision;
            report.decision = Some(*decision);
            run.keep(&report)?;
            Ok(report)
        }
        // Reading is abandoned only when writing has failed, and then that is the outcome. Once the whole file was looked at no
        // form is unexpected.
        Err(Halt::Stop(Stop::Cancelled | Stop::Abandoned | Stop::UnexpectedForm)) => {
            Err(ImportError::Cancelled)
        }
        Err(Halt::Stop(Stop::Io(cause))) => Err(cannot_read(cause)),
        Err(Halt::Store(error)) => Err(ImportError::Store(error)),
    }
}

/// Why a run did not end with its rows written.
#[derive(Debug)]
enum Halt {
    Stop(Stop),
    Unchanged(Box<Earlier>),
    /// A person must say how the file is meant.
    Undecided(Box<Decision>),
    DryRun(Box<Report>),
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Conflict> for Halt {
    fn from(conflict: Conflict) -> Self {
        match conflict {
            Conflict::Store(error) => Self::Store(error),
            Conflict::TooManyPeriods => refused(Failure {
                message: format!("{conflict}; nothing was imported. A column may have been shifted."),
                looked_for: vec!["a cost file whose rows share billing accounts and periods".to_owned()],
                found: conflict.to_string(),
            }),
        }
    }
}

fn refused(failure: Failure) -> Halt {
    Halt::Stop(Stop::Refused(Box::new(failure)))
}

struct Run<'a> {
    store: &'a Store,
    caller: &'a Caller,
    file: File<'a>,
    options: Options<'a>,
    progress: Progress<'a>,
    job: Job,
    size_bytes: u64,
}

impl Run<'_> {
    fn run(&self, report: &mut Report) -> Result<(), Halt> {
        let (mut format, _) = self.open()?;
        report.format = Some(format.name().to_owned());
        report.format_title = Some(format.title());
        if let Some(earlier) = self.find_earlier()? {
            return Err(Halt::Unchanged(Box::new(earlier)));
        }
        self.settle_forms(&mut format, Scope::FirstRows)?;
        match self.write_all(&format, report) {
            Err(Halt::Stop(Stop::UnexpectedForm)) => {
                self.settle_forms(&mut format, Scope::WholeFile)?;
                self.write_all(&format, report)
            }
            outcome => outcome,
        }
    }

    fn write_all(&self, format: &Format, report: &mut Report) -> Result<(), Halt> {
        let write = |transaction: &Transaction<'_>| self.write(transaction, format, report);
        match format {
            Format::Focus(_) => self.store.load(self.caller, "spends", self.expected_rows(), write),
            Format::ComputeOptimizer(_) => self.store.transaction(self.caller, write),
        }
    }

    /// Recognises the file; it is ready to be read from its header on.
    fn open(&self) -> Result<(Format, Readable), Stop> {
        let mut source = Source::open(self.file.path).map_err(Stop::Io)?;
        let is_gzip = source.is_gzip();
        let head =
            source.peek().map_err(|error| if is_gzip { damaged_gzip(&error, 0) } else { Stop::Io(error) })?;
        let Detected { format, delimiter, skip } =
            detect(head).map_err(|failure| Stop::Refused(Box::new(failure)))?;
        source.skip(skip);
        Ok((format, Readable { source, delimiter }))
    }

    /// About how many charges the file has, by its size.
    fn expected_rows(&self) -> u64 {
        let is_gzip = Source::open(self.file.path).is_ok_and(|source| source.is_gzip());
        self.size_bytes / if is_gzip { 50 } else { 700 }
    }

    /// An earlier import of the same bytes whose rows are still there. The file is hashed in advance only when one of the same
    /// size exists.
    fn find_earlier(&self) -> Result<Option<Earlier>, Halt> {
        let candidates =
            self.store.snapshot(self.caller, |rows| imports::of_size(rows, &self.job, self.size_bytes))?;
        if candidates.is_empty() {
            return Ok(None);
        }
        let sha256 = source::hash(self.file.path).map_err(Stop::Io)?;
        self.store.snapshot(self.caller, |rows| Ok(in_place(rows, candidates, &sha256)?))
    }

    /// Decides how numbers and dates are written before the first row is read: from the first rows, or from all where those
    /// do not suffice.
    fn settle_forms(&self, format: &mut Format, scope: Scope) -> Result<(), Halt> {
        let silent = Progress { tell: &|_, _| {}, cancelled: self.progress.cancelled };
        let records = Records::new(self.open()?.1, &silent);
        match format.settle(records, scope, self.options.forms)? {
            Settled::Yes => Ok(()),
            Settled::LookAtAll => self.settle_forms(format, Scope::WholeFile),
            Settled::Ask(decision) => Err(Halt::Undecided(decision)),
        }
    }

    fn write(&self, transaction: &Transaction<'_>, format: &Format, report: &mut Report) -> Result<(), Halt> {
        imports::begin(transaction, &self.job, report)?;
        let mut writer = Writer::new(transaction, self.job)?;
        let (_, file) = self.open()?;
        let (batches, waiting) = sync_channel(BATCHES_WAITING);
        let reading = Reading { batches, progress: &self.progress };
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(move || read(format, file, &reading));
            let written = receive(&mut writer, waiting);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written?;
            Ok::<_, Halt>(read?)
        })?;
        transaction.restore_indices()?;
        // A second program may have imported the same file meanwhile.
        let earlier = imports::of_size(transaction, &self.job, self.size_bytes)?;
        if let Some(earlier) = in_place(transaction, earlier, &read.sha256)? {
            return Err(Halt::Unchanged(Box::new(earlier)));
        }
        if read.rows_kept > 0 {
            writer.tag_keys(&read.tag_keys)?;
        }
        let written = writer.finish(self.options.delivery, self.file.name)?;
        fill(report, read, written);
        if self.options.dry_run {
            return Err(Halt::DryRun(Box::new(report.clone())));
        }
        imports::finish(transaction, &self.job, report, (self.options.clock)())?;
        Ok(())
    }

    /// Keeps the report of an import that wrote no rows.
    fn keep(&self, report: &Report) -> Result<(), StoreError> {
        if self.options.dry_run {
            return Ok(());
        }
        self.store.transaction(self.caller, |transaction| {
            imports::finish(transaction, &self.job, report, (self.options.clock)())
        })
    }
}

fn receive(writer: &mut Writer<'_>, batches: Receiver<Batch>) -> Result<(), Conflict> {
    // Owning the receiver matters: on an error it is dropped here, and the reading thread ends instead of waiting for ever.
    for batch in batches {
        writer.write(&batch)?;
    }
    Ok(())
}

fn read(format: &Format, file: Readable, reading: &Reading<'_>) -> Result<Summary, Stop> {
    let records = Records::new(file, reading.progress);
    match format {
        Format::Focus(layout) => focus::read(layout, records, reading),
        Format::ComputeOptimizer(layout) => compute_optimizer::read(layout, records, reading),
    }
}

fn in_place(
    transaction: &Transaction<'_>,
    candidates: Vec<Earlier>,
    sha256: &str,
) -> Result<Option<Earlier>, StoreError> {
    for earlier in candidates {
        if earlier.sha256 == sha256 && earlier.is_in_place(transaction)? {
            return Ok(Some(earlier));
        }
    }
    Ok(None)
}

fn fill(report: &mut Report, summary: Summary, written: Written) {
    let text = |sum: &DecimalSum| sum.to_string();
    report.state = match summary.skips.count {
        0 => State::Done,
        count if count == summary.rows_read && summary.rows_without_need == 0 => State::NothingRead,
        _ => State::DoneWithSkips,
    };
    report.sha256 = summary.sha256;
    report.rows_read = summary.rows_read;
    report.rows_written = summary.rows_kept;
    report.rows_skipped = summary.skips.count;
    report.period = summary.period.map(|(start, end)| Period {
        start: format!("{}Z", format_timestamp(start)),
        end: format!("{}Z", format_timestamp(end)),
    });
    report.accounts = written.accounts;
    report.totals = summary
        .costs
        .into_iter()
        .map(|(currency, [billed, effective, list, contracted])| CostTotal {
            currency,
            billed_cost: billed.as_ref().map(text),
            effective_cost: effective.as_ref().map(text),
            list_cost: list.as_ref().map(text),
            contracted_cost: contracted.as_ref().map(text),
        })
        .collect();
    report.savings = summary
        .savings
        .into_iter()
        .map(|(currency, sum)| SavingsTotal { currency, estimated_monthly_savings: sum.to_string() })
        .collect();
    report.reasons = summary.skips.reasons();
    report.skipped = summary.skips.listed;
    report.replaced = written.replaced;
    report.notes = summary.notes;
    report.column_formats = summary.column_formats;
    if report.rows_read == 0 {
        report.notes.push("The file has a header and no rows.".to_owned());
    }
    report.notes.extend(written.notes);
}

/// The report of a file whose bytes are in already: what is there stands in it, and that nothing was written.
fn unchanged(report: Report, earlier: Earlier) -> Report {
    let name = earlier.report.as_ref().map_or_else(String::new, |report| format!(" as {}", report.file_name));
    let before = earlier.report.unwrap_or_else(|| report.clone());
    Report {
        state: State::Unchanged,
        sha256: earlier.sha256,
        period: before.period,
        accounts: before.accounts,
        totals: before.totals,
        savings: before.savings,
        notes: vec![format!("The same file was imported before{name}; nothing has changed.")],
        ..report
    }
}
