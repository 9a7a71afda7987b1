//! The transaction of a delivery: the rows of its files, what they take the place of, the ends of their imports.

use super::ExportRun;
use super::delivery::{Delivery, Ready};
use super::halt::{Halt, Rollback};
use super::run::Run;
use crate::formats::{Scope, Stop};
use crate::graph;
use crate::report::{Report, State, rows_answer};
use crate::write::Job;
use crate::write::counting;
use crate::write::due::{self, ImportKinds};
use crate::write::imports;
use crate::write::settle::{self, FileRows, Outcome, RunImports, Settlement, Terms};
use crate::write::sources::{self, Source};
use std::collections::BTreeSet;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// How the files of the transaction ended.
#[derive(Default)]
pub(super) struct Ends {
    /// By their places.
    pub files: Vec<(usize, Halt)>,
    /// The report of the manifest, when there is one.
    pub manifest: Option<Report>,
}

/// Files whose rows are written and not yet decided about.
#[derive(Default)]
struct Files {
    /// Imports of the same bytes as a file, and its place.
    in_place: Vec<(Uuid, usize)>,
    /// By their places.
    written: Vec<(usize, Report)>,
    /// In the order of `written`.
    rows: Vec<FileRows>,
}

impl Files {
    fn add(&mut self, job: Job, file: Ready, sources: Vec<Source>) {
        self.rows.push(FileRows {
            job,
            name: file.report.file_name.clone(),
            sources,
            has_unreadable: file.report.rows_skipped > 0,
            same_file: file.same_file,
            cost_view: file.format.cost_view(),
            format: file.report.format.clone(),
        });
        sources::bound(self.rows.iter_mut().flat_map(|file| &mut file.sources));
        self.written.push((file.place, file.report));
    }
}

impl Delivery<'_> {
    /// Writes the files, decides about them and ends their imports.
    pub(super) fn work(
        &self,
        transaction: &Transaction<'_>,
        ready: Vec<Ready>,
        ends: &mut Ends,
    ) -> Result<(), Rollback> {
        self.check_still_due(transaction)?;
        let mut files = self.write_files(transaction, ready, ends)?;
        transaction.restore_indices()?;
        // What is decided from now on stays true; until now another server could take the files over.
        transaction.take_write_lock()?;
        self.check_still_due(transaction)?;
        let mut outcomes = self.decide(transaction, &mut files)?;
        let written: Vec<usize> = files.written.iter().map(|(place, _)| *place).collect();
        let asked = |place: &usize| counting::ImportAnswers {
            import: self.runs[*place].job.import,
            forms: self.runs[*place].forms(),
        };
        let mut counted = counting::settle(transaction, &written.iter().map(asked).collect::<Vec<_>>())?;
        if let Some(decision) = counted.question.take() {
            return Err(match written.first().filter(|_| self.export_run.is_some()) {
                Some(first) => Rollback::Incomplete(*first, Box::new(Halt::Undecided(decision))),
                None => Rollback::Undecided(decision),
            });
        }
        let now = (self.options.clock)();
        let of_manifest = self.export_run.and_then(|run| Some((run, outcomes.pop()?)));
        let has_written = !files.written.is_empty();
        if has_written && !self.options.dry_run {
            let met = files.written.iter().map(|(_, report)| report.accounts.as_slice());
            graph::renew(transaction, &graph::Scope::met(transaction, met)?, now)?;
        }
        if has_written {
            due::leave(transaction, ImportKinds::of(files.written.iter().map(|(_, report)| report)))?;
        }
        let mut sequence = imports::next_sequence(transaction)?;
        for ((place, mut report), outcome) in files.written.into_iter().zip(outcomes) {
            let is_same = outcome.same_as.is_some();
            settled(&mut report, outcome);
            report.notes.extend(counted.notes_of(self.runs[place].job.import));
            let end = self.end_file(transaction, (place, report), is_same, now, sequence)?;
            if !is_same {
                // The files of a delivery are taken back in the opposite order.
                sequence += 1;
            }
            ends.files.push((place, end));
        }
        if let Some((run, outcome)) = of_manifest {
            let report = manifest_report(run, outcome, has_written);
            for (import, place) in &files.in_place {
                imports::claim(transaction, *import, &self.delivery_report(Some(*place), &BTreeSet::new()))?;
            }
            // An unchanged manifest stays the one of its run.
            let kept = Report { state: State::Done, ..report.clone() };
            imports::finish(transaction, &run.job, &kept, now, sequence)?;
            ends.manifest = Some(report);
        }
        if self.options.dry_run { Err(Rollback::DryRun) } else { Ok(()) }
    }

    /// Writes the rows of each file in an attempt of its own; those that end here have their end.
    fn write_files(
        &self,
        transaction: &Transaction<'_>,
        ready: Vec<Ready>,
        ends: &mut Ends,
    ) -> Result<Files, Rollback> {
        let mut files = Files { in_place: self.in_place.clone(), ..Files::default() };
        for mut file in ready {
            let (place, run) = (file.place, &self.runs[file.place]);
            match attempt(transaction, run, &mut file) {
                Ok(_) if files.written.iter().any(|(_, other)| other.sha256 == file.report.sha256) => {
                    // Found only now: the bytes were read once.
                    transaction.delete("spends", &[store::eq("import_id", run.job.import)])?;
                    transaction.delete("import_changes", &[store::eq("import_id", run.job.import)])?;
                    ends.files.push((place, Halt::SameAs(Box::new(file.report))));
                }
                Ok(sources) => files.add(run.job, file, sources),
                Err(Halt::Store(error)) => return Err(Rollback::Store(error)),
                Err(Halt::Stop(Stop::Cancelled | Stop::Abandoned)) => return Err(Rollback::Cancelled),
                Err(Halt::Unchanged(earlier)) => {
                    files.in_place.push((earlier.id, place));
                    ends.files.push((place, Halt::Unchanged(earlier)));
                }
                Err(halt) if self.export_run.is_some() => {
                    return Err(Rollback::Incomplete(place, Box::new(halt)));
                }
                Err(halt) => ends.files.push((place, halt)),
            }
        }
        Ok(files)
    }

    /// What the files take the place of, in the order in which they were written; that of a manifest comes last.
    fn decide(&self, transaction: &Transaction<'_>, files: &mut Files) -> Result<Vec<Outcome>, Rollback> {
        let mut runs = RunImports::default();
        if let Some(run) = self.export_run {
            let is_in_place = |import: &Uuid| files.in_place.iter().any(|(other, _)| other == import);
            runs.older = run.older.iter().copied().filter(|import| !is_in_place(import)).collect();
            runs.own =
                run.own.iter().copied().chain(files.in_place.iter().map(|(import, _)| *import)).collect();
            // What only older runs brought goes on behalf of the manifest.
            imports::begin(transaction, &run.job, &run.report)?;
            files.rows.push(rows_of_manifest(run));
        }
        let terms = Terms {
            choice: self.options.choice,
            most_lower: self.options.most_lower,
            runs: self.export_run.map(|_| &runs),
        };
        match settle::settle(transaction, &mut files.rows, terms)? {
            Settlement::Done(outcomes) => Ok(outcomes),
            Settlement::Ask(mut question) => {
                let written = std::mem::take(&mut files.written);
                let place = |file: &usize| written.get(*file).map(|(place, _)| *place);
                question.files = question.files.iter().filter_map(place).collect();
                Err(Rollback::Ask(question, written))
            }
        }
    }

    /// Ends the import of a file that was decided about.
    fn end_file(
        &self,
        transaction: &Transaction<'_>,
        (place, mut report): (usize, Report),
        is_same: bool,
        now: i64,
        sequence: i64,
    ) -> Result<Halt, StoreError> {
        let job = self.runs[place].job;
        report.delivery = Some(self.delivery_report(Some(place), &(0..self.runs.len()).collect()));
        // The question about its rows stays beside what came of them.
        report.decision = rows_answer(&report.answers).cloned();
        if is_same {
            // What it changed is what the file with the same rows changed.
            transaction.delete("import_changes", &[store::eq("import_id", job.import)])?;
            return Ok(Halt::SameAs(Box::new(report)));
        }
        imports::finish(transaction, &job, &report, now, sequence)?;
        Ok(Halt::Done(Box::new(report)))
    }

    /// Ends the transaction where another server imports the files by now.
    fn check_still_due(&self, transaction: &Transaction<'_>) -> Result<(), Rollback> {
        match self.options.is_still_due {
            Some(is_still_due) if !is_still_due(transaction)? => Err(Rollback::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Writes the rows of a file, or nothing of it.
fn attempt(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    Ready { format, report, .. }: &mut Ready,
) -> Result<Vec<Source>, Halt> {
    let sources = transaction.attempt(|| run.write(transaction, format, report));
    if !matches!(sources, Err(Halt::Stop(Stop::UnexpectedForm))) {
        return sources;
    }
    // A late cell is written as none before it: all are looked at before the file is read again.
    run.settle_forms(format, Scope::WholeFile)?;
    transaction.attempt(|| run.write(transaction, format, report))
}

/// What stands for a manifest among the files, as it has no rows.
fn rows_of_manifest(run: &ExportRun<'_>) -> FileRows {
    FileRows {
        job: run.job,
        name: run.report.file_name.clone(),
        sources: Vec::new(),
        has_unreadable: false,
        same_file: Vec::new(),
        cost_view: None,
        format: None,
    }
}

/// The report of a manifest whose files are all there.
fn manifest_report(run: &ExportRun<'_>, outcome: Outcome, has_written: bool) -> Report {
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
    report
}

/// What deciding has shown.
fn settled(report: &mut Report, outcome: Outcome) {
    report.replaced = outcome.replaced;
    let file = std::mem::take(&mut report.sums.file);
    report.sums = outcome.sums;
    report.sums.file = file;
    report.notes.extend(outcome.notes);
}
