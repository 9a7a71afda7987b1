//! Notices for desktop notifications: those that the user may read, that were raised after a given time and are still active.

use super::windows;
use crate::acting;
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value};
use graphql::Refusal;
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The subjects shown on the desktop. Messages of workflows and reports are sent to their recipients instead.
const SUBJECTS: [&str; 4] = ["anomaly", "budget", "finding", "stale"];

/// A notice as a desktop notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaisedNotice {
    pub id: Uuid,
    pub title: String,
    pub text: String,
}

/// The notices to show, and the next time to check even if nothing is written, µs since 1970 UTC.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RaisedNotices {
    pub notices: Vec<RaisedNotice>,
    pub next_check_at: Option<i64>,
}

/// The notices of the caller's tenant that were raised at `since` (µs since 1970 UTC) or later,
/// oldest first. Empty during a maintenance window, and for the sample data. Blocks.
pub fn raised_since(store: &Store, caller: &Caller, since: i64) -> Result<RaisedNotices, StoreError> {
    store.snapshot(caller, |rows| read(rows, since)).map_err(Refusal::into_error)
}

fn read(rows: &Transaction<'_>, since: i64) -> Result<RaisedNotices, Refusal> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(RaisedNotices::default()) };
    let system = Caller::system_for(tenant);
    let tenant_rows = rows.as_caller(&system);
    if acting::is_sample(&tenant_rows, tenant)? {
        return Ok(RaisedNotices::default());
    }
    let (now, windows) = (rows.now(), windows::active(&tenant_rows)?);
    match channels::allowed_at(now, None, &windows) {
        Some(at) if at <= now => {}
        later => return Ok(RaisedNotices { notices: Vec::new(), next_check_at: later }),
    }
    let subjects = SUBJECTS.iter().map(|subject| Value::Text((*subject).into())).collect();
    let raised = Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(since));
    let look = Look::at(rows, "notice")?.one_of("subject", subjects)?.that("raised_at", raised)?;
    let look = look.that("ended_at", Test::IsNull)?.ordered("raised_at", false)?.ordered("id", false)?;
    let found = look.rows(&["id", "title", "text"])?;
    let notice = |row: &serde_json::Value| RaisedNotice {
        id: uuid(row, "id").unwrap_or_default(),
        title: text(row, "title").to_owned(),
        text: text(row, "text").to_owned(),
    };
    Ok(RaisedNotices { notices: found.iter().map(notice).collect(), next_check_at: None })
}
