//! What becomes of a recommendation that is there when its finding is found again, or is found no more.

use super::row::{Advice, CLOSED_BY_IMPORT, Draft, words};
use model::RecommendationStatusType as Status;

/// Days that a bill may lag behind: what ends longer before a recommendation was closed is an old bill, and is judged by its own days.
const LAG: i32 = 35;
/// A charge of the day after closing may be of a day that had begun.
const GRACE: i32 = 1;

/// What becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Its card is brought up to date; where it stands stays.
    Refresh,
    /// It is open again, with the reason.
    Reopen(String),
    /// It is closed, with the reason.
    Close(String),
    /// Its subject is gone and a person was on it.
    Archive(String),
    Remove,
    Leave,
}

/// The day after which a bill shows the change: when it was closed; of an old bill, the day it ended then.
pub fn changed_on(kept: &Advice) -> i32 {
    let closed = kept.closed_on();
    match kept.bill_until() {
        Some(bill) if kept.is_closed_by_import() || closed - bill > LAG => bill,
        _ => closed,
    }
}

/// Whether a bill of that day is from before it was closed and may be in force by mistake.
pub fn is_before_closing(kept: &Advice, day: i32) -> bool {
    day <= changed_on(kept)
}

/// It is found again.
pub fn found(kept: &Advice, draft: &Draft, today: i32) -> Fate {
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    match status {
        Status::Open | Status::Assigned | Status::InProgress => Fate::Refresh,
        Status::Closed if draft.last_day > changed_on(kept) + GRACE => Fate::Reopen(format!(
            "Found again: {} shows it, after it was closed on {}.",
            words(draft.last_day),
            words(kept.closed_on())
        )),
        Status::Closed => Fate::Leave,
        Status::Dismissed => match kept.dismissed_until {
            Some(until) if until.0 < today => {
                Fate::Reopen(format!("Found again after {}, until when it was dismissed.", words(until.0)))
            }
            _ => Fate::Refresh,
        },
        Status::Archive => Fate::Reopen("Found again.".to_owned()),
    }
}

/// It is found no more. `shown_until` is the newest day that what it is about is known on; `None` where nothing is known of its account any more.
pub fn vanished(kept: &Advice, shown_until: Option<i32>, is_same_version: bool) -> Fate {
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    if !matches!(status, Status::Open | Status::Assigned | Status::InProgress) {
        return Fate::Leave;
    }
    let evidence = kept.evidence();
    let known_until = evidence.period.and_then(|period| period.range()).map(|(_, to)| to);
    match (shown_until, known_until) {
        (Some(shown), Some(known)) if shown > known && is_same_version => Fate::Close(format!(
            "{CLOSED_BY_IMPORT} the bill until {} does not show it any more.",
            words(shown)
        )),
        _ if status == Status::Open => Fate::Remove,
        _ => Fate::Archive(
            "What it rested on was taken back, or the rule that found it has changed.".to_owned(),
        ),
    }
}
