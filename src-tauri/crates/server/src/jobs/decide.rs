//! Carries out a user's decision about an import, from the stored bytes.

use crate::clock;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use catalogue::{Caller, format_timestamp};
use ingest::{
    Archive, Decision, DecisionAnswer, FormAnswers, ImportError, Report, RowsChoice, State, rows_answer,
};
use model::tables::imports;
use model::{Id, Read, row};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use store::{Store, StoreError};
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

row! { struct WaitingRow from imports { id, file_name, sha256, size_bytes, report, state, delivery_id } }

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
    /// The reason for the question.
    fn reason(&self) -> Option<&str> {
        self.report.decision.as_ref().map(|decision| decision.reason.as_str())
    }

    /// The choices that were offered.
    fn offered(&self) -> Vec<&str> {
        let choices = self.report.decision.iter().flat_map(|decision| &decision.choices);
        choices.map(|choice| choice.choice.as_str()).collect()
    }

    /// The choice made about its rows, in this attempt or an earlier one.
    fn rows_choice(&self) -> Option<RowsChoice> {
        rows_answer(&self.report.answers).and_then(Decision::rows_choice)
    }

    /// Stores the pending question with its answer, for this attempt and later ones. `at` is in µs since 1970 UTC.
    pub fn answer(&mut self, choice: &str, by: Option<&str>, at: i64) {
        let decided = DecisionAnswer {
            choice: choice.to_owned(),
            by: by.map(str::to_owned),
            at: format!("{}Z", format_timestamp(at)),
        };
        let question = self.report.decision.clone();
        self.report.answers.extend(question.map(|asked| Decision { decided: Some(decided), ..asked }));
    }

    /// The file to import, with the known answers.
    pub fn as_file<'f>(&'f self, cancelled: &'f AtomicBool) -> ingest::File<'f> {
        ingest::File {
            import_id: self.id,
            name: &self.name,
            location: &self.name,
            path: &self.path,
            original: Some((&self.sha256, self.size)),
            forms: Some(self.report.forms),
            answers: &self.report.answers,
            progress: ingest::Progress { on_progress: &|_, _| {}, cancelled },
        }
    }
}

/// The files of a delivery that an answer about the form of a file applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Only the file of the question.
    File,
    /// Also the files that wait for an answer to the same question.
    SameQuestion,
}

/// The names of other files in the import's delivery that wait for an answer to the same question: those that the user may apply the answer to as
/// well.
pub fn same_question(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    id: Uuid,
) -> Result<Vec<String>, DecideError> {
    let waiting = waiting(store, caller, archive, id)?;
    let first = waiting.first().ok_or(DecideError::NotFound)?;
    let is_of_rows = first.offered().iter().any(|choice| RowsChoice::parse(choice).is_some());
    let same = waiting.iter().skip(1).filter(|other| !is_of_rows && other.reason() == first.reason());
    Ok(same.map(|other| other.name.clone()).collect())
}

/// Carries out a choice. A choice about the effect of a delivery's rows on stored rows applies to all of its files that wait for it. A choice about
/// the form of a file (its format, kind of cost and currency) applies only to the file of the question, unless `reach` says otherwise: an actual
/// and an amortised export may have arrived together. `by` is the name of the user, `most_lower` the share by which a replacement may lower a
/// period without a question. Blocks the thread.
pub fn decide(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (id, owner): (Uuid, Uuid),
    (choice, by): (&str, Option<&str>),
    reach: Reach,
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    let mut waiting = waiting(store, caller, archive, id)?;
    let first = waiting.first().ok_or(DecideError::NotFound)?;
    let offered = first.offered();
    if !offered.contains(&choice) {
        return Err(DecideError::NoSuchChoice(choice.to_owned(), offered.join(", ")));
    }
    let rows = RowsChoice::parse(choice);
    let reason = first.reason().map(str::to_owned);
    match rows {
        // Files with a different question continue to wait.
        Some(_) => {
            waiting.retain(|file| file.offered().iter().any(|choice| RowsChoice::parse(choice).is_some()));
        }
        None => waiting.retain(|file| {
            file.id == id || reach == Reach::SameQuestion && file.reason() == reason.as_deref()
        }),
    }
    let at = clock::now();
    for file in &mut waiting {
        if rows.is_none() {
            let said = file.report.forms.with(choice);
            file.report.forms =
                said.ok_or_else(|| DecideError::NoSuchChoice(choice.to_owned(), String::new()))?;
        }
        file.answer(choice, by, at);
    }
    // The other parts of an export's run, which a manifest adds, are written in the same form as the first.
    let forms = waiting.first().map(|file| file.report.forms).unwrap_or_default();
    run(store, caller, archive, (waiting, owner), forms, most_lower)
}

/// Imports files whose questions have been answered, with the answers in their reports.
pub(super) fn carry_out(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (files, owner): (Vec<Waiting>, Uuid),
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    run(store, caller, archive, (files, owner), FormAnswers::default(), most_lower)
}

/// Imports files with all of their answers. Files with different choices about their rows are imported separately.
fn run(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    (mut waiting, owner): (Vec<Waiting>, Uuid),
    forms: FormAnswers,
    most_lower: f64,
) -> Result<Vec<Report>, DecideError> {
    let mut reports = Vec::new();
    while let Some(choice) = waiting.first().map(Waiting::rows_choice) {
        let (alike, others): (Vec<Waiting>, Vec<Waiting>) =
            waiting.into_iter().partition(|file| file.rows_choice() == choice);
        waiting = others;
        let never = AtomicBool::new(false);
        let files: Vec<ingest::File<'_>> = alike.iter().map(|file| file.as_file(&never)).collect();
        let options = ingest::Options {
            owner,
            delivery: Uuid::new_v4(),
            choice,
            most_lower,
            archive: Some(archive),
            forms,
            mapping: None,
            draft: None,
            dry_run: false,
            is_still_due: None,
            clock: clock::now,
        };
        let imported = ingest::import(store, caller, &files, options)?;
        findings::after_imports(store, caller, Reader { archive, most_lower }, &imported);
        reports.extend(imported.into_iter().collect::<Result<Vec<Report>, _>>()?);
    }
    Ok(reports)
}

/// The import of that id, followed by the others of its delivery that wait for a decision.
pub(super) fn waiting(
    store: &Store,
    caller: &Caller,
    archive: &Archive,
    id: Uuid,
) -> Result<Vec<Waiting>, DecideError> {
    let found = store.snapshot::<_, StoreError>(caller, |rows| {
        let mut all: Vec<WaitingRow> = rows.find(id)?.into_iter().collect();
        if let Some(delivery) = all.first().and_then(|own| own.delivery_id) {
            let others = imports::delivery_id.eq(delivery).and(imports::id.ne(Id::new(id)));
            let others = others.and(imports::state.eq(State::NeedsDecision.name()));
            all.extend(rows.query::<WaitingRow>().filter(others).rows()?);
        }
        Ok(all)
    })?;
    let mut waiting = Vec::new();
    for row in found {
        if row.state != State::NeedsDecision.name() {
            return Err(DecideError::NothingToDecide(row.state));
        }
        let (name, sha256) = (row.file_name, row.sha256);
        let path = archive.find(&sha256)?.ok_or_else(|| DecideError::Dropped(name.clone()))?;
        let report = row.report.parse().map_err(|_| DecideError::NotFound)?;
        let size = u64::try_from(row.size_bytes).unwrap_or_default();
        waiting.push(Waiting { id: row.id.uuid(), name, sha256, size, path, report });
    }
    Ok(waiting)
}
