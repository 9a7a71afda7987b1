//! Keeps the amounts in pending questions about files up to date: recomputed when another import, or an undo, has changed stored costs.

use super::decide::{DecideError, Waiting, waiting};
use crate::clock;
use crate::error::chain;
use catalogue::{Caller, Decimal, ValueRef};
use ingest::{Amount, Archive, Choice, ChoiceTotal, Decision, Report, RowsChoice, State};
use model::tables::imports;
use model::{Read, row};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use store::{Store, StoreError, eq};
use uuid::Uuid;

row! { struct Question from imports { id, report } }
row! { struct Owner from tenant { id, created_by } }

/// The question if the file could now be imported without one.
const SETTLED: &str = "What is stored has changed since this was asked, and the file would be imported without a question now. Are these further charges, \
                       or do they take the place of those that are there?";

/// What is needed to read waiting files again.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub archive: &'a Archive,
    /// The share by which a replacement may lower a period without a question.
    pub most_lower: f64,
}

/// Billed cost by period and currency.
type Sums = BTreeMap<(String, String), Decimal>;

/// Recomputes the questions about periods that the imports in `changed` affected. Blocks the thread.
pub fn renew(store: &Store, caller: &Caller, reader: Reader<'_>, changed: &[&Report]) {
    let amounts = |report: &&Report| -> Vec<String> {
        let stored = report.sums.stored.iter().filter_map(|amount| amount.period.clone());
        stored.chain(report.sums.replaced.iter().map(|change| change.period.clone())).collect()
    };
    let periods: BTreeSet<String> = changed.iter().flat_map(amounts).collect();
    if periods.is_empty() {
        return;
    }
    if let Err(error) = renew_about(store, caller, reader, &periods) {
        tracing::warn!("questions about imports tell of costs as they were: {}", chain(&error));
    }
}

/// The reports of imports. The report of an undone import does not list the undo as a change, but contains its periods.
pub fn reports(store: &Store, caller: &Caller, ids: &[Uuid]) -> Result<Vec<Report>, StoreError> {
    store.snapshot(caller, |rows| {
        let mut found = Vec::new();
        for id in ids {
            if let Some(row) = rows.query::<Question>().filter(imports::id.eq(*id)).first()? {
                found.extend(row.report.parse().ok());
            }
        }
        Ok(found)
    })
}

fn renew_about(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    periods: &BTreeSet<String>,
) -> Result<(), DecideError> {
    let asked = store.snapshot(caller, |rows| {
        rows.query::<Question>().filter(imports::state.eq(State::NeedsDecision.name())).rows()
    })?;
    let is_about = |row: &Question| {
        let report: Option<Report> = row.report.parse().ok();
        let choices = report.and_then(|report| report.decision).map(|decision| decision.choices);
        let mut totals = choices.iter().flatten().flat_map(|choice| &choice.totals);
        totals.any(|total| periods.contains(&total.period))
    };
    let mut done = BTreeSet::new();
    for row in asked.iter().filter(|row| is_about(row)) {
        if done.contains(&row.id.uuid()) {
            continue;
        }
        match waiting(store, caller, reader.archive, row.id.uuid()) {
            Ok(mut files) => {
                files.retain(is_of_rows);
                done.extend(files.iter().map(|file| file.id));
                renew_delivery(store, caller, reader, &files)?;
            }
            // Either the stored bytes are gone, so that the question cannot be answered anyway, or it has been answered meanwhile.
            Err(DecideError::Dropped(_) | DecideError::NothingToDecide(_) | DecideError::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_of_rows(file: &Waiting) -> bool {
    let choices = file.report.decision.iter().flat_map(|decision| &decision.choices);
    choices.into_iter().any(|choice| RowsChoice::parse(&choice.choice).is_some())
}

/// Recomputes the questions about the files of a delivery.
fn renew_delivery(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    files: &[Waiting],
) -> Result<(), DecideError> {
    let told = tell(store, caller, reader, files, None)?;
    let mut settled: Option<(Sums, BTreeMap<String, Sums>)> = None;
    for (file, report) in files.iter().zip(&told) {
        let Some(before) = file.report.decision.clone() else { continue };
        let decision = match report.decision.clone() {
            Some(decision) if report.state == State::NeedsDecision => decision,
            _ => {
                if settled.is_none() {
                    settled = Some(sums(store, caller, reader, files)?);
                }
                let Some((now, after)) = &settled else { continue };
                let choices = before.choices.iter().map(|choice| with_totals(choice, now, after));
                Decision { question: SETTLED.to_owned(), choices: choices.collect(), ..before.clone() }
            }
        };
        if decision != before {
            keep(store, caller, file, decision)?;
        }
    }
    Ok(())
}

/// The reports that importing the files would have. Nothing is written.
fn tell(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    files: &[Waiting],
    choice: Option<RowsChoice>,
) -> Result<Vec<Report>, DecideError> {
    let owner = store.snapshot(caller, |rows| rows.query::<Owner>().first())?;
    let never = AtomicBool::new(false);
    let files: Vec<ingest::File<'_>> = files.iter().map(|file| file.as_file(&never)).collect();
    let options = ingest::Options {
        owner: owner.map(|owner| owner.created_by.uuid()).unwrap_or_default(),
        delivery: Uuid::new_v4(),
        choice,
        most_lower: reader.most_lower,
        archive: Some(reader.archive),
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: true,
        is_still_due: None,
        clock: clock::now,
    };
    let reports = ingest::import(store, caller, &files, options)?;
    Ok(reports.into_iter().collect::<Result<_, _>>()?)
}

/// The stored cost in the periods of the files now, and after each choice.
fn sums(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    files: &[Waiting],
) -> Result<(Sums, BTreeMap<String, Sums>), DecideError> {
    let mut after = BTreeMap::new();
    let mut now = Sums::new();
    for choice in [RowsChoice::Add, RowsChoice::Replace, RowsChoice::ReplaceAccounts, RowsChoice::Combine] {
        let told = tell(store, caller, reader, files, Some(choice))?;
        let stored = |report: &Report| by_period(&report.sums.stored);
        // Each file's report contains the sum of all files for a period.
        let all: Sums = told.iter().flat_map(stored).collect();
        if choice == RowsChoice::Add {
            now.clone_from(&all);
            for (period, added) in told.iter().flat_map(|report| by_period(&report.sums.added)) {
                let sum = now.entry(period).or_default();
                *sum = sum.checked_sub(added).unwrap_or_default();
            }
        }
        after.insert(choice.name().to_owned(), all);
    }
    Ok((now, after))
}

fn by_period(amounts: &[Amount]) -> Vec<((String, String), Decimal)> {
    let sum = |amount: &Amount| {
        let period = (amount.period.clone()?, amount.currency.clone());
        Some((period, Decimal::parse(&amount.billed_cost).ok()?))
    };
    amounts.iter().filter_map(sum).collect()
}

fn with_totals(choice: &Choice, now: &Sums, after: &BTreeMap<String, Sums>) -> Choice {
    let total = |((period, currency), after): (&(String, String), &Decimal)| ChoiceTotal {
        period: period.clone(),
        currency: currency.clone(),
        before: now.get(&(period.clone(), currency.clone())).copied().unwrap_or_default().to_string(),
        after: after.to_string(),
    };
    let totals = after.get(&choice.choice).into_iter().flatten().map(total).collect();
    Choice { totals, ..choice.clone() }
}

/// Stores a question, unless it has been answered meanwhile.
fn keep(store: &Store, caller: &Caller, file: &Waiting, decision: Decision) -> Result<(), StoreError> {
    let report = Report { decision: Some(decision), ..file.report.clone() };
    let Ok(json) = serde_json::to_string(&report) else { return Ok(()) };
    store.transaction(caller, |rows| {
        let which = [eq("id", file.id), eq("state", State::NeedsDecision.name())];
        rows.update("imports", &which, &[("report", ValueRef::Json(&json))]).map(drop)
    })
}
