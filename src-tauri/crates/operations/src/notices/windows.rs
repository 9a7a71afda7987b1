//! Maintenance windows: rows of `notice_window`.

use super::outbox;
use crate::kit::{Look, text};
use catalogue::Value;
use channels::{TimeOfDay, Window};
use graphql::Refusal;
use serde_json::Value as Json;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The maximum length: one week, in minutes.
const MAX_MINUTES: u64 = 7 * 24 * 60;

/// The active windows of the tenant.
pub(super) fn active(rows: &Transaction<'_>) -> Result<Vec<Window>, Refusal> {
    let look = Look::at(rows, "notice_window")?.with("is_active", true)?;
    look.rows(&["name", "days", "starts_at", "minutes"])?.iter().map(read).collect()
}

fn read(row: &Json) -> Result<Window, Refusal> {
    if text(row, "name").trim().is_empty() {
        return Err(Refusal::invalid("`name` is empty: expected what people call the window"));
    }
    let expected = "expected a list of weekdays such as [6, 7], 1 is Monday";
    let day =
        |day: &Json| day.as_u64().and_then(|day| u8::try_from(day).ok()).filter(|day| (1..=7).contains(day));
    let days: Option<Vec<u8>> = row["days"].as_array().and_then(|days| days.iter().map(day).collect());
    let days = days
        .filter(|days| !days.is_empty())
        .ok_or_else(|| Refusal::invalid(format!("`days` is {}: {expected}", row["days"])))?;
    let starts_at = text(row, "starts_at");
    let starts_at = TimeOfDay::parse(starts_at).ok_or_else(|| {
        Refusal::invalid(format!(
            "`starts_at` is \"{starts_at}\": expected a time of day, UTC, such as 22:00"
        ))
    })?;
    let minutes = row["minutes"].as_u64().filter(|minutes| (1..=MAX_MINUTES).contains(minutes));
    let minutes = minutes.and_then(|minutes| u32::try_from(minutes).ok()).ok_or_else(|| {
        Refusal::invalid(format!("`minutes` is {}: expected 1 to {MAX_MINUTES}, a week", row["minutes"]))
    })?;
    Ok(Window { days, starts_at, minutes })
}

/// Refuses invalid windows among these rows.
pub(super) fn after_write(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let check = || -> Result<(), Refusal> {
        let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
        let look = Look::at(rows, "notice_window")?.one_of("id", ids)?;
        for row in look.rows(&["name", "days", "starts_at", "minutes"])? {
            read(&row)?;
        }
        outbox::make_due(rows, None)
    };
    check().map_err(Refusal::into_error)
}
