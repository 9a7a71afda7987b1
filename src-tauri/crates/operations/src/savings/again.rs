//! What becomes of a recommendation that is there when its finding is found again, or is found no more.

use super::row::{Advice, CLOSED_BY_IMPORT, Draft, words};
use catalogue::format_timestamp;
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

/// What is known of the account of a recommendation by now.
#[derive(Debug, Clone, Copy, Default)]
pub struct LatestLook {
    /// The newest day of its bill.
    pub bill_until: Option<i32>,
    /// When its cluster was seen last, µs since 1970.
    pub seen_at: Option<i64>,
}

/// Whether a closed one shows again that a bill or a look at its cluster has shown before, and which.
fn relapse(kept: &Advice, draft: &Draft) -> Option<String> {
    let closed_on = words(kept.closed_on());
    let Some(seen_at) = draft.seen_at else {
        let is_later = draft.last_day > changed_on(kept) + GRACE;
        return is_later.then(|| {
            format!("Found again: {} shows it, after it was closed on {closed_on}.", words(draft.last_day))
        });
    };
    // What no longer showed is there again: later, or because the newer look was taken back.
    let is_later = kept.closed_at.is_none_or(|at| seen_at > at.micros());
    (kept.is_closed_by_import() || is_later)
        .then(|| format!("Found again: the cluster as it was on {} shows it.", format_timestamp(seen_at)))
}

/// It is found again.
pub fn found(kept: &Advice, draft: &Draft, today: i32) -> Fate {
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    match status {
        Status::Open | Status::Assigned | Status::InProgress => Fate::Refresh,
        Status::Closed => relapse(kept, draft).map_or(Fate::Leave, Fate::Reopen),
        Status::Dismissed => match kept.dismissed_until {
            Some(until) if until.0 < today => {
                Fate::Reopen(format!("Found again after {}, until when it was dismissed.", words(until.0)))
            }
            _ => Fate::Refresh,
        },
        Status::Archive => Fate::Reopen("Found again.".to_owned()),
    }
}

/// It is found no more, and so much is known of its account.
pub fn vanished(kept: &Advice, shown: LatestLook, is_same_version: bool) -> Fate {
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    if !matches!(status, Status::Open | Status::Assigned | Status::InProgress) {
        return Fate::Leave;
    }
    let evidence = kept.evidence();
    let newer = if let Some(known) = evidence.seen_at() {
        let seen = shown.seen_at.filter(|seen| *seen > known);
        seen.map(|seen| format!("the cluster as it was on {}", format_timestamp(seen)))
    } else {
        let known = evidence.period.and_then(|period| period.range()).map(|(_, to)| to);
        let until = shown.bill_until.filter(|until| known.is_some_and(|known| *until > known));
        until.map(|until| format!("the bill until {}", words(until)))
    };
    match newer {
        Some(newer) if is_same_version => {
            Fate::Close(format!("{CLOSED_BY_IMPORT} {newer} does not show it any more."))
        }
        _ if status == Status::Open => Fate::Remove,
        _ => Fate::Archive(
            "What it rested on was taken back, or the rule that found it has changed.".to_owned(),
        ),
    }
}
