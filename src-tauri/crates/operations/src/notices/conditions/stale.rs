//! Notices about accounts whose bills have stopped arriving.

use super::{day, day_of, names};
use crate::kit::{Key, Look, Part, text, uuid};
use crate::notices::raise::{ActiveCondition, Cause};
use catalogue::{format_date, parse_timestamp};
use channels::Severity;
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

/// Providers deliver a day late and at night: a bill is late if its last day is at least this many days ago.
const LATE_DAYS: i32 = 3;
/// An account without bills for longer than this counts as abandoned and raises no notice.
const MAX_DAYS: i32 = 30;

/// One notice per last day, for all active accounts whose charges end on that day.
pub(in crate::notices) fn stale(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    let today = day_of(rows.now());
    let parts = [("account", Part::Key(Key::Column("cloud_account"))), ("last", Part::Largest("date"))];
    let last = Look::at(rows, "spends")?.grouped(&parts, &[])?;
    let last: BTreeMap<Uuid, i32> = last
        .iter()
        .filter_map(|group| Some((uuid(group, "account")?, day_of(parse_timestamp(text(group, "last"))?))))
        .collect();
    if last.is_empty() {
        return Ok(Vec::new());
    }
    let active =
        Look::at(rows, "cloud_accounts")?.with("status", "active")?.ordered("account_name", false)?;
    let mut by_day: BTreeMap<i32, Vec<String>> = BTreeMap::new();
    for row in active.rows(&["id", "account_name"])? {
        let day = uuid(&row, "id").and_then(|id| last.get(&id).copied());
        if let Some(day) = day.filter(|day| (LATE_DAYS..=MAX_DAYS).contains(&(today - day))) {
            by_day.entry(day).or_default().push(name(&row));
        }
    }
    let condition = |(last, accounts): (i32, Vec<String>)| {
        let who =
            if accounts.len() == 1 { accounts.concat() } else { format!("{} accounts", accounts.len()) };
        ActiveCondition {
            subject: "stale",
            key: format!("stale:{}", format_date(last)),
            severity: Severity::Warning,
            title: format!("No costs after {} for {who}", day(last)),
            text: format!("{}. A newer export fills the gap.", names(&accounts)),
            link: Some("/imports".to_owned()),
            is_recent: true,
            cause: Cause::Other,
        }
    };
    Ok(by_day.into_iter().map(condition).collect())
}

fn name(row: &Json) -> String {
    text(row, "account_name").to_owned()
}
