//! Judges measurements and event counts that user-defined rules watch.

use super::basis::Limits;
use super::fold::{FindingLists, FoldedRun, common, settle};
use super::grain::{Grain, HOURS};
use super::runs::{self, Candidate, Run, Terms};
use super::series::Series;
use super::{AnomalyFindings, Feedback, Kind, Measure, SeriesKey, hours, rules};
use crate::numbers::{percent, product, sum};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// Steps stored before and after a run, so that a chart shows the usual level.
const HOURS_BEFORE: i32 = 3 * HOURS;
const HOURS_AFTER: i32 = HOURS;
const DAYS_BEFORE: i32 = 42;
const DAYS_AFTER: i32 = 14;

/// How a value is compared with its reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Operator {
    /// The name in `anomaly_change_operator`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Greater => "GT",
            Self::GreaterOrEqual => "GTE",
            Self::Less => "LT",
            Self::LessOrEqual => "LTE",
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Greater | Self::GreaterOrEqual => Kind::Increase,
            Self::Less | Self::LessOrEqual => Kind::Decrease,
        }
    }

    fn holds(self, value: Decimal, bound: Decimal) -> bool {
        match self {
            Self::Greater => value > bound,
            Self::GreaterOrEqual => value >= bound,
            Self::Less => value < bound,
            Self::LessOrEqual => value <= bound,
        }
    }
}

/// How a reference is computed from earlier values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantile {
    /// The smallest value that is at least as large as this percentage of the values.
    Percentile(u8),
    Mean,
}

impl Quantile {
    /// `P99`, `P50`, `MEDIAN`, `MIN`, `MAX`, `AVG` or `MEAN`, in any case; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        match text.as_str() {
            "MEDIAN" => Some(Self::Percentile(50)),
            "MIN" => Some(Self::Percentile(0)),
            "MAX" => Some(Self::Percentile(100)),
            "AVG" | "MEAN" | "AVERAGE" => Some(Self::Mean),
            _ => text.strip_prefix('P')?.parse().ok().filter(|of| *of <= 100).map(Self::Percentile),
        }
    }

    /// The quantile of these values; `None` if there are none.
    fn of(self, mut values: Vec<Decimal>) -> Option<Decimal> {
        match self {
            Self::Mean => {
                let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
                Some(sum(values.into_iter())?.divided_by(count))
            }
            Self::Percentile(of) => {
                values.sort_unstable();
                let place = (values.len() * usize::from(of)).div_ceil(100).max(1) - 1;
                values.get(place).copied()
            }
        }
    }
}

/// A user-defined rule (`anomaly_config`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    pub operator: Operator,
    /// The tolerated deviation from the reference, in percent.
    pub buffer: Decimal,
    /// The length of the reference period, in hours.
    pub hours: i32,
    pub quantile: Quantile,
    /// Period and unit as in the rule, for example `1w` and `P99`.
    pub period: String,
    pub unit: String,
}

/// The bound of a user-defined rule, which a step must exceed in addition to being unusual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub operator: Operator,
    pub period: String,
    pub unit: String,
    pub buffer: Decimal,
    /// The reference, computed from the values of the period before the run.
    pub reference: Decimal,
    /// The reference plus or minus the buffer.
    pub bound: Decimal,
}

/// A series that a rule watches.
#[derive(Debug, Clone)]
pub struct MeasuredSeries {
    /// The key has an account and a measure other than cost.
    pub key: SeriesKey,
    /// By hour since 1970, UTC: the mean of the measurements, or the number of events.
    pub hours: BTreeMap<i32, Decimal>,
    /// The hour of the newest data; this and later hours are incomplete.
    pub newest: i32,
    pub watch: Watch,
    /// Whether it is the sum of the other series of its account: it is reported only if these do not explain it.
    pub is_whole: bool,
}

/// Judges the series that rules watch: by hour if they have hourly values, otherwise by day. The limits are those for costs, except for the
/// percentage, which is the rule's, and the minimum amount: money has one, event counts have five events, measurements have none.
pub fn find_measured(all: &[MeasuredSeries], feedback: &[Feedback]) -> AnomalyFindings {
    let mut found = AnomalyFindings::default();
    let (mut parts, mut wholes, mut besides) = (Vec::new(), Vec::new(), BTreeMap::new());
    for measured in all {
        let Some(series) = measured.series() else { continue };
        found.series += 1;
        found.days += series.judged_days().count();
        let admits = |candidate: Candidate| measured.admits(&series, candidate).unwrap_or_default();
        let terms = Terms { limits: measured.limits(series.grain), admits: &admits };
        for run in runs::find(&series, feedback, &terms) {
            let beside = (measured.bar(&series, run.first()), around(&series, &run));
            besides.insert((run.key.clone(), run.first()), beside);
            if measured.is_whole {
                wholes.push(run);
            } else {
                parts.push(FoldedRun::alone(run));
            }
        }
        let newest = Grain::Hour.day(measured.newest);
        found.newest = Some(found.newest.map_or(newest, |known| known.max(newest)));
    }
    for whole in wholes {
        let is_own =
            |told: &FoldedRun| told.run.key.account == whole.key.account && told.run.kind == whole.kind;
        let (mut own, others): (Vec<FoldedRun>, Vec<FoldedRun>) = parts.into_iter().partition(is_own);
        let told = settle(whole, &mut own, &common);
        own.extend(told);
        parts = others;
        parts.append(&mut own);
    }
    let mut lists = FindingLists::default();
    for told in parts {
        let beside = besides.remove(&(told.run.key.clone(), told.run.first()));
        let (bar, around) = beside.unwrap_or_default();
        lists.add_with(told, bar, around);
    }
    lists.sort();
    AnomalyFindings { findings: lists.told, silenced: lists.silenced, ..found }
}

/// A run with the values before and after it.
fn around(series: &Series, run: &Run) -> Vec<(i32, Decimal)> {
    let (before, after) = match series.grain {
        Grain::Hour => (HOURS_BEFORE, HOURS_AFTER),
        Grain::Day => (DAYS_BEFORE, DAYS_AFTER),
    };
    let last = run.days.last().map_or(run.first(), |step| step.day);
    (run.first() - before..=last + after).filter_map(|step| Some((step, series.at(step)?))).collect()
}

impl MeasuredSeries {
    /// Complete steps only. An hour without events counts as 0; an hour without measurements is unknown.
    fn series(&self) -> Option<Series> {
        let first = *self.hours.keys().next()?;
        let is_count = self.key.measure == Measure::Count;
        let grain =
            if is_count || hours::is_hourly(self.hours.keys().copied()) { Grain::Hour } else { Grain::Day };
        let key = self.key.clone();
        let day = |hour: i32| Grain::Hour.day(hour);
        if grain == Grain::Hour {
            let nought = is_count.then_some(Decimal::ZERO);
            let values = (first..self.newest).map(|hour| self.hours.get(&hour).copied().or(nought));
            let from = Grain::Hour.first_of(day(self.newest) - rules::JUDGED_HOUR_DAYS);
            return Some(Series::complete(key, grain, first, values.collect(), from));
        }
        let mean = |of: i32| {
            let hours = self.hours.range(of * HOURS..(of + 1) * HOURS).map(|(_, value)| *value);
            Quantile::Mean.of(hours.collect())
        };
        let (first, newest) = (day(first), day(self.newest));
        let values = (first..newest).map(mean).collect();
        Some(Series::complete(key, grain, first, values, newest - rules::JUDGED_HOUR_DAYS))
    }

    fn limits(&self, grain: Grain) -> Limits {
        let none = Decimal::ZERO;
        let (min_amount, least_spread) = match &self.key.measure {
            Measure::Count => (Decimal::from(rules::FEWEST_EVENTS), Decimal::from(1)),
            // A constant series has no spread; 1% of the unit's whole replaces it, if the unit has one.
            Measure::Metric(unit) if unit == "%" || unit.eq_ignore_ascii_case("percent") => {
                (none, Decimal::from(1))
            }
            Measure::Metric(unit) if unit.eq_ignore_ascii_case("ratio") => (none, rules::cent()),
            Measure::Metric(_) | Measure::Cost(_) => (none, none),
        };
        let min_percent = [whole_percent(self.watch.buffer).max(1); 2];
        Limits { factor: rules::factor(grain), min_amount, min_new: none, least_spread, min_percent }
    }

    /// Whether a step meets the rule. If the reference is 0, nothing indicates which value is large, unless the unit does.
    fn admits(&self, series: &Series, candidate: Candidate) -> Option<bool> {
        if candidate.kind != self.watch.operator.kind() {
            return Some(false);
        }
        let bar = self.bar(series, candidate.first)?;
        let is_known = self.limits(series.grain).least_spread > Decimal::ZERO || !bar.reference.is_zero();
        Some(is_known && self.watch.operator.holds(candidate.value, bar.bound))
    }

    /// The bound of a run; the reference is computed from the period before it.
    fn bar(&self, series: &Series, first: i32) -> Option<Bar> {
        let watch = &self.watch;
        let steps = match series.grain {
            Grain::Hour => watch.hours,
            // In a daily series, a period of less than a day counts as one day.
            Grain::Day => (watch.hours / HOURS).max(1),
        };
        let values = (first - steps..first).filter_map(|step| series.at(step)).collect();
        let reference = watch.quantile.of(values)?;
        let far = product(percent(reference.abs(), 1)?, watch.buffer)?;
        let bound = match watch.operator.kind() {
            Kind::Decrease => reference.checked_sub(far)?,
            _ => reference.checked_add(far)?,
        };
        let (period, unit) = (watch.period.clone(), watch.unit.clone());
        Some(Bar { operator: watch.operator, period, unit, buffer: watch.buffer, reference, bound })
    }
}

/// Rounds up to a whole number.
fn whole_percent(buffer: Decimal) -> i64 {
    crate::numbers::ceiling(buffer.abs(), Decimal::from(1)).map_or(i64::MAX, i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_taken_as_its_unit_says() {
        let values: Vec<Decimal> = (1..=200).map(Decimal::from).collect();
        let of = |unit: &str| Quantile::parse(unit).and_then(|quantile| quantile.of(values.clone()));
        assert_eq!(of("P99"), Some(Decimal::from(198)));
        assert_eq!((of("median"), of("p50")), (Some(Decimal::from(100)), Some(Decimal::from(100))));
        assert_eq!((of("MIN"), of("MAX")), (Some(Decimal::from(1)), Some(Decimal::from(200))));
        assert_eq!(of("avg"), Decimal::parse("100.5").ok());
        assert_eq!((of("P101"), of("best"), Quantile::Mean.of(Vec::new())), (None, None, None));
    }
}
