//! The transaction of a delivery: writes the rows of its files, replaces older rows and finishes the imports.

use super::ExportRun;
use super::batch::{ImportBatch, Ready};
use super::file_result::{FileResult, Rollback};
use super::run::Run;
use crate::formats::{ReadStop, Scope};
use crate::graph;
use crate::report::{Report, State, rows_answer};
use crate::write::Job;
use crate::write::imports;
use crate::write::pending_searches::{self, ImportKinds};
use crate::write::resolution::{self, DecisionInputs, FileRows, Outcome, Resolution, RunImports};
use crate::write::sources::{self, Source};
use crate::write::totals;
use std::collections::BTreeSet;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The results of the files in the transaction.
#[derive(Default)]
pub(super) struct FileResults {
    /// With the index of each file.
    pub files: Vec<(usize, FileResult)>,
    /// The report of the manifest, if there is one.
    pub manifest: Option<Report>,
}

/// Files whose rows are written but not yet decided.
#[derive(Default)]
struct Files {
    /// Earlier imports of the same bytes, with the index of the file.
    in_place: Vec<(Uuid, usize)>,
    /// With the index of each file.
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
        self.written.push((file.file, file.report));
    }
}

impl ImportBatch<'_> {
    /// Writes the files, decides what they replace and finishes their imports.
    pub(super) fn work(
        &self,
        transaction: &Transaction<'_>,
        ready: Vec<Ready>,
        results: &mut FileResults,
    ) -> Result<(), Rollback> {
        self.check_still_due(transaction)?;
        let mut files = self.write_files(transaction, ready, results)?;
        transaction.restore_indices()?;
        // From here on no other server can write, and the decisions stay valid. Until here another server could take over the files.
        transaction.take_write_lock()?;
        self.check_still_due(transaction)?;
        let mut outcomes = self.decide(transaction, &mut files)?;
        let written: Vec<usize> = files.written.iter().map(|(place, _)| *place).collect();
        let asked = |place: &usize| totals::ImportAnswers {
            import: self.runs[*place].job.import,
            forms: self.runs[*place].forms(),
        };
        let mut counted = totals::recompute(transaction, &written.iter().map(asked).collect::<Vec<_>>())?;
        if let Some(decision) = counted.question.take() {
            return Err(match written.first().filter(|_| self.export_run.is_some()) {
                Some(first) => Rollback::Incomplete(*first, Box::new(FileResult::Undecided(decision))),
                None => Rollback::Undecided(decision),
            });
        }
        let now = (self.options.clock)();
        let of_manifest = self.export_run.and_then(|run| Some((run, outcomes.pop()?)));
        let has_written = !files.written.is_empty();
        if has_written && !self.options.dry_run {
            let met = files.written.iter().map(|(_, report)| report.accounts.as_slice());
            graph::rebuild(transaction, &graph::Scope::of_reports(transaction, met)?, now)?;
        }
        if has_written {
            pending_searches::mark_changed(
                transaction,
                ImportKinds::of(files.written.iter().map(|(_, report)| report)),
            )?;
        }
        let mut sequence = imports::next_sequence(transaction)?;
        for ((place, mut report), outcome) in files.written.into_iter().zip(outcomes) {
            let is_same = outcome.same_as.is_some();
            add_results(&mut report, outcome);
            report.notes.extend(counted.notes_of(self.runs[place].job.import));
            let end = self.end_file(transaction, (place, report), is_same, now, sequence)?;
            if !is_same {
                // The files of a delivery are undone in reverse order.
                sequence += 1;
            }
            results.files.push((place, end));
        }
        if let Some((run, outcome)) = of_manifest {
            let report = manifest_report(run, outcome, has_written);
            for (import, place) in &files.in_place {
                imports::store_export_run(
                    transaction,
                    *import,
                    &self.delivery_report(Some(*place), &BTreeSet::new()),
                )?;
            }
            // An unchanged manifest remains the manifest of its run.
            let kept = Report { state: State::Done, ..report.clone() };
            imports::finish(transaction, &run.job, &kept, now, sequence)?;
            results.manifest = Some(report);
        }
        if self.options.dry_run { Err(Rollback::DryRun) } else { Ok(()) }
    }

    /// Writes the rows of each file in its own savepoint. Records the result of those that end here.
    fn write_files(
        &self,
        transaction: &Transaction<'_>,
        ready: Vec<Ready>,
        results: &mut FileResults,
    ) -> Result<Files, Rollback> {
        let mut files = Files { in_place: self.in_place.clone(), ..Files::default() };
        for mut file in ready {
            let (place, run) = (file.file, &self.runs[file.file]);
            match attempt(transaction, run, &mut file) {
                Ok(_) if files.written.iter().any(|(_, other)| other.sha256 == file.report.sha256) => {
                    // Detected only after reading, because the bytes are read once.
                    transaction.delete("spends", &[store::eq("import_id", run.job.import)])?;
                    transaction.delete("import_changes", &[store::eq("import_id", run.job.import)])?;
                    results.files.push((place, FileResult::SameAs(Box::new(file.report))));
                }
                Ok(sources) => files.add(run.job, file, sources),
                Err(FileResult::Store(error)) => return Err(Rollback::Store(error)),
                Err(FileResult::Stop(ReadStop::Cancelled | ReadStop::Abandoned)) => {
                    return Err(Rollback::Cancelled);
                }
                Err(FileResult::Unchanged(earlier)) => {
                    files.in_place.push((earlier.id, place));
                    results.files.push((place, FileResult::Unchanged(earlier)));
                }
                Err(result) if self.export_run.is_some() => {
                    return Err(Rollback::Incomplete(place, Box::new(result)));
                }
                Err(result) => results.files.push((place, result)),
            }
        }
        Ok(files)
    }

    /// Decides what the files replace. The outcomes are in the order in which the files were written; that of a manifest is last.
    fn decide(&self, transaction: &Transaction<'_>, files: &mut Files) -> Result<Vec<Outcome>, Rollback> {
        let mut runs = RunImports::default();
        if let Some(run) = self.export_run {
            let is_in_place = |import: &Uuid| files.in_place.iter().any(|(other, _)| other == import);
            runs.older = run.older.iter().copied().filter(|import| !is_in_place(import)).collect();
            runs.own =
                run.own.iter().copied().chain(files.in_place.iter().map(|(import, _)| *import)).collect();
            // Rows that only older runs contain are removed on behalf of the manifest.
            imports::begin(transaction, &run.job, &run.report)?;
            files.rows.push(rows_of_manifest(run));
        }
        let inputs = DecisionInputs {
            choice: self.options.choice,
            most_lower: self.options.most_lower,
            runs: self.export_run.map(|_| &runs),
        };
        match resolution::resolve_delivery(transaction, &mut files.rows, inputs)? {
            Resolution::Done(outcomes) => Ok(outcomes),
            Resolution::Ask(mut question) => {
                let written = std::mem::take(&mut files.written);
                let place = |file: &usize| written.get(*file).map(|(place, _)| *place);
                question.files = question.files.iter().filter_map(place).collect();
                Err(Rollback::Ask(question, written))
            }
        }
    }

    /// Finishes the import of a decided file.
    fn end_file(
        &self,
        transaction: &Transaction<'_>,
        (place, mut report): (usize, Report),
        is_same: bool,
        now: i64,
        sequence: i64,
    ) -> Result<FileResult, StoreError> {
        let job = self.runs[place].job;
        report.delivery = Some(self.delivery_report(Some(place), &(0..self.runs.len()).collect()));
        // The answered question about the rows stays in the report.
        report.decision = rows_answer(&report.answers).cloned();
        if is_same {
            // Its changes are the same as those of the file with the same rows.
            transaction.delete("import_changes", &[store::eq("import_id", job.import)])?;
            return Ok(FileResult::SameAs(Box::new(report)));
        }
        imports::finish(transaction, &job, &report, now, sequence)?;
        Ok(FileResult::Done(Box::new(report)))
    }

    /// Aborts the transaction when another server now imports the files.
    fn check_still_due(&self, transaction: &Transaction<'_>) -> Result<(), Rollback> {
        match self.options.is_still_due {
            Some(is_still_due) if !is_still_due(transaction)? => Err(Rollback::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Writes all rows of a file, or none.
fn attempt(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    Ready { format, report, .. }: &mut Ready,
) -> Result<Vec<Source>, FileResult> {
    let sources = transaction.attempt(|| run.write(transaction, format, report));
    if !matches!(sources, Err(FileResult::Stop(ReadStop::UnexpectedForm))) {
        return sources;
    }
    // A later cell has a form that no earlier one had: all cells are examined before the file is read again.
    run.decide_forms(format, Scope::WholeFile)?;
    transaction.attempt(|| run.write(transaction, format, report))
}

/// The entry for a manifest among the files; it has no rows.
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

/// The report of a manifest whose files are all present.
fn manifest_report(run: &ExportRun<'_>, outcome: Outcome, has_written: bool) -> Report {
    let mut report = run.report.clone();
    let has_replaced = outcome.replaced.is_some();
    add_results(&mut report, outcome);
    let count = run.manifest.parts.len();
    if has_written || has_replaced {
        report.notes.push(format!("All files of this run are imported ({count})."));
    } else {
        report.state = State::Unchanged;
        report.notes.push(format!("All files of this run were imported before ({count})."));
    }
    report
}

/// Adds the results of the decision to the report.
fn add_results(report: &mut Report, outcome: Outcome) {
    report.replaced = outcome.replaced;
    let file = std::mem::take(&mut report.sums.file);
    report.sums = outcome.sums;
    report.sums.file = file;
    report.notes.extend(outcome.notes);
}
