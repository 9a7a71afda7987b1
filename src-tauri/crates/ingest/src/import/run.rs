//! The import of one file of a delivery: recognising, reading, writing and finishing it.

use super::file_result::{FileResult, refused};
use super::reporting::{fill, unchanged};
use super::{File, Options, Progress};
use crate::detect::unknown;
use crate::error::ImportError;
use crate::formats::{
    Batch, FormAnswers, Format, FormsOutcome as Forms, ReadStop, Readable, RecordSink, Records, Scope,
    Summary, compute_optimizer, document, focus,
};
use crate::limit::BATCHES_WAITING;
use crate::mapping;
use crate::open::{JsonColumns, Mappings, open};
use crate::report::{Decision, DeliveryReport, Report, ReportFormat, State};
use crate::source::{self, Source};
use crate::write::imports::{self, Earlier};
use crate::write::resolution::Question;
use crate::write::totals::{idle, unnamed_cluster};
use crate::write::{Conflict, Job, Writer, amounts, sources};
use catalogue::Caller;
use std::sync::mpsc::{Receiver, sync_channel};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The import of one file.
pub(super) struct Run<'a> {
    pub store: &'a Store,
    pub caller: &'a Caller,
    pub file: File<'a>,
    pub options: Options<'a>,
    pub job: Job,
    size_bytes: u64,
    json_columns: JsonColumns,
    mappings: Mappings,
}

impl<'a> Run<'a> {
    pub fn new(
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
    /// The answers about number and date formats for this file.
    pub fn forms(&self) -> FormAnswers {
        self.file.forms.unwrap_or(self.options.forms)
    }

    /// Recognises the file and checks whether there is anything to import.
    pub fn prepare(&self) -> Result<(Format, Report, Vec<Uuid>), FileResult> {
        let metadata = std::fs::metadata(self.file.path).map_err(ReadStop::Io)?;
        if metadata.is_dir() {
            return Err(refused(unknown("a directory")));
        }
        if !metadata.is_file() {
            return Err(refused(unknown("no regular file")));
        }
        let mut report = Report::of(self.file.name, self.size_bytes);
        report.forms = self.forms();
        report.answers = self.file.answers.to_vec();
        let (mut format, _) = self.open()?;
        report.format = Some(report_format(&format));
        let mut same_file = Vec::new();
        for earlier in self.find_earlier()? {
            let is_in_place = self.store.snapshot(self.caller, |rows| earlier.is_in_place(rows))?;
            if is_in_place {
                return Err(FileResult::Unchanged(Box::new(earlier)));
            }
            if earlier.is_in_force() {
                same_file.push(earlier.id);
            }
        }
        self.decide_forms(&mut format, Scope::FirstRows)?;
        Ok((format, report, same_file))
    }

    /// Recognises the file and opens it at its first row.
    fn open(&self) -> Result<(Format, Readable), ReadStop> {
        open(self.file.path, &self.json_columns, &self.mappings)
    }

    /// The estimated number of charges in the file, from its size.
    pub fn expected_rows(&self) -> u64 {
        let is_gzip = Source::open(self.file.path).is_ok_and(|source| source.is_gzip());
        self.size_bytes / if is_gzip { 50 } else { 700 }
    }

    /// Earlier imports of the same bytes. The file is hashed in advance only when an import of the same size exists.
    fn find_earlier(&self) -> Result<Vec<Earlier>, FileResult> {
        let mut candidates =
            self.store.snapshot(self.caller, |rows| imports::of_size(rows, &self.job, self.size_bytes))?;
        if !candidates.is_empty() {
            let sha256 = match self.file.original {
                Some((sha256, _)) => sha256.to_owned(),
                None => source::hash(self.file.path).map_err(ReadStop::Io)?,
            };
            candidates.retain(|earlier| earlier.sha256 == sha256);
        }
        Ok(candidates)
    }

    /// Decides how numbers and dates are written before the first row is read: from the first rows, or from all rows if those are not
    /// sufficient.
    pub fn decide_forms(&self, format: &mut Format, scope: Scope) -> Result<(), FileResult> {
        let silent = Progress { on_progress: &|_, _| {}, cancelled: self.file.progress.cancelled };
        let records = Records::new(self.open()?.1, &silent);
        match format.decide_forms(records, scope, self.forms())? {
            Forms::Yes => Ok(self.name_cluster(format)?),
            Forms::LookAtAll => self.decide_forms(format, Scope::WholeFile),
            Forms::Ask(decision) => Err(FileResult::Undecided(decision)),
        }
    }

    /// Assigns a file without a cluster name to the cluster that the user selected. If that cluster no longer exists, the question is asked again.
    fn name_cluster(&self, format: &mut Format) -> Result<(), StoreError> {
        if let (Format::Document(document), Some(account)) = (format, self.forms().cluster_account)
            && let Some(cluster) =
                self.store.snapshot(self.caller, |rows| unnamed_cluster::named(rows, account))?
        {
            document.cluster = Some(cluster);
        }
        Ok(())
    }

    /// Writes the rows of the file. Returns their sources.
    pub fn write(
        &self,
        transaction: &Transaction<'_>,
        format: &Format,
        report: &mut Report,
    ) -> Result<Vec<sources::Source>, FileResult> {
        imports::begin(transaction, &self.job, report)?;
        let mut writer = Writer::new(transaction, self.job)?;
        let (_, file) = self.open()?;
        let (batches, waiting) = sync_channel(BATCHES_WAITING);
        let reading = RecordSink { batches, progress: &self.file.progress };
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(move || read(format, file, &reading));
            let written = receive(&mut writer, waiting);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written?;
            Ok::<_, FileResult>(read?)
        })?;
        if read.rows_kept > 0 {
            writer.tag_keys(&read.tag_keys)?;
        }
        let mut written = writer.finish()?;
        let cluster = unnamed_cluster::check(
            transaction,
            self.job.import,
            &written.records.unnamed_cluster,
            self.forms(),
        )?;
        written.notes.extend(cluster.map_err(FileResult::Undecided)?);
        let idle = idle::check(transaction, self.job.import, &written.records.idle, self.forms())?;
        written.notes.extend(idle.map_err(FileResult::Undecided)?);
        let sources = fill(report, read, written);
        if let Some((sha256, _)) = self.file.original {
            sha256.clone_into(&mut report.sha256);
        }
        if report.rows_read > 0 && report.rows_written == 0 {
            report.state = State::NothingRead;
            return Err(FileResult::Keep(Box::new(report.clone())));
        }
        // Another process may have imported the same file in the meantime.
        for earlier in imports::of_size(transaction, &self.job, self.size_bytes)? {
            if earlier.sha256 == report.sha256 && earlier.is_in_place(transaction)? {
                return Err(FileResult::Unchanged(Box::new(earlier)));
            }
        }
        Ok(sources)
    }

    /// The report of a file that needs an answer.
    pub fn ask(mut report: Report, question: &Question, delivery: DeliveryReport) -> FileResult {
        report.state = State::NeedsDecision;
        report.rows_written = 0;
        report.delivery = Some(delivery);
        report.decision = Some(Decision {
            reason: question.reason.to_string(),
            question: question.reason.question(&question.periods.join(", ")),
            choices: amounts::report(question),
            decided: None,
        });
        FileResult::Keep(Box::new(report))
    }

    /// Completes the result: stores the report if it is not stored yet, and archives the file's bytes.
    pub fn end(&self, result: FileResult) -> Result<Result<Report, ImportError>, ImportError> {
        let report = match result {
            FileResult::Done(report) => {
                self.store_bytes(&report);
                return Ok(Ok(*report));
            }
            FileResult::Keep(report) => {
                self.store_bytes(&report);
                *report
            }
            FileResult::SameAs(report) => Report {
                state: State::Unchanged,
                rows_written: 0,
                notes: vec![
                    "Another file of the same delivery has the same rows; they count once.".to_owned(),
                ],
                ..*report
            },
            FileResult::Undecided(decision) => {
                let mut report = self.recognised();
                report.state = State::NeedsDecision;
                report.decision = Some(*decision);
                // The hash of the bytes as handed in: a later attempt reads them from the archive, where they are compressed.
                let sha256 = match self.file.original {
                    Some((sha256, _)) => Ok(sha256.to_owned()),
                    None => source::hash(self.file.path),
                };
                if let Ok(sha256) = sha256 {
                    report.sha256 = sha256;
                }
                self.store_bytes(&report);
                report
            }
            FileResult::Unchanged(earlier) => {
                unchanged(Report::of(self.file.name, self.size_bytes), *earlier)
            }
            FileResult::Stop(ReadStop::Refused(failure)) => {
                let mut report = self.recognised();
                report.error = Some(*failure);
                report
            }
            // Reading is abandoned only after writing has failed, and that failure is then the result. After a scan of the whole file no form is
            // unexpected.
            FileResult::Stop(
                ReadStop::Cancelled
                | ReadStop::Abandoned
                | ReadStop::UnexpectedForm
                | ReadStop::NeedsMapping(_),
            ) => {
                return Err(ImportError::Cancelled);
            }
            FileResult::Stop(ReadStop::Io(cause)) => {
                return Ok(Err(ImportError::Read { path: self.file.path.to_owned(), cause }));
            }
            FileResult::Store(error) => return Err(ImportError::Store(error)),
        };
        self.store_report(&report)?;
        Ok(Ok(report))
    }

    /// The report of a file of which only the format is known.
    pub fn recognised(&self) -> Report {
        let mut report = Report::of(self.file.name, self.size_bytes);
        report.forms = self.forms();
        report.answers = self.file.answers.to_vec();
        if let Ok((format, _)) = self.open() {
            report.format = Some(report_format(&format));
        }
        report
    }

    /// Stores the report of an import that wrote no rows.
    fn store_report(&self, report: &Report) -> Result<(), StoreError> {
        if self.options.dry_run {
            return Ok(());
        }
        self.store.transaction(self.caller, |transaction| {
            imports::finish(transaction, &self.job, report, (self.options.clock)(), 0)
        })
    }

    fn store_bytes(&self, report: &Report) {
        if let Some(archive) = self.options.archive
            && !self.options.dry_run
            && self.file.original.is_none()
            && !report.sha256.is_empty()
        {
            archive.store(self.file.path, &report.sha256);
        }
    }
}

fn receive(writer: &mut Writer<'_>, batches: Receiver<Batch>) -> Result<(), Conflict> {
    // The function must own the receiver: on an error it is dropped here, which ends the reading thread instead of blocking it forever.
    for batch in batches {
        writer.write(&batch)?;
    }
    Ok(())
}

fn report_format(format: &Format) -> ReportFormat {
    ReportFormat { id: format.name().to_owned(), title: format.title() }
}

fn read(format: &Format, file: Readable, reading: &RecordSink<'_>) -> Result<Summary, ReadStop> {
    let rows = |file| Records::new(file, reading.progress);
    match format {
        Format::Document(document) => document::read(document, file, reading),
        Format::Focus(layout) => focus::read(layout, rows(file), reading),
        Format::Bill(bill) => focus::read(&bill.layout, rows(file).translated(&bill.translation), reading),
        Format::ComputeOptimizer(layout) => compute_optimizer::read(layout, rows(file), reading),
    }
}
