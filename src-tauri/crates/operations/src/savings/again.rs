//! Decides what happens to a stored recommendation when its finding is found again or no longer found.

use super::row::{Advice, CLOSED_BY_IMPORT, DAY, Draft, Reopening, words};
use catalogue::format_timestamp;
use model::RecommendationStatusType as Status;

/// Days by which a bill may lag. If the bill ended more than this before a recommendation was closed, it is an old bill and its own days count.
const LAG: i32 = 35;
/// Days after closing whose charges may still belong to usage from before.
const GRACE: i32 = 1;

/// The change to a stored recommendation.
#[derive(Debug, Clone)]
pub enum Fate {
    /// Update its data; the status stays.
    Refresh,
    /// Open it again, with the reason.
    Reopen(String),
    /// The import that closed it was undone: restore the earlier status, with the earlier note or the reason.
    Restore(Status, String),
    /// Close it, with the reason.
    Close(String),
    /// The import that opened it again was undone: close it as before.
    CloseAgain(Box<Reopening>),
    /// Its subject is gone and a user had taken it up.
    Archive(String),
    Remove,
    Leave,
}

/// The day after which a bill shows the change: the closing day; for an old bill, the last day the bill had at closing.
pub fn changed_on(kept: &Advice) -> i32 {
    let closed = kept.closed_on();
    match kept.bill_until() {
        Some(bill) if kept.is_closed_by_import() || closed - bill > LAG => bill,
        _ => closed,
    }
}

/// Whether a bill of that day predates the closing, and the recommendation may therefore still show in it.
pub fn is_before_closing(kept: &Advice, day: i32) -> bool {
    day <= changed_on(kept)
}

/// The latest data about the account of a recommendation.
#[derive(Debug, Clone, Copy, Default)]
pub struct LatestLook {
    /// The newest day of the account's bill.
    pub bill_until: Option<i32>,
    /// The newest state of the account's cluster, µs since 1970.
    pub seen_at: Option<i64>,
    /// Whether this is the newest data. An analysis as of an earlier day cannot tell whether imports were undone.
    pub is_newest: bool,
}

impl LatestLook {
    /// The time up to which the recommendation's subject is known, µs since 1970.
    pub fn until(self, kept: &Advice) -> Option<i64> {
        if kept.evidence().seen_at().is_some() {
            return self.seen_at;
        }
        self.bill_until.map(|day| i64::from(day) * DAY)
    }

    /// Whether the import that closed a recommendation was undone: no data reaches as far as the closing data.
    fn shows_undone_closing(self, kept: &Advice) -> bool {
        let is_closed = kept.status == Some(Status::Closed) && kept.is_closed_by_import();
        let closing = kept.closing_data_until.filter(|_| is_closed && self.is_newest);
        closing.is_some_and(|closing| self.until(kept).is_none_or(|until| until < closing.micros()))
    }
}

/// The earlier closing of a recommendation that an import opened again, if that import was undone since: no data reaches as far. `None` if a user
/// has taken the recommendation up.
fn undone_reopening(kept: &Advice, shown: LatestLook) -> Option<Box<Reopening>> {
    let is_open = kept.status == Some(Status::Open) && !kept.is_dismissed && shown.is_newest;
    let reopened = kept.evidence().reopened.filter(|_| is_open)?;
    let reopened: Box<Reopening> = serde_json::from_value(reopened).ok()?;
    shown.until(kept).is_none_or(|until| until < reopened.data_until).then_some(reopened)
}

/// The reason to open a closed recommendation again: a bill or cluster state after the closing shows it.
fn relapse(kept: &Advice, draft: &Draft) -> Option<String> {
    let closed_on = words(kept.closed_on());
    let Some(seen_at) = draft.seen_at else {
        let is_later = draft.last_day > changed_on(kept) + GRACE;
        return is_later.then(|| {
            format!("Found again: {} shows it, after it was closed on {closed_on}.", words(draft.last_day))
        });
    };
    // A newer cluster state shows the problem again, or the state that no longer showed it was undone.
    let is_later = kept.closed_at.is_none_or(|at| seen_at > at.micros());
    (kept.is_closed_by_import() || is_later)
        .then(|| format!("Found again: the cluster as it was on {} shows it.", format_timestamp(seen_at)))
}

/// Restores a recommendation whose closing import was undone and whose finding shows in the earlier data.
fn restore(kept: &Advice, draft: &Draft) -> Fate {
    let shows = draft.seen_at.map_or_else(
        || format!("the bill until {} shows it", words(draft.last_day)),
        |seen| format!("the cluster as it was on {} shows it", format_timestamp(seen)),
    );
    let reason = format!("Open again: the import that closed it was undone, and {shows}.");
    Fate::Restore(kept.status_before_closing(), kept.note_before_closing.clone().unwrap_or(reason))
}

/// The change for a finding that was found again.
pub fn found(kept: &Advice, draft: &Draft, shown: LatestLook, today: i32) -> Fate {
    if let Some(reopened) = undone_reopening(kept, shown) {
        return Fate::CloseAgain(reopened);
    }
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    match status {
        Status::Open | Status::Assigned | Status::InProgress => Fate::Refresh,
        Status::Closed if shown.shows_undone_closing(kept) => restore(kept, draft),
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

/// The change for a recommendation whose finding was not found again, given the latest data.
pub fn vanished(kept: &Advice, shown: LatestLook, is_same_version: bool) -> Fate {
    let status = if kept.is_dismissed { Status::Dismissed } else { kept.status.unwrap_or(Status::Open) };
    if let Some(reopened) = undone_reopening(kept, shown) {
        return Fate::CloseAgain(reopened);
    }
    if shown.shows_undone_closing(kept) {
        return withdraw(kept.status_before_closing());
    }
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
        _ => withdraw(status),
    }
}

/// The data behind it is gone: remove it, or archive it if a user had taken it up.
fn withdraw(status: Status) -> Fate {
    if status == Status::Open {
        return Fate::Remove;
    }
    Fate::Archive("What it rested on was taken back, or the rule that found it has changed.".to_owned())
}
