//! Days on which usage cost more or less than the series itself leads one to expect.
//!
//! Start at [`find`]: what every service of every account cost day by day gives findings, one for each run of days. Series are
//! judged by account and service, by declared tags and in total, every currency by itself. A day is compared with the last days of its weekday
//! (rule A) and with the extremes of the last 90 days (rule B); the first day of a month with earlier ones; a new service is a
//! finding of its own kind. Where charges tell hours, an hour that its day hides is compared with the same hour of earlier days. What is measured of an
//! account and how many events it has ([`find_measured`]) is judged by the same rules, as far as a rule of a person asks for it. Each finding holds the values its first day was compared with and every number of the rule, so that
//! the verdict can be worked out again by hand.
//!
//! Same costs, same findings: nothing here knows the present time. The newest charge is the moment of judgement, so a bill that
//! is cut at a day gives what the whole bill gives as of that day.

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

/// What the charges of a service with one value of a declared tag cost on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedCost {
    /// The key of the tag.
    pub tag: String,
    pub value: String,
    pub cost: DailyCost,
}

/// What one service of one account cost in one hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourlyCost {
    /// Hours since 1970, UTC.
    pub hour: i32,
    pub account: Uuid,
    pub service: String,
    pub currency: String,
    pub amount: Decimal,
}

/// The costs of a tenant, added up in the ways that are judged. What has not begun by the day of judgement is not in it.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    pub daily: &'a [DailyCost],
    /// Of charges that have a value of a declared tag; a charge is told once for each of its tags.
    pub tagged: &'a [TaggedCost],
    /// Of the last days of charges that tell hours; the others may be among them.
    pub hourly: &'a [HourlyCost],
}

/// What the values of a series are. Values of different measures are never added.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Money of a currency.
    Cost(String),
    /// What was measured, in a unit; empty where the file says none.
    Metric(String),
    /// How many there were.
    Count,
}

impl Measure {
    pub fn currency(&self) -> Option<&str> {
        if let Self::Cost(currency) = self { Some(currency) } else { None }
    }

    /// Of what is no cost.
    pub fn unit(&self) -> Option<&str> {
        match self {
            Self::Cost(_) => None,
            Self::Metric(unit) => Some(unit),
            Self::Count => Some("events"),
        }
    }
}

/// Which series: a service of an account, a value of a tag, the total of a currency (without account and tag), or what is measured of an account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    pub measure: Measure,
    pub account: Option<Uuid>,
    /// The key of a declared tag.
    pub tag: Option<String>,
    /// The service, the value of the tag, or what is measured; empty for a total.
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
    /// It was meant to be so: nothing of the series is told until a day.
    Expected,
    /// It should not have been told: what is found later in the series must begin with a day that deviates half as much more.
    Wrong,
}

/// A verdict of a person on a finding of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub key: SeriesKey,
    /// The first day of the finding.
    pub started_on: i32,
    pub verdict: Verdict,
    /// The last day on which it is expected: what begins until then is not told, and what goes on after it is judged again. Without one it is the
    /// finding alone that is expected.
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
    pub grain: Grain,
    pub kind: Kind,
    pub state: State,
    /// At least one, in order.
    pub days: Vec<RunDay>,
    /// What the first day was judged by.
    pub basis: Basis,
    /// The days, or hours, that floors of its days were taken from, in order, with their values.
    pub unrest_days: Vec<(i32, Decimal)>,
    /// Σ(actual − expected) over the days.
    pub impact: Decimal,
    /// Of a total or a value of a tag: what it stands for, the largest first.
    pub parts: Vec<Part>,
    /// Of what is no cost: what the rule of a person demands beside.
    pub bar: Option<Bar>,
    /// Of what is no cost: the series from some days before it to some after it, as far as it is known.
    pub around: Vec<(i32, Decimal)>,
}

/// What was looked at and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnomalyFindings {
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

/// Judges all series of a bill by account and service, and in total.
pub fn find(costs: &[DailyCost], feedback: &[Feedback]) -> AnomalyFindings {
    find_in(Costs { daily: costs, tagged: &[], hourly: &[] }, feedback)
}

/// Judges all series of a bill. An hour is told where its day is not out of the ordinary.
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
