//! Days on which usage cost more or less than the series itself leads one to expect.
//!
//! Start at [`find`]: what every service of every account cost day by day gives findings, one for each run of days. Series are
//! judged by account and service and in total, every currency by itself. A day is compared with the last days of its weekday
//! (rule A) and with the extremes of the last 90 days (rule B); the first day of a month with earlier ones; a new service is a
//! finding of its own kind. Each finding holds the values its first day was compared with and every number of the rule, so that
//! the verdict can be worked out again by hand.
//!
//! Same costs, same findings: nothing here knows the present time. The newest charge is the moment of judgement, so a bill that
//! is cut at a day gives what the whole bill gives as of that day.

mod basis;
mod days;
mod effects;
mod fold;
mod judge;
mod reference;
mod rules;
mod runs;
mod series;
mod shares;

pub use basis::{Basis, Extremes, Normal, Rule, Weighted};
pub use effects::{Effect, Effects, KindOfUse, effects};
pub use rules::{HISTORY_DAYS, JUDGED_DAYS, VERSION};
pub use runs::{RunDay, State};
pub use shares::shares;

use catalogue::Decimal;
use uuid::Uuid;

/// What one service of one account cost on one day: usage at contract price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyCost {
    /// Days since 1970, UTC.
    pub day: i32,
    pub account: Uuid,
    /// The account the invoice goes to, which tells since when a bill is known.
    pub billing_account: Option<String>,
    pub service: String,
    pub currency: String,
    pub amount: Decimal,
}

/// Which series: a service of an account, or with no account the total of a currency.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    pub currency: String,
    pub account: Option<Uuid>,
    /// The service; empty for a total.
    pub name: String,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Increase,
    Decrease,
    /// A service that was not there before.
    New,
}

/// What a person has said about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Useful,
    /// It was meant to be so: nothing of the series is told that begins until a day.
    Expected,
    /// It should not have been told: later days of the series must deviate half as much more.
    Wrong,
}

/// A verdict of a person on a finding of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub key: SeriesKey,
    /// The first day of the finding.
    pub started_on: i32,
    pub verdict: Verdict,
    /// The last day on which something of the kind may begin; the finding's first day where none is given.
    pub expected_until: Option<i32>,
}

/// A part of a total that its finding stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub key: SeriesKey,
    pub impact: Decimal,
}

/// A run of days out of the ordinary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub key: SeriesKey,
    pub kind: Kind,
    pub state: State,
    /// At least one, in order.
    pub days: Vec<RunDay>,
    /// What the first day was judged by.
    pub basis: Basis,
    /// Σ(actual − expected) over the days.
    pub impact: Decimal,
    /// Of a total: what it stands for, the largest first.
    pub parts: Vec<Part>,
}

/// What was looked at and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// By first day and series.
    pub findings: Vec<Finding>,
    /// What is out of the ordinary as well, and a person has said not to tell.
    pub silenced: Vec<Finding>,
    pub series: usize,
    /// Days of series that were complete and within reach.
    pub days: usize,
    /// The newest day with a charge.
    pub newest: Option<i32>,
}

/// Judges all series of a bill. What has not begun by the day of judgement is not handed in.
pub fn find(costs: &[DailyCost], feedback: &[Feedback]) -> Found {
    let all = series::build(costs);
    let runs = all.iter().flat_map(|series| runs::find(series, feedback)).collect();
    let folded = fold::fold(runs);
    Found {
        findings: folded.told,
        silenced: folded.silenced,
        series: all.len(),
        days: all.iter().map(|series| series.judged_days().count()).sum(),
        newest: costs.iter().map(|cost| cost.day).max(),
    }
}
