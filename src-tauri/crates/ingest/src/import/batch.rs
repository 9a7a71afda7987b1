//! A delivery: decides which of its files are written together, which need an answer and which are set aside.

use super::file_result::{FileResult, Rollback, import_error};
use super::run::Run;
use super::writing::FileResults;
use super::{ExportRun, Options, recognised};
use crate::decide::{Choice, Reason};
use crate::error::ImportError;
use crate::formats::{Format, ReadStop};
use crate::report::{DeliveryReport, Part, Report, State};
use catalogue::Caller;
use std::collections::BTreeSet;
use store::{Store, Transaction};
use uuid::Uuid;

/// The files of a delivery, and the results of the finished ones.
pub(super) struct ImportBatch<'a> {
    pub runs: &'a [Run<'a>],
    pub store: &'a Store,
    pub caller: &'a Caller,
    pub options: Options<'a>,
    pub results: Vec<Option<FileResult>>,
    /// Set when the files belong to a manifest.
    pub export_run: Option<&'a ExportRun<'a>>,
    /// The report of the manifest, once everything has finished.
    pub manifest: Option<Report>,
    /// Earlier imports with the same bytes as a file of the run, whose rows are still stored.
    pub in_place: Vec<(Uuid, usize)>,
}

/// A file that is ready to be written.
pub(super) struct Ready {
    pub file: usize,
    pub format: Format,
    pub report: Report,
    /// Earlier imports of the same bytes of which rows were deleted by hand.
    pub same_file: Vec<Uuid>,
}

impl ImportBatch<'_> {
    /// Writes all files that can be written, and sets aside those that need an answer.
    pub fn run(&mut self) -> Result<(), ImportError> {
        let mut left: BTreeSet<usize> = (0..self.runs.len()).collect();
        // Files with an open question are set aside, and the others are decided without them.
        while !left.is_empty() {
            let ready = self.prepare(&left);
            // Records of other kinds have no billing periods and need no decision.
            let (bills, others): (Vec<Ready>, Vec<Ready>) =
                ready.into_iter().partition(|ready| ready.format.has_charges());
            for other in others {
                left.remove(&other.file);
                self.write(vec![other], false).map_err(import_error)?;
            }
            if bills.is_empty() {
                return Ok(());
            }
            match self.write(bills, true) {
                Ok(()) | Err(Rollback::DryRun) => return Ok(()),
                Err(Rollback::Ask(question, reports)) => {
                    let is_versions = match question.reason {
                        Reason::TwoVersions => self.options.choice.is_some(),
                        Reason::UnknownParts => self.options.choice == Some(Choice::Replace),
                        _ => false,
                    };
                    if is_versions {
                        // The later file replaces the earlier one.
                        for file in left {
                            let ready = self.prepare(&BTreeSet::from([file]));
                            match self.write(ready, true) {
                                Ok(()) | Err(Rollback::DryRun) => {}
                                Err(rollback) => return Err(import_error(rollback)),
                            }
                        }
                        return Ok(());
                    }
                    for (place, report) in reports {
                        if question.files.contains(&place) {
                            left.remove(&place);
                            let delivery = self.delivery_report(Some(place), &question.files);
                            self.results[place] = Some(Run::ask(report, &question, delivery));
                        }
                    }
                    for file in left.clone() {
                        if self.results[file].as_ref().is_some_and(|end| !matches!(end, FileResult::Done(_)))
                        {
                            left.remove(&file);
                        }
                    }
                }
                Err(rollback) => return Err(import_error(rollback)),
            }
        }
        Ok(())
    }

    /// Writes all files of a manifest, or none.
    pub fn run_manifest(&mut self, export_run: &ExportRun<'_>) -> Result<(), ImportError> {
        let all: BTreeSet<usize> = (0..self.runs.len()).collect();
        let ready = self.prepare(&all);
        for (place, end) in self.results.iter().enumerate() {
            if let Some(FileResult::Unchanged(earlier)) = end {
                self.in_place.push((earlier.id, place));
            }
        }
        let is_wrong = |end: &Option<FileResult>| {
            end.as_ref().is_some_and(|end| !matches!(end, FileResult::Unchanged(_)))
        };
        if self.results.iter().any(is_wrong) {
            self.wait_for_part(export_run, &all, None);
            return Ok(());
        }
        match self.write(ready, true) {
            Ok(()) => Ok(()),
            Err(Rollback::Ask(question, reports)) => {
                let delivery = self.delivery_report(None, &all);
                for (place, report) in reports {
                    let delivery = self.delivery_report(Some(place), &all);
                    self.results[place] = Some(Run::ask(report, &question, delivery));
                }
                let mut head = Report { state: State::WaitingForParts, ..export_run.report.clone() };
                head.notes.push("All files are there; some of them wait for a decision.".to_owned());
                self.manifest = Some(Report { delivery: Some(delivery), ..head });
                Ok(())
            }
            Err(Rollback::Incomplete(place, result)) => {
                self.results[place] = Some(*result);
                self.wait_for_part(export_run, &all, Some(place));
                Ok(())
            }
            Err(rollback) => Err(import_error(rollback)),
        }
    }

    /// Handles a part that cannot be written: the others wait for a usable one.
    fn wait_for_part(&mut self, export_run: &ExportRun<'_>, all: &BTreeSet<usize>, wrong: Option<usize>) {
        let is_wrong = |place: usize| {
            let end = self.results[place].as_ref();
            Some(place) == wrong || end.is_some_and(|end| !matches!(end, FileResult::Unchanged(_)))
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
            self.results[place] = Some(match recognised(run.store, run.caller, run.file, run.options) {
                Ok(report) => {
                    let state = State::WaitingForParts;
                    FileResult::Keep(Box::new(Report { state, delivery: Some(delivery), ..report }))
                }
                Err(ImportError::Read { cause, .. }) => FileResult::Stop(ReadStop::Io(cause)),
                Err(ImportError::Store(error)) => FileResult::Store(error),
                Err(ImportError::NoTenant | ImportError::Cancelled) => FileResult::Stop(ReadStop::Cancelled),
            });
        }
        let delivery = mark(self.delivery_report(None, all));
        let head = export_run.report.clone();
        self.manifest = Some(Report { state: State::WaitingForParts, delivery: Some(delivery), ..head });
    }

    /// The delivery section of a file's report; of the manifest's report when `place` is `None`.
    pub fn delivery_report(&self, place: Option<usize>, files: &BTreeSet<usize>) -> DeliveryReport {
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

    /// Recognises the files. Records the result of those that end here.
    fn prepare(&mut self, left: &BTreeSet<usize>) -> Vec<Ready> {
        let mut ready = Vec::new();
        for place in left {
            match self.runs[*place].prepare() {
                Ok((format, report, same_file)) => {
                    ready.push(Ready { file: *place, format, report, same_file });
                }
                Err(result) => self.results[*place] = Some(result),
            }
        }
        ready
    }

    fn write(&mut self, ready: Vec<Ready>, are_bills: bool) -> Result<(), Rollback> {
        let expected = ready.iter().map(|ready| self.runs[ready.file].expected_rows()).sum();
        let mut results = FileResults::default();
        let places: Vec<usize> = ready.iter().map(|ready| ready.file).collect();
        let (store, caller) = (self.store, self.caller);
        let work = |transaction: &Transaction<'_>| self.work(transaction, ready, &mut results);
        let outcome = if are_bills {
            store.load(caller, "spends", expected, work)
        } else {
            store.large_transaction(caller, work)
        };
        if matches!(outcome, Ok(()) | Err(Rollback::DryRun | Rollback::Ask(..) | Rollback::Undecided(_))) {
            for (place, end) in results.files {
                self.results[place] = Some(end);
            }
            self.manifest = results.manifest;
        }
        match outcome {
            Err(Rollback::DryRun) => Ok(()),
            Err(Rollback::Undecided(decision)) => {
                for place in places {
                    self.results[place].get_or_insert_with(|| FileResult::Undecided(decision.clone()));
                }
                Ok(())
            }
            outcome => outcome,
        }
    }
}
