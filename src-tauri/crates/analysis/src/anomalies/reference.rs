//! The basis of a finding as JSON, stored in `anomaly.reference_value`. Numbers are exact.

use super::basis::{Basis, Extremes, HeededVerdicts, Unrest, WeightedValue};
use super::measured::Bar;
use super::runs::RunDay;
use super::{Finding, Grain, Measure, Part, rules};
use catalogue::Decimal;
use serde::{Serialize, Serializer};
use uuid::Uuid;

#[derive(Serialize)]
struct Reference<'a> {
    rule_version: &'static str,
    /// `hour` if steps are hours; absent for days.
    #[serde(skip_serializing_if = "Option::is_none")]
    grain: Option<&'static str>,
    /// First and last day of the run.
    from: String,
    to: String,
    run: Vec<Day>,
    /// Later days of the run without a stored comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_compared: Option<DateSpan>,
    /// The comparison of the first day.
    #[serde(flatten)]
    comparison: Comparison,
    /// The days from which floors were computed; the `unrest` of a comparison is the range of its own days.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unrest_days: Vec<Step>,
    /// Only for costs: sums of other measures have no meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    impact: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    /// Only for measurements and event counts: the series, as feedback names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<&'a str>,
    /// The declared tag and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<TagValue<'a>>,
    /// The bound of the user-defined rule.
    #[serde(rename = "reference", skip_serializing_if = "Option::is_none")]
    demand: Option<Demand<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<FoldedPart<'a>>,
    /// Only for measurements and event counts: the series for a chart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    around: Vec<Step>,
}

/// The basis of one day's verdict.
#[derive(Serialize)]
struct Comparison {
    rule: &'static str,
    values: Vec<ComparedDay>,
    expected: Number,
    mad: Number,
    floor: Number,
    spread: Number,
    factor: Number,
    min_percent: i64,
    min_amount: Number,
    /// The lower limit of the floor.
    min_spread: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Number>,
    /// Only if the floor was computed from other days than the reference values.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrest: Option<UnrestSpan>,
    /// Only for the first day of a month: the comparison with other days of its weekday.
    #[serde(skip_serializing_if = "Option::is_none")]
    ordinary: Option<Box<Self>>,
    /// Only for the first day of the run: the effect of earlier false alarms.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Verdicts>,
}

/// The first and last day (or hour) from which a floor was computed, and its amount.
#[derive(Serialize)]
struct UnrestSpan {
    from: String,
    to: String,
    amount: Number,
}

/// `factor` and `margin` are the values without false alarms; `percent` is the percentage of them that applies.
#[derive(Serialize)]
struct Verdicts {
    wrong: usize,
    percent: i64,
    factor: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Number>,
}

/// First and last day.
#[derive(Serialize)]
struct DateSpan {
    from: String,
    to: String,
}

#[derive(Serialize)]
struct TagValue<'a> {
    key: &'a str,
    value: &'a str,
}

/// The bound of a user-defined rule. `value` is the reference, `bound` the value that a step must exceed.
#[derive(Serialize)]
struct Demand<'a> {
    unit: &'a str,
    period: &'a str,
    operator: &'a str,
    buffer_percentage: Number,
    value: Number,
    bound: Number,
}

#[derive(Serialize)]
struct Day {
    date: String,
    actual: Number,
    expected: Number,
    /// The lowest and highest value that would not have been an anomaly.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Number>,
    /// Only for a day after the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Comparison>,
}

#[derive(Serialize)]
struct ComparedDay {
    date: String,
    value: Number,
    weight: Number,
}

#[derive(Serialize)]
struct Step {
    date: String,
    value: Number,
}

#[derive(Serialize)]
struct FoldedPart<'a> {
    account_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
    name: &'a str,
    impact: Number,
}

/// An exact JSON number.
struct Number(Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number =
            self.0.to_text().as_str().parse().map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl Finding {
    /// `{rule, from, to, run, values, expected, mad, floor, spread, factor, min_percent, min_amount, …}`
    pub fn reference_value(&self) -> serde_json::Result<serde_json::Value> {
        let (grain, key) = (self.grain, &self.key);
        let is_cost = matches!(key.measure, Measure::Cost(_));
        let day = |day: &RunDay| Day {
            date: grain.format(day.day),
            actual: Number(day.actual),
            expected: Number(day.expected),
            low: day.normal.map(|normal| Number(normal.low)),
            high: day.normal.map(|normal| Number(normal.high)),
            compared: day.basis.as_ref().map(|basis| Comparison::of(basis, grain)),
        };
        serde_json::to_value(Reference {
            rule_version: if is_cost { rules::VERSION } else { rules::MEASURED_VERSION },
            grain: (grain == Grain::Hour).then(|| grain.name()),
            from: grain.format(self.first_step()),
            to: grain.format(self.last_step()),
            run: self.days.iter().map(day).collect(),
            not_compared: self.not_compared(),
            comparison: Comparison::of(&self.basis, grain),
            unrest_days: self.unrest_days.iter().map(|day| step(grain, day)).collect(),
            impact: is_cost.then_some(Number(self.impact)),
            currency: key.measure.currency(),
            unit: key.measure.unit(),
            series: (!is_cost).then_some(key.name.as_str()),
            tag: key.tag.as_deref().map(|tag| TagValue { key: tag, value: &key.name }),
            demand: self.bar.as_ref().map(demand),
            parts: self.parts.iter().map(folded).collect(),
            around: self.around.iter().map(|day| step(grain, day)).collect(),
        })
    }

    /// The days of a run whose comparison is not stored. A new service is compared on its first day only and has none.
    fn not_compared(&self) -> Option<DateSpan> {
        let is_left_out = |day: &&RunDay| day.normal.is_some() && day.basis.is_none();
        let mut left_out = self.days.iter().skip(1).filter(is_left_out);
        let first = left_out.next()?;
        let last = left_out.next_back().unwrap_or(first);
        Some(DateSpan { from: self.grain.format(first.day), to: self.grain.format(last.day) })
    }

    /// The first step: days since 1970, or hours for an hourly finding.
    pub fn first_step(&self) -> i32 {
        self.days.first().map(|day| day.day).unwrap_or_default()
    }

    fn last_step(&self) -> i32 {
        self.days.last().map(|day| day.day).unwrap_or_default()
    }

    /// From the start of its first step to the end of its last, µs since 1970 UTC.
    pub fn span(&self) -> std::ops::Range<i64> {
        self.grain.begins(self.first_step())..self.grain.begins(self.last_step() + 1)
    }

    /// The first day, in days since 1970.
    pub fn first_day(&self) -> i32 {
        self.grain.day(self.first_step())
    }

    /// The last day, in days since 1970.
    pub fn last_day(&self) -> i32 {
        self.grain.day(self.last_step())
    }
}

impl Comparison {
    fn of(basis: &Basis, grain: Grain) -> Self {
        let extreme = |pick: fn(Extremes) -> Decimal| basis.extremes.map(|extremes| Number(pick(extremes)));
        let value = |one: &WeightedValue| ComparedDay {
            date: grain.format(one.day),
            value: Number(one.value),
            weight: Number(one.weight),
        };
        Self {
            rule: basis.rule.name(),
            values: basis.values.iter().map(value).collect(),
            expected: Number(basis.expected),
            mad: Number(basis.mad),
            floor: Number(basis.floor),
            spread: Number(basis.spread),
            factor: Number(basis.factor),
            min_percent: basis.min_percent,
            min_amount: Number(basis.min_amount),
            min_spread: Number(basis.least_spread),
            low: extreme(|extremes| extremes.low),
            high: extreme(|extremes| extremes.high),
            margin: extreme(|extremes| extremes.margin),
            unrest: basis.unrest.and_then(|unrest| span(unrest, grain)),
            ordinary: basis.ordinary.as_ref().map(|ordinary| Box::new(Self::of(ordinary, grain))),
            verdicts: basis.verdicts.map(verdicts),
        }
    }
}

fn span(unrest: Unrest, grain: Grain) -> Option<UnrestSpan> {
    let (from, until) = unrest.days?;
    Some(UnrestSpan { from: grain.format(from), to: grain.format(until - 1), amount: Number(unrest.amount) })
}

fn verdicts(heeded: HeededVerdicts) -> Verdicts {
    let HeededVerdicts { wrong, percent, factor, margin } = heeded;
    Verdicts { wrong, percent, factor: Number(factor), margin: margin.map(Number) }
}

fn step(grain: Grain, (step, value): &(i32, Decimal)) -> Step {
    Step { date: grain.format(*step), value: Number(*value) }
}

fn folded(part: &Part) -> FoldedPart<'_> {
    let Part { key, impact } = part;
    FoldedPart { account_id: key.account, tag: key.tag.as_deref(), name: &key.name, impact: Number(*impact) }
}

fn demand(bar: &Bar) -> Demand<'_> {
    Demand {
        unit: &bar.unit,
        period: &bar.period,
        operator: bar.operator.name(),
        buffer_percentage: Number(bar.buffer),
        value: Number(bar.reference),
        bound: Number(bar.bound),
    }
}
