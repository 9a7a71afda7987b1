//! The files of one delivery from their first byte to their reports.
//!
//! All are written in one transaction, each in an attempt of its own, so that one that cannot be read fails alone. At the end it
//! is decided what they take the place of; where a person must say, nothing is kept but the reports.

use crate::archive::Archive;
use crate::archive_files::ArchiveFiles;
use crate::decide::{Choice, Reason};
use crate::detect::unknown;
use crate::error::ImportError;
use crate::formats::{
    Batch, FormAnswers, Format, Readable, Reading, Records, Scope, Settled as Forms, Stop, Summary,
    compute_optimizer, document, focus,
};
use crate::graph;
use crate::limit::BATCHES_WAITING;
use crate::manifest::Manifest;
use crate::mapping;
use crate::open::{JsonColumns, Mappings, open};
use crate::report::{
    Amount, CostTotal, Decided, Decision, DeliveryReport, Failure, Part, Period, Report, ReportFormat,
    SavingsTotal, State,
};
use crate::source::{self, Source};
use crate::write::counting;
use crate::write::imports::{self, Earlier};
use crate::write::settle::{self, FileRows, Outcome, Question, RunImports, Settled, Terms};
use crate::write::{Conflict, Job, Writer, Written, amounts};
use catalogue::{Caller, DecimalSum, format_timestamp};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, sync_channel};
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
    /// Who has said it, by name; nobody on the command line.
    pub decided_by: Option<&'a str>,
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
    Ok(Report { sha256, forms: run.forms(), ..run.recognised() })
}

/// How a file ended.
#[derive(Debug)]
enum Halt {
    Stop(Stop),
    Unchanged(Box<Earlier>),
    /// A person must say how numbers or dates are written.
    Undecided(Box<Decision>),
    /// The same rows as those of an earlier file of the delivery.
    SameAs(Box<Report>),
    /// Its report; written when it is not a dry run.
    Done(Box<Report>),
    /// A report that is still to be written.
    Keep(Box<Report>),
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NeedsMapping(decision) => Self::Undecided(decision),
            stop => Self::Stop(stop),
        }
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

/// The files of a delivery, and how those ended that have.
struct Delivery<'a> {
    runs: &'a [Run<'a>],
    store: &'a Store,
    caller: &'a Caller,
    options: Options<'a>,
    ends: Vec<Option<Halt>>,
    /// Set when the files are those of a manifest.
    export_run: Option<&'a ExportRun<'a>>,
    /// The report of the manifest, once all has ended.
    manifest: Option<Report>,
    /// Imports of the same bytes as a file of the run; what they brought is in place.
    in_place: Vec<(Uuid, usize)>,
}

/// Why the transaction of a delivery was not kept.
enum Undone {
    Store(StoreError),
    Cancelled,
    Ask(Box<Question>, Vec<(usize, Report)>),
    /// A file of a manifest cannot be written.
    Incomplete(usize, Box<Halt>),
    DryRun,
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A file that is to be written.
struct Ready {
    place: usize,
    format: Format,
    report: Report,
    same_file: Vec<Uuid>,
}

impl Delivery<'_> {
    fn run(&mut self) -> Result<(), ImportError> {
        let mut left: BTreeSet<usize> = (0..self.runs.len()).collect();
        // What a question is about is set aside, and the others are decided without it.
        while !left.is_empty() {
            let ready = self.prepare(&left);
            // Records of other kinds have no periods: nothing about them is to be decided.
            let (bills, others): (Vec<Ready>, Vec<Ready>) =
                ready.into_iter().partition(|ready| ready.format.has_charges());
            for other in others {
                left.remove(&other.place);
                self.write(vec![other], false).map_err(fault)?;
            }
            if bills.is_empty() {
                return Ok(());
            }
            match self.write(bills, true) {
                Ok(()) | Err(Undone::DryRun) => return Ok(()),
                Err(Undone::Ask(question, reports)) => {
                    let is_versions = question.reason == Reason::TwoVersions;
                    if is_versions && self.options.choice.is_some() {
                        // The later file takes the place of the earlier one.
                        for file in left {
                            let ready = self.prepare(&BTreeSet::from([file]));
                            match self.write(ready, true) {
                                Ok(()) | Err(Undone::DryRun) => {}
                                Err(undone) => return Err(fault(undone)),
                            }
                        }
                        return Ok(());
                    }
                    for (place, report) in reports {
                        if question.files.contains(&place) {
                            left.remove(&place);
                            let delivery = self.delivery_report(Some(place), &question.files);
                            self.ends[place] = Some(Run::ask(report, &question, delivery));
                        }
                    }
                    for file in left.clone() {
                        if self.ends[file].as_ref().is_some_and(|end| !matches!(end, Halt::Done(_))) {
                            left.remove(&file);
                        }
                    }
                }
                Err(undone) => return Err(fault(undone)),
            }
        }
        Ok(())
    }

    /// Writes all files of a manifest, or none.
    fn run_whole(&mut self, export_run: &ExportRun<'_>) -> Result<(), ImportError> {
        let all: BTreeSet<usize> = (0..self.runs.len()).collect();
        let ready = self.prepare(&all);
        for (place, end) in self.ends.iter().enumerate() {
            if let Some(Halt::Unchanged(earlier)) = end {
                self.in_place.push((earlier.id, place));
            }
        }
        let is_wrong =
            |end: &Option<Halt>| end.as_ref().is_some_and(|end| !matches!(end, Halt::Unchanged(_)));
        if self.ends.iter().any(is_wrong) {
            self.have_wait(export_run, &all, None);
            return Ok(());
        }
        match self.write(ready, true) {
            Ok(()) => Ok(()),
            Err(Undone::Ask(question, reports)) => {
                let delivery = self.delivery_report(None, &all);
                for (place, report) in reports {
                    let delivery = self.delivery_report(Some(place), &all);
                    self.ends[place] = Some(Run::ask(report, &question, delivery));
                }
                let mut head = Report { state: State::WaitingForParts, ..export_run.report.clone() };
                head.notes.push("All files are there; some of them wait for a decision.".to_owned());
                self.manifest = Some(Report { delivery: Some(delivery), ..head });
                Ok(())
            }
            Err(Undone::Incomplete(place, halt)) => {
                self.ends[place] = Some(*halt);
                self.have_wait(export_run, &all, Some(place));
                Ok(())
            }
            Err(undone) => Err(fault(undone)),
        }
    }

    /// A part cannot be written: the others wait until there is one that can.
    fn have_wait(&mut self, export_run: &ExportRun<'_>, all: &BTreeSet<usize>, wrong: Option<usize>) {
        let is_wrong = |place: usize| {
            let end = self.ends[place].as_ref();
            Some(place) == wrong || end.is_some_and(|end| !matches!(end, Halt::Unchanged(_)))
        };
        let lacking: BTreeSet<usize> =
            all.iter().filter(|place| is_wrong(**place)).map(|place| export_run.part_of[*place]).collect();
        let mark = |mut delivery: DeliveryReport| {
            for (part, report) in delivery.parts.iter_mut().enumerate() {
                report.is_present &= !lacking.contains(&part);
            }
            delivery
        };
        let waiting: Vec<usize> = all.iter().copied().filter(|place| !is_wrong(*place)).collect();
        for place in waiting {
            let delivery = mark(self.delivery_report(Some(place), all));
            let run = &self.runs[place];
            self.ends[place] = Some(match recognised(run.store, run.caller, run.file, run.options) {
                Ok(report) => {
                    let state = State::WaitingForParts;
                    Halt::Keep(Box::new(Report { state, delivery: Some(delivery), ..report }))
                }
                Err(ImportError::Read { cause, .. }) => Halt::Stop(Stop::Io(cause)),
                Err(ImportError::Store(error)) => Halt::Store(error),
                Err(ImportError::NoTenant | ImportError::Cancelled) => Halt::Stop(Stop::Cancelled),
            });
        }
        let delivery = mark(self.delivery_report(None, all));
        let head = export_run.report.clone();
        self.manifest = Some(Report { state: State::WaitingForParts, delivery: Some(delivery), ..head });
    }

    /// What the report of a file says of its delivery; of the manifest itself without a place.
    fn delivery_report(&self, place: Option<usize>, files: &BTreeSet<usize>) -> DeliveryReport {
        let of_run = self.export_run.and_then(|run| Some((run, run.report.delivery.clone()?)));
        if let Some((run, mut delivery)) = of_run {
            delivery.part = place.map(|place| run.manifest.parts[run.part_of[place]].path.clone());
            return delivery;
        }
        let part = |file: &usize| Part {
            file_name: self.runs[*file].file.name.to_owned(),
            is_present: true,
            size_bytes: None,
        };
        DeliveryReport {
            id: self.options.delivery.to_string(),
            parts: files.iter().map(part).collect(),
            ..DeliveryReport::default()
        }
    }

    /// Recognises the files; those that end here have their end.
    fn prepare(&mut self, left: &BTreeSet<usize>) -> Vec<Ready> {
        let mut ready = Vec::new();
        for place in left {
            match self.runs[*place].prepare() {
                Ok((format, report, same_file)) => {
                    ready.push(Ready { place: *place, format, report, same_file });
                }
                Err(halt) => self.ends[*place] = Some(halt),
            }
        }
        ready
    }

    fn write(&mut self, ready: Vec<Ready>, are_bills: bool) -> Result<(), Undone> {
        let expected = ready.iter().map(|ready| self.runs[ready.place].expected_rows()).sum();
        let mut ends = Vec::new();
        let mut manifest = None;
        let (store, caller) = (self.store, self.caller);
        let work = |transaction: &Transaction<'_>| self.work(transaction, ready, &mut ends, &mut manifest);
        let outcome = if are_bills {
            store.load(caller, "spends", expected, work)
        } else {
            store.large_transaction(caller, work)
        };
        if matches!(outcome, Ok(()) | Err(Undone::DryRun | Undone::Ask(..))) {
            for (place, end) in ends {
                self.ends[place] = Some(end);
            }
            self.manifest = manifest;
        }
        match outcome {
            Err(Undone::DryRun) => Ok(()),
            outcome => outcome,
        }
    }

    fn work(
        &self,
        transaction: &Transaction<'_>,
        ready: Vec<Ready>,
        ends: &mut Vec<(usize, Halt)>,
        manifest: &mut Option<Report>,
    ) -> Result<(), Undone> {
        self.check_still_due(transaction)?;
        let mut in_place = self.in_place.clone();
        let mut written: Vec<(usize, Report)> = Vec::new();
        let mut rows: Vec<FileRows> = Vec::new();
        for Ready { place, mut format, mut report, same_file } in ready {
            let run = &self.runs[place];
            let mut sources = transaction.attempt(|| run.write(transaction, &format, &mut report));
            if matches!(sources, Err(Halt::Stop(Stop::UnexpectedForm))) {
                // A late cell is written as none before it: all are looked at before the file is read again.
                sources = run
                    .settle_forms(&mut format, Scope::WholeFile)
                    .and_then(|()| transaction.attempt(|| run.write(transaction, &format, &mut report)));
            }
            match sources {
                Ok(_) if written.iter().any(|(_, other)| other.sha256 == report.sha256) => {
                    // Found only now: the bytes were read once.
                    transaction.delete("spends", &[store::eq("import_id", run.job.import)])?;
                    transaction.delete("import_changes", &[store::eq("import_id", run.job.import)])?;
                    ends.push((place, Halt::SameAs(Box::new(report))));
                }
                Ok(sources) => {
                    let has_unreadable = report.rows_skipped > 0;
                    let name = report.file_name.clone();
                    let cost_view = format.cost_view();
                    let format = report.format.clone();
                    rows.push(FileRows {
                        job: run.job,
                        name,
                        sources,
                        has_unreadable,
                        same_file,
                        cost_view,
                        format,
                    });
                    crate::write::sources::bound(rows.iter_mut().flat_map(|file| &mut file.sources));
                    written.push((place, report));
                }
                Err(Halt::Store(error)) => return Err(Undone::Store(error)),
                Err(Halt::Stop(Stop::Cancelled | Stop::Abandoned)) => return Err(Undone::Cancelled),
                Err(Halt::Unchanged(earlier)) => {
                    in_place.push((earlier.id, place));
                    ends.push((place, Halt::Unchanged(earlier)));
                }
                Err(halt) if self.export_run.is_some() => {
                    return Err(Undone::Incomplete(place, Box::new(halt)));
                }
                Err(halt) => ends.push((place, halt)),
            }
        }
        transaction.restore_indices()?;
        // What is decided from now on stays true; until now another server could take the files over.
        transaction.write_alone()?;
        self.check_still_due(transaction)?;
        let mut runs = RunImports::default();
        if let Some(run) = self.export_run {
            let is_in_place = |import: &Uuid| in_place.iter().any(|(other, _)| other == import);
            runs.older = run.older.iter().copied().filter(|import| !is_in_place(import)).collect();
            runs.own = run.own.iter().copied().chain(in_place.iter().map(|(import, _)| *import)).collect();
            // What only older runs brought goes on behalf of the manifest.
            imports::begin(transaction, &run.job, &run.report)?;
            rows.push(FileRows {
                job: run.job,
                name: run.report.file_name.clone(),
                sources: Vec::new(),
                has_unreadable: false,
                same_file: Vec::new(),
                cost_view: None,
                format: None,
            });
        }
        let terms = Terms {
            choice: self.options.choice,
            most_lower: self.options.most_lower,
            runs: self.export_run.map(|_| &runs),
        };
        let mut outcomes = match settle::settle(transaction, &mut rows, terms)? {
            Settled::Done(outcomes) => outcomes,
            Settled::Ask(mut question) => {
                let place = |file: &usize| written.get(*file).map(|(place, _)| *place);
                question.files = question.files.iter().filter_map(place).collect();
                return Err(Undone::Ask(question, written));
            }
        };
        let mut counted = counting::settle(transaction)?;
        let now = (self.options.clock)();
        let mut sequence = imports::next_sequence(transaction)?;
        let of_manifest = self.export_run.and_then(|run| Some((run, outcomes.pop()?)));
        let has_written = !written.is_empty();
        if has_written && !self.options.dry_run {
            let met = written.iter().map(|(_, report)| report.accounts.as_slice());
            graph::renew(transaction, &graph::Scope::met(transaction, met)?, now)?;
        }
        for ((place, mut report), outcome) in written.into_iter().zip(outcomes) {
            let is_same = outcome.same_as.is_some();
            settled(&mut report, outcome);
            report.notes.extend(counted.notes_of(self.runs[place].job.import));
            report.delivery = Some(self.delivery_report(Some(place), &(0..self.runs.len()).collect()));
            if let Some(choice) = self.options.choice {
                report.decision =
                    decided(transaction, self.runs[place].job, (choice, self.options.decided_by), now)?;
            }
            if is_same {
                // What it changed is what the file with the same rows changed.
                let own = [store::eq("import_id", self.runs[place].job.import)];
                transaction.delete("import_changes", &own)?;
                ends.push((place, Halt::SameAs(Box::new(report))));
                continue;
            }
            imports::finish(transaction, &self.runs[place].job, &report, now, sequence)?;
            // The files of a delivery are taken back in the opposite order.
            sequence += 1;
            ends.push((place, Halt::Done(Box::new(report))));
        }
        if let Some((run, outcome)) = of_manifest {
            let mut report = run.report.clone();
            let has_replaced = outcome.replaced.is_some();
            settled(&mut report, outcome);
            let count = run.manifest.parts.len();
            if has_written || has_replaced {
                report.notes.push(format!("All files of this run are imported ({count})."));
            } else {
                report.state = State::Unchanged;
                report.notes.push(format!("All files of this run were imported before ({count})."));
            }
            for (import, place) in &in_place {
                imports::claim(transaction, *import, &self.delivery_report(Some(*place), &BTreeSet::new()))?;
            }
            // An unchanged manifest stays the one of its run.
            let kept = Report { state: State::Done, ..report.clone() };
            imports::finish(transaction, &run.job, &kept, now, sequence)?;
            *manifest = Some(report);
        }
        if self.options.dry_run { Err(Undone::DryRun) } else { Ok(()) }
    }
}

impl Delivery<'_> {
    /// Ends the transaction where another server imports the files by now.
    fn check_still_due(&self, transaction: &Transaction<'_>) -> Result<(), Undone> {
        match self.options.is_still_due {
            Some(is_still_due) if !is_still_due(transaction)? => Err(Undone::Cancelled),
            _ => Ok(()),
        }
    }
}

/// What stops a whole delivery.
fn fault(undone: Undone) -> ImportError {
    match undone {
        Undone::Store(error) => ImportError::Store(error),
        Undone::Cancelled | Undone::Ask(..) | Undone::Incomplete(..) | Undone::DryRun => {
            ImportError::Cancelled
        }
    }
}

/// The question an import has had, with its answer.
fn decided(
    transaction: &Transaction<'_>,
    job: Job,
    (choice, by): (Choice, Option<&str>),
    now: i64,
) -> Result<Option<Decision>, StoreError> {
    let Some(mut decision) = imports::report(transaction, job.import)?.and_then(|report| report.decision)
    else {
        return Ok(None);
    };
    decision.decided = Some(Decided {
        choice: choice.name().to_owned(),
        by: by.map(str::to_owned),
        at: format!("{}Z", format_timestamp(now)),
    });
    Ok(Some(decision))
}

/// What deciding has shown.
fn settled(report: &mut Report, outcome: Outcome) {
    report.replaced = outcome.replaced;
    let file = std::mem::take(&mut report.sums.file);
    report.sums = outcome.sums;
    report.sums.file = file;
    report.notes.extend(outcome.notes);
}

struct Run<'a> {
    store: &'a Store,
    caller: &'a Caller,
    file: File<'a>,
    options: Options<'a>,
    job: Job,
    size_bytes: u64,
    json_columns: JsonColumns,
    mappings: Mappings,
}

impl<'a> Run<'a> {
    fn new(
        store: &'a Store,
        caller: &'a Caller,
        tenant: Uuid,
        file: File<'a>,
        options: Options<'a>,
    ) -> Result<Self, StoreError> {
        let mappings = Mappings {
            kept: store.snapshot(caller, mapping::all)?,
            named: options.mapping.map(str::to_owned),
            draft: options.draft.cloned(),
        };
        let job = Job {
            tenant,
            import: file.import_id,
            user: caller.user,
            owner: options.owner,
            now: (options.clock)(),
            delivery: options.delivery,
        };
        let size_bytes = file.original.map(|(_, size)| size);
        let size_bytes = size_bytes.unwrap_or_else(|| std::fs::metadata(file.path).map_or(0, |at| at.len()));
        Ok(Self { store, caller, file, options, job, size_bytes, json_columns: JsonColumns::new(), mappings })
    }
}

impl Run<'_> {
    /// What a person has said about the file.
    fn forms(&self) -> FormAnswers {
        self.file.forms.unwrap_or(self.options.forms)
    }

    /// Recognises the file, and finds out whether there is anything to do.
    fn prepare(&self) -> Result<(Format, Report, Vec<Uuid>), Halt> {
        let metadata = std::fs::metadata(self.file.path).map_err(Stop::Io)?;
        if metadata.is_dir() {
            return Err(refused(unknown("a directory")));
        }
        if !metadata.is_file() {
            return Err(refused(unknown("no regular file")));
        }
        let mut report = Report::of(self.file.name, self.size_bytes);
        report.forms = self.forms();
        let (mut format, _) = self.open()?;
        report.format = Some(report_format(&format));
        let mut same_file = Vec::new();
        for earlier in self.find_earlier()? {
            let is_in_place = self.store.snapshot(self.caller, |rows| earlier.is_in_place(rows))?;
            if is_in_place {
                return Err(Halt::Unchanged(Box::new(earlier)));
            }
            if earlier.is_in_force() {
                same_file.push(earlier.id);
            }
        }
        self.settle_forms(&mut format, Scope::FirstRows)?;
        Ok((format, report, same_file))
    }

    /// Recognises the file; it is ready to be read from its first row on.
    fn open(&self) -> Result<(Format, Readable), Stop> {
        open(self.file.path, &self.json_columns, &self.mappings)
    }

    /// About how many charges the file has, by its size.
    fn expected_rows(&self) -> u64 {
        let is_gzip = Source::open(self.file.path).is_ok_and(|source| source.is_gzip());
        self.size_bytes / if is_gzip { 50 } else { 700 }
    }

    /// Earlier imports of the same bytes. The file is hashed in advance only when one of the same size exists.
    fn find_earlier(&self) -> Result<Vec<Earlier>, Halt> {
        let mut candidates =
            self.store.snapshot(self.caller, |rows| imports::of_size(rows, &self.job, self.size_bytes))?;
        if !candidates.is_empty() {
            let sha256 = match self.file.original {
                Some((sha256, _)) => sha256.to_owned(),
                None => source::hash(self.file.path).map_err(Stop::Io)?,
            };
            candidates.retain(|earlier| earlier.sha256 == sha256);
        }
        Ok(candidates)
    }

    /// Decides how numbers and dates are written before the first row is read: from the first rows, or from all where those
    /// do not suffice.
    fn settle_forms(&self, format: &mut Format, scope: Scope) -> Result<(), Halt> {
        let silent = Progress { tell: &|_, _| {}, cancelled: self.file.progress.cancelled };
        let records = Records::new(self.open()?.1, &silent);
        match format.settle(records, scope, self.forms())? {
            Forms::Yes => Ok(()),
            Forms::LookAtAll => self.settle_forms(format, Scope::WholeFile),
            Forms::Ask(decision) => Err(Halt::Undecided(decision)),
        }
    }

    /// Writes the rows of the file; what they are of.
    fn write(
        &self,
        transaction: &Transaction<'_>,
        format: &Format,
        report: &mut Report,
    ) -> Result<Vec<crate::write::sources::Source>, Halt> {
        // The question that this answers stays in the report.
        if self.options.choice.is_some() {
            report.decision =
                imports::report(transaction, self.job.import)?.and_then(|report| report.decision);
        }
        imports::begin(transaction, &self.job, report)?;
        let mut writer = Writer::new(transaction, self.job)?;
        let (_, file) = self.open()?;
        let (batches, waiting) = sync_channel(BATCHES_WAITING);
        let reading = Reading { batches, progress: &self.file.progress };
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(move || read(format, file, &reading));
            let written = receive(&mut writer, waiting);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written?;
            Ok::<_, Halt>(read?)
        })?;
        if read.rows_kept > 0 {
            writer.tag_keys(&read.tag_keys)?;
        }
        let written = writer.finish()?;
        let sources = fill(report, read, written);
        if let Some((sha256, _)) = self.file.original {
            sha256.clone_into(&mut report.sha256);
        }
        if report.rows_read > 0 && report.rows_written == 0 {
            report.state = State::NothingRead;
            return Err(Halt::Keep(Box::new(report.clone())));
        }
        // A second program may have imported the same file meanwhile.
        for earlier in imports::of_size(transaction, &self.job, self.size_bytes)? {
            if earlier.sha256 == report.sha256 && earlier.is_in_place(transaction)? {
                return Err(Halt::Unchanged(Box::new(earlier)));
            }
        }
        Ok(sources)
    }

    /// The report of a file that a person must decide about.
    fn ask(mut report: Report, question: &Question, delivery: DeliveryReport) -> Halt {
        report.state = State::NeedsDecision;
        report.rows_written = 0;
        report.delivery = Some(delivery);
        report.decision = Some(Decision {
            reason: question.reason.to_string(),
            question: question.reason.question(&question.periods.join(", ")),
            choices: amounts::report(question),
            decided: None,
        });
        Halt::Keep(Box::new(report))
    }

    /// The report, written down where it is not yet; and the file's bytes kept.
    fn end(&self, halt: Halt) -> Result<Result<Report, ImportError>, ImportError> {
        let report = match halt {
            Halt::Done(report) => {
                self.keep_bytes(&report);
                return Ok(Ok(*report));
            }
            Halt::Keep(report) => {
                self.keep_bytes(&report);
                *report
            }
            Halt::SameAs(report) => Report {
                state: State::Unchanged,
                rows_written: 0,
                notes: vec![
                    "Another file of the same delivery has the same rows; they count once.".to_owned(),
                ],
                ..*report
            },
            Halt::Undecided(decision) => {
                let mut report = self.recognised();
                report.state = State::NeedsDecision;
                report.forms = self.forms();
                report.decision = Some(*decision);
                // Of the bytes as they were handed in: asked a second time, they are read from where they are kept, packed.
                let sha256 = match self.file.original {
                    Some((sha256, _)) => Ok(sha256.to_owned()),
                    None => source::hash(self.file.path),
                };
                if let Ok(sha256) = sha256 {
                    report.sha256 = sha256;
                }
                self.keep_bytes(&report);
                report
            }
            Halt::Unchanged(earlier) => unchanged(Report::of(self.file.name, self.size_bytes), *earlier),
            Halt::Stop(Stop::Refused(failure)) => {
                let mut report = self.recognised();
                report.error = Some(*failure);
                report
            }
            // Reading is abandoned only when writing has failed, and then that is the outcome. Once the whole file was looked at no
            // form is unexpected.
            Halt::Stop(Stop::Cancelled | Stop::Abandoned | Stop::UnexpectedForm | Stop::NeedsMapping(_)) => {
                return Err(ImportError::Cancelled);
            }
            Halt::Stop(Stop::Io(cause)) => {
                return Ok(Err(ImportError::Read { path: self.file.path.to_owned(), cause }));
            }
            Halt::Store(error) => return Err(ImportError::Store(error)),
        };
        self.keep(&report)?;
        Ok(Ok(report))
    }

    /// The report of a file of which no more is known than its format.
    fn recognised(&self) -> Report {
        let mut report = Report::of(self.file.name, self.size_bytes);
        if let Ok((format, _)) = self.open() {
            report.format = Some(report_format(&format));
        }
        report
    }

    /// Keeps the report of an import that wrote no rows.
    fn keep(&self, report: &Report) -> Result<(), StoreError> {
        if self.options.dry_run {
            return Ok(());
        }
        self.store.transaction(self.caller, |transaction| {
            imports::finish(transaction, &self.job, report, (self.options.clock)(), 0)
        })
    }

    fn keep_bytes(&self, report: &Report) {
        if let Some(archive) = self.options.archive
            && !self.options.dry_run
            && self.file.original.is_none()
            && !report.sha256.is_empty()
        {
            archive.keep(self.file.path, &report.sha256);
        }
    }
}

fn receive(writer: &mut Writer<'_>, batches: Receiver<Batch>) -> Result<(), Conflict> {
    // Owning the receiver matters: on an error it is dropped here, and the reading thread ends instead of waiting for ever.
    for batch in batches {
        writer.write(&batch)?;
    }
    Ok(())
}

fn report_format(format: &Format) -> ReportFormat {
    ReportFormat { id: format.name().to_owned(), title: format.title() }
}

fn read(format: &Format, file: Readable, reading: &Reading<'_>) -> Result<Summary, Stop> {
    let rows = |file| Records::new(file, reading.progress);
    match format {
        Format::Document(document) => document::read(document, file, reading),
        Format::Focus(layout) => focus::read(layout, rows(file), reading),
        Format::Bill(bill) => focus::read(&bill.layout, rows(file).translated(&bill.translation), reading),
        Format::ComputeOptimizer(layout) => compute_optimizer::read(layout, rows(file), reading),
    }
}

/// What reading and writing have shown goes into the report; the periods written are left.
fn fill(report: &mut Report, mut summary: Summary, written: Written) -> Vec<crate::write::sources::Source> {
    let text = |sum: &DecimalSum| sum.to_string();
    // Of a document, whoever writes counts the rows.
    let records = written.records;
    summary.rows_kept += records.rows.written;
    summary.rows_read += records.rows.written + records.rows.skips.count;
    summary.skips.append(records.rows.skips);
    report.written = records.counts;
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
    report.sums.file = report
        .totals
        .iter()
        .filter_map(|total| {
            let billed_cost = total.billed_cost.clone()?;
            Some(Amount { currency: total.currency.clone(), period: None, billed_cost })
        })
        .collect();
    report.notes = summary.notes;
    report.column_formats = summary.column_formats;
    report.files = ArchiveFiles::of(summary.files);
    if report.rows_read == 0 {
        report.notes.push(if summary.is_document {
            "The file lists nothing.".to_owned()
        } else {
            "The file has a header and no rows.".to_owned()
        });
    }
    report.notes.extend(written.notes);
    written.sources
}

/// The report of a file whose bytes are in already: what is there stands in it, and that nothing was written.
fn unchanged(report: Report, earlier: Earlier) -> Report {
    let name = earlier.report.as_ref().map_or_else(String::new, |report| format!(" as {}", report.file_name));
    let before = earlier.report.unwrap_or_else(|| report.clone());
    Report {
        state: State::Unchanged,
        sha256: earlier.sha256,
        format: before.format.clone(),
        written: before.written,
        period: before.period,
        accounts: before.accounts,
        totals: before.totals,
        savings: before.savings,
        notes: vec![format!("The same file was imported before{name}; nothing has changed.")],
        ..report
    }
}
