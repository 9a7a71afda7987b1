//! Limits the history of runs: deletes runs that ended before the configured period, with their journal and questions.
//!
//! These are not deleted: runs that are not over, the last successful run of each workflow (later
//! runs get its time), and the sample data, which has its own clock.

use super::engine::history_days;
use crate::kit::{Look, text, uuid};
use auth::sample;
use catalogue::{Caller, Value as Cell, parse_timestamp};
use graphql::Refusal;
use serde_json::Value;
use std::collections::BTreeMap;
use store::query::{Operator, Test};
use store::{Store, Transaction, one_of};
use uuid::Uuid;

const TABLE: &str = "workflow_execution";
/// Runs deleted per transaction; other writers get their turn in between.
const BATCH: u64 = 500;
/// One day in µs.
const DAY: i64 = 86_400_000_000;

/// Deletes expired runs and returns when the next one expires (µs since 1970 UTC). `None` if runs are stored without limit. Blocks.
pub(crate) fn sweep(store: &Store) -> Result<Option<i64>, Refusal> {
    let system = Caller::system();
    let Some(kept_for) = store.snapshot::<_, Refusal>(&system, history_days)? else {
        return Ok(None);
    };
    let kept_for = i64::from(kept_for).saturating_mul(DAY);
    // Runs that are not deleted are sorted before the remaining ones; skip them.
    let mut passed = 0;
    loop {
        let look = |rows: &Transaction<'_>| Batch::read(rows, kept_for, passed);
        let batch = store.snapshot::<_, Refusal>(&system, look)?;
        passed += batch.stays;
        if !batch.goes.is_empty() {
            store.transaction(&system, |rows| -> Result<(), Refusal> {
                let ids = batch.goes.iter().map(|id| (*id).into()).collect();
                rows.without_actor().delete(TABLE, &[one_of("id", ids)])?;
                Ok(())
            })?;
        }
        if batch.is_last {
            return store.snapshot::<_, Refusal>(&system, |rows| next(rows, kept_for, passed));
        }
    }
}

/// A batch of runs that ended before the retention period.
struct Batch {
    goes: Vec<Uuid>,
    stays: u64,
    is_last: bool,
}

impl Batch {
    fn read(rows: &Transaction<'_>, kept_for: i64, passed: u64) -> Result<Self, Refusal> {
        let before = Cell::Timestamp(rows.now().saturating_sub(kept_for));
        let look = ended(rows)?.that("close_time", Test::Compare(Operator::LessOrEqual, before))?;
        let found = look.offset(passed).limit(BATCH).rows(&["id", "tenant_id", "workflow_id", "status"])?;
        let sample = sample::tenant_of(rows)?;
        let mut last = BTreeMap::new();
        let (mut goes, mut stays) = (Vec::new(), 0);
        for run in &found {
            let Some(id) = uuid(run, "id") else { continue };
            let is_sample = sample.is_some() && uuid(run, "tenant_id") == sample;
            if is_sample || text(run, "status") == "COMPLETED" && is_last_success(rows, run, id, &mut last)? {
                stays += 1;
            } else {
                goes.push(id);
            }
        }
        Ok(Self { goes, stays, is_last: u64::try_from(found.len()).unwrap_or(BATCH) < BATCH })
    }
}

/// Ended runs, oldest end first.
fn ended<'a>(rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    let look = Look::at(rows, TABLE)?.that("close_time", Test::Not(Box::new(Test::IsNull)))?;
    look.ordered("close_time", false)?.ordered("id", false)
}

/// Whether a run is the last successful run of its workflow.
fn is_last_success(
    rows: &Transaction<'_>,
    run: &Value,
    id: Uuid,
    known: &mut BTreeMap<Uuid, Option<Uuid>>,
) -> Result<bool, Refusal> {
    let workflow = uuid(run, "workflow_id").unwrap_or_default();
    if let Some(last) = known.get(&workflow) {
        return Ok(*last == Some(id));
    }
    let look = Look::at(rows, TABLE)?.with("workflow_id", workflow)?.with("status", "COMPLETED")?;
    let last = look.ordered("start_time", true)?.ordered("id", false)?.limit(1).first(&["id"])?;
    let last = last.and_then(|row| uuid(&row, "id"));
    known.insert(workflow, last);
    Ok(last == Some(id))
}

/// When the next run expires. If no run remains, the time at which a run that ends now would expire.
fn next(rows: &Transaction<'_>, kept_for: i64, passed: u64) -> Result<Option<i64>, Refusal> {
    let first = ended(rows)?.offset(passed).limit(1).first(&["close_time"])?;
    let ended = first.and_then(|row| parse_timestamp(text(&row, "close_time")));
    Ok(Some(ended.unwrap_or_else(|| rows.now()).saturating_add(kept_for)))
}
