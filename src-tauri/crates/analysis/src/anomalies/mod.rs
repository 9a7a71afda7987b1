//! Finds days on which usage cost more or less than its own history leads one to expect.
//!
//! Start at [`find`]: the daily cost of every service of every account gives findings, one per run of days. Series are judged by account and
//! service, by declared tags and in total, separately by currency. A day is compared with the last days of its weekday (rule A) and with the
//! extremes of the last 90 days (rule B); the first day of a month with earlier month starts; a new service is a finding of its own kind. If
//! charges are hourly, an hour that does not show in its day's cost is compared with the same hour of earlier days. Measurements and event counts
//! of an account ([`find_measured`]) are judged by the same rules, if a user-defined rule watches them. Each finding contains the values by which
//! its first day was judged, so that the verdict can be reproduced by hand.
//!
//! The result depends only on the costs, not on the current time. The newest charge is the time of judgement, so that a bill cut off at a day
//! gives the same findings as the whole bill as of that day.

mod basis;
mod days;
mod effects;
mod fold;
mod grain;
mod hourly;
mod hours;
mod judge;
mod measured;
mod reference;
mod rules;
mod runs;
mod series;
mod shares;

pub use basis::{Basis, Extremes, HeededVerdicts, Normal, Rule, Unrest, WeightedValue};
pub use effects::{Effect, Effects, KindOfUse, effects};
pub use grain::Grain;
pub use measured::{Bar, MeasuredSeries, Operator, Quantile, Watch, find_measured};
pub use rules::{HISTORY_DAYS, HOUR_HISTORY_DAYS, JUDGED_DAYS, JUDGED_HOUR_DAYS, MEASURED_VERSION, VERSION};
pub use runs::{RunDay, State};
pub use shares::shares;

use basis::Limits;
use catalogue::Decimal;
use fold::Cells;
use runs::{Run, Terms};
use series::Series;
use uuid::Uuid;

/// The cost of one service of one account on one day: usage at contract price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyCost {
    /// Days since 1970, UTC.
    pub day: i32,
    pub account: Uuid,
    /// The account that receives the invoice; it shows since when a bill is known.
    pub billing_account: Option<String>,
    pub service: String,
    pub currency: String,
    pub amount: Decimal,
}

/// The cost of the charges of a service with one value of a declared tag on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedCost {
    /// The key of the tag.
    pub tag: String,
    pub value: String,
    pub cost: DailyCost,
}

/// The cost of one service of one account in one hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourlyCost {
    /// Hours since 1970, UTC.
    pub hour: i32,
    pub account: Uuid,
    pub service: String,
    pub currency: String,
    pub amount: Decimal,
}

/// The costs of a tenant, summed in the ways that are judged. Contains nothing that began after the day of judgement.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    pub daily: &'a [DailyCost],
    /// Costs of charges with a declared tag; a charge occurs once for each of its tags.
    pub tagged: &'a [TaggedCost],
    /// Hourly costs of the last days. Costs of charges without hours may be among them.
    pub hourly: &'a [HourlyCost],
}

/// The measure of a series. Values of different measures are never added.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Money in a currency.
    Cost(String),
    /// A measurement in a unit; empty if the source has none.
    Metric(String),
    /// A number of events.
    Count,
}

impl Measure {
    pub fn currency(&self) -> Option<&str> {
        if let Self::Cost(currency) = self { Some(currency) } else { None }
    }

    /// The unit; `None` for costs.
    pub fn unit(&self) -> Option<&str> {
        match self {
            Self::Cost(_) => None,
            Self::Metric(unit) => Some(unit),
            Self::Count => Some("events"),
        }
    }
}

/// Identifies a series: a service of an account, a value of a tag, the total of a currency (without account and tag), or a measurement or event
/// count of an account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    pub measure: Measure,
    pub account: Option<Uuid>,
    /// The key of a declared tag.
    pub tag: Option<String>,
    /// The service, the value of the tag, or the name of the measurement; empty for a total.
    pub name: String,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Increase,
    Decrease,
    /// A service that had no earlier cost.
    New,
}

/// A user's verdict on a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Useful,
    /// The change was intended: findings of the series are not reported until a given day.
    Expected,
    /// A false alarm: later findings of the series must begin with a day whose deviation exceeds limits raised by 50%.
    Wrong,
}

/// A user's verdict on a finding of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub key: SeriesKey,
    /// The first day of the finding.
    pub started_on: i32,
    pub verdict: Verdict,
    /// The last day on which the change is expected: findings that begin until then are not reported, and those that continue after it are judged
    /// again. `None` if only this finding is expected.
    pub expected_until: Option<i32>,
}

/// A part of a total or tag value that its finding includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub key: SeriesKey,
    pub impact: Decimal,
}

/// A run of unusual days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub key: SeriesKey,
    pub grain: Grain,
    pub kind: Kind,
    pub state: State,
    /// At least one, in order.
    pub days: Vec<RunDay>,
    /// The basis of the first day's verdict.
    pub basis: Basis,
    /// The days, or hours, from which the floors of its days were computed, in order, with their values.
    pub unrest_days: Vec<(i32, Decimal)>,
    /// Σ(actual − expected) over the days.
    pub impact: Decimal,
    /// For a total or tag value: the parts it includes, largest first.
    pub parts: Vec<Part>,
    /// For measurements and event counts: the bound of the user-defined rule.
    pub bar: Option<Bar>,
    /// For measurements and event counts: the values of the series from some steps before the run to some after it, as far as known.
    pub around: Vec<(i32, Decimal)>,
}

/// The findings, and the amount of data judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnomalyFindings {
    /// Sorted by first day and series.
    pub findings: Vec<Finding>,
    /// Unusual runs that feedback silences.
    pub silenced: Vec<Finding>,
    pub series: usize,
    /// Days of series that were complete and judged.
    pub days: usize,
    /// The newest day with a charge.
    pub newest: Option<i32>,
}

/// Judges all series of a bill by account and service, and in total.
pub fn find(costs: &[DailyCost], feedback: &[Feedback]) -> AnomalyFindings {
    find_in(Costs { daily: costs, tagged: &[], hourly: &[] }, feedback)
}

/// Judges all series of a bill. An hour is reported only if its day is not a finding.
pub fn find_in(costs: Costs<'_>, feedback: &[Feedback]) -> AnomalyFindings {
    let all = series::build(costs.daily, costs.tagged);
    let judge = |series: &Series| {
        let limits = cost_limits(&series.key.measure, Grain::Day);
        runs::find(series, feedback, &Terms { limits, admits: &|_| true })
    };
    let runs: Vec<Run> = all.iter().flat_map(judge).collect();
    let by_hour = hourly::find(costs.hourly, feedback, &runs);
    let mut folded = fold::fold(runs, &Cells::of(costs.tagged));
    for run in by_hour.runs {
        folded.add(run, Vec::new());
    }
    folded.sort();
    AnomalyFindings {
        findings: folded.told,
        silenced: folded.silenced,
        series: all.len() + by_hour.series,
        days: all.iter().map(|series| series.judged_days().count()).sum(),
        newest: costs.daily.iter().map(|cost| cost.day).max(),
    }
}

fn cost_limits(measure: &Measure, grain: Grain) -> Limits {
    let (min_amount, min_new) = rules::floors(measure.currency().unwrap_or_default());
    let min_percent = match grain {
        Grain::Day => [rules::MIN_PERCENT_A, rules::MIN_PERCENT_B],
        Grain::Hour => [rules::MIN_PERCENT_HOUR; 2],
    };
    let (factor, least_spread) = (rules::factor(grain), rules::cent());
    Limits { factor, min_amount, min_new, least_spread, min_percent }
}
