//! What becomes of a recommendation that is there when its finding is found again, or is found no more.

use super::row::{Advice, CLOSED_BY_IMPORT, DAY, Draft, Reopening, words};
use catalogue::format_timestamp;
use model::RecommendationStatusType as Status;

/// Days that a bill may lag behind: what ends longer before a recommendation was closed is an old bill, and is judged by its own days.
const LAG: i32 = 35;
/// A charge of the day after closing may be of a day that had begun.
const GRACE: i32 = 1;

/// What becomes of it.
#[derive(Debug, Clone)]
pub enum Fate {
    /// Its card is brought up to date; where it stands stays.
    Refresh,
    /// It is open again, with the reason.
    Reopen(String),
    /// The import that closed it was undone: it stands as before, with the remark it had or the reason.
    Restore(Status, String),
    /// It is closed, with the reason.
    Close(String),
    /// The import that opened it again was undone: it is closed as it was.
    CloseAgain(Box<Reopening>),
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
    /// Whether nothing newer is there: a look at an earlier day says nothing about imports that were undone.
    pub is_newest: bool,
}

impl LatestLook {
    /// How far what is known of the subject of a recommendation goes, µs since 1970.
    pub fn until(self, kept: &Advice) -> Option<i64> {
        if kept.evidence().seen_at().is_some() {
            return self.seen_at;
        }
        self.bill_until.map(|day| i64::from(day) * DAY)
    }

    /// Whether the import that closed a recommendation was undone: nothing that is known goes as far.
    fn shows_undone_closing(self, kept: &Advice) -> bool {
        let is_closed = kept.status == Some(Status::Closed) && kept.is_closed_by_import();
        let closing = kept.closing_data_until.filter(|_| is_closed && self.is_newest);
        closing.is_some_and(|closing| self.until(kept).is_none_or(|until| until < closing.micros()))
    }
}

/// How one was closed that an import has opened again which was undone since: nothing that is known goes as far. One that somebody has taken up is
/// left to that person.
fn undone_reopening(kept: &Advice, shown: LatestLook) -> Option<Box<Reopening>> {
    let is_open = kept.status == Some(Status::Open) && !kept.is_dismissed && shown.is_newest;
    let reopened = kept.evidence().reopened.filter(|_| is_open)?;
    let reopened: Box<Reopening> = serde_json::from_value(reopened).ok()?;
    shown.until(kept).is_none_or(|until| until < reopened.data_until).then_some(reopened)
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

/// What becomes of one whose closing was undone with the import, and that the data before it show.
fn restore(kept: &Advice, draft: &Draft) -> Fate {
    let shows = draft.seen_at.map_or_else(
        || format!("the bill until {} shows it", words(draft.last_day)),
        |seen| format!("the cluster as it was on {} shows it", format_timestamp(seen)),
    );
    let reason = format!("Open again: the import that closed it was undone, and {shows}.");
    Fate::Restore(kept.status_before_closing(), kept.note_before_closing.clone().unwrap_or(reason))
}

/// It is found again, in data that go so far.
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

/// It is found no more, and so much is known of its account.
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

/// What it rested on is not there any more: it goes, unless a person was on it.
fn withdraw(status: Status) -> Fate {
    if status == Status::Open {
        return Fate::Remove;
    }
    Fate::Archive("What it rested on was taken back, or the rule that found it has changed.".to_owned())
}
