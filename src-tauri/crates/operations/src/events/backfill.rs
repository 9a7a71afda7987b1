//! Triage of stored events: those that arrived before triage existed or were loaded without it.

use super::arrival::{COLUMNS, triage};
use super::judge::Judge;
use super::status::By;
use super::{correlate, series};
use crate::kit::{self, Arguments, Look, text};
use catalogue::Value;
use graphql::{Call, Refusal};
use model::Number;
use model::operations::{EventBackfillTriageOutput, EventDeduplicateCorrelationsOutput};
use serde_json::Value as Json;
use std::time::Instant;
use store::query::{Operator, Test};

/// Default number of events per call.
const BATCH: u64 = 500;
const LARGEST_BATCH: i64 = 5000;

/// `event_backfill_triage`: positions in series, relations and scores. Decisions of users and rules stay.
pub(super) fn backfill(call: &Call<'_>) -> Result<EventBackfillTriageOutput, Refusal> {
    let began = Instant::now();
    let arguments = Arguments(call.arguments);
    let account = arguments.needed_id("cloud_account_id")?;
    kit::account(call, account)?;
    let batch = match arguments.whole("batch_size") {
        None => BATCH,
        Some(size) if (1..=LARGEST_BATCH).contains(&size) => size.unsigned_abs(),
        Some(size) => {
            let message = format!("`batch_size` is {size}: expected 1 to {LARGEST_BATCH}");
            return Err(Refusal::invalid(message));
        }
    };
    let look = concerned(call, account)?;
    let total = look.count()?;
    let look = look.ordered("starts_at", false)?.ordered("id", false)?.limit(batch);
    let events = look.rows(&COLUMNS)?;
    let writes = !arguments.flag("dry_run").unwrap_or(false);
    let judge = Judge::of(call.rows, account)?;
    let scored = |event: &Json, occurrence| Ok(judge.judge(event, occurrence).step);
    let fingerprints = events.iter().map(|event| text(event, "fingerprint").to_owned());
    let occurrences = series::occurrences(call.rows, account, fingerprints, writes)?;
    let found = triage(By::call(call), account, &events, &occurrences, writes, scored)?;
    let seen = events.len() as u64;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    Ok(EventBackfillTriageOutput {
        // Another call continues with the rest.
        status: if seen < total { "partial" } else { "completed" }.to_owned(),
        total_events: number(seen),
        duplicates_detected: number(found.duplicates),
        correlations_created: number(found.correlations),
        errors: 0,
        duration_seconds: Number::Float(began.elapsed().as_secs_f64()),
    })
}

/// The requested events; without ids in the request, those without a score.
fn concerned<'a>(call: &'a Call<'_>, account: uuid::Uuid) -> Result<Look<'a>, Refusal> {
    let arguments = Arguments(call.arguments);
    let (start, end) = (arguments.time("start_time")?, arguments.time("end_time")?);
    if start.zip(end).is_some_and(|(start, end)| end < start) {
        return Err(Refusal::invalid("`end_time` is before `start_time`: the window ends before it begins"));
    }
    let mut look = Look::at(call.rows, "events")?.with("cloud_account_id", account)?;
    for (time, operator) in [(start, Operator::GreaterOrEqual), (end, Operator::LessOrEqual)] {
        if let Some(time) = time {
            look = look.that("starts_at", Test::Compare(operator, Value::Timestamp(time)))?;
        }
    }
    let event = arguments.id("event_id")?;
    let fingerprint = arguments.text("fingerprint").filter(|text| !text.is_empty());
    if let Some(event) = event {
        look = look.with("id", event)?;
        if look.count()? == 0 {
            return Err(Refusal::not_found(format!("account {account} has no event {event}")));
        }
    }
    if let Some(fingerprint) = fingerprint {
        look = look.with("fingerprint", fingerprint)?;
    }
    if event.is_none() && fingerprint.is_none() {
        look = look.that("computed_score", Test::IsNull)?;
    }
    Ok(look)
}

/// `event_deduplicate_correlations`
pub(super) fn deduplicate(call: &Call<'_>) -> Result<EventDeduplicateCorrelationsOutput, Refusal> {
    let account = Arguments(call.arguments).needed_id("cloud_account_id")?;
    kit::account(call, account)?;
    correlate::deduplicate(call.rows, account)?;
    Ok(EventDeduplicateCorrelationsOutput {
        cloud_account_id: account.to_string(),
        status: "completed".to_owned(),
    })
}
