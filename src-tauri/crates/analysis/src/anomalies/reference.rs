//! A finding's basis as JSON: what `anomaly.reference_value` holds. Numbers are written exactly.

use super::basis::{Extremes, Weighted};
use super::runs::RunDay;
use super::{Finding, Part, rules};
use catalogue::{Decimal, format_date};
use serde::{Serialize, Serializer};
use uuid::Uuid;

#[derive(Serialize)]
struct Reference<'a> {
    rule: &'static str,
    rule_version: &'static str,
    /// First and last day of the run.
    from: String,
    to: String,
    run: Vec<Day>,
    values: Vec<Compared>,
    expected: Number,
    mad: Number,
    floor: Number,
    spread: Number,
    factor: Number,
    min_percent: i64,
    min_amount: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Number>,
    impact: Number,
    currency: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Folded<'a>>,
}

#[derive(Serialize)]
struct Day {
    date: String,
    actual: Number,
    expected: Number,
    /// The lowest and the highest value that would have been nothing to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Number>,
}

#[derive(Serialize)]
struct Compared {
    date: String,
    value: Number,
    weight: Number,
}

#[derive(Serialize)]
struct Folded<'a> {
    account_id: Option<Uuid>,
    name: &'a str,
    impact: Number,
}

/// An exact number of JSON.
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
        let basis = &self.basis;
        let extreme = |pick: fn(Extremes) -> Decimal| basis.extremes.map(|extremes| Number(pick(extremes)));
        let day = |day: &RunDay| Day {
            date: format_date(day.day),
            actual: Number(day.actual),
            expected: Number(day.expected),
            low: day.normal.map(|normal| Number(normal.low)),
            high: day.normal.map(|normal| Number(normal.high)),
        };
        let value = |one: &Weighted| Compared {
            date: format_date(one.day),
            value: Number(one.value),
            weight: Number(one.weight),
        };
        let part =
            |part: &'_ Part| Folded { account_id: part.key.account, name: "", impact: Number(part.impact) };
        let parts = self.parts.iter().map(|one| Folded { name: &one.key.name, ..part(one) }).collect();
        serde_json::to_value(Reference {
            rule: basis.rule.name(),
            rule_version: rules::VERSION,
            from: format_date(self.first_day()),
            to: format_date(self.last_day()),
            run: self.days.iter().map(day).collect(),
            values: basis.values.iter().map(value).collect(),
            expected: Number(basis.expected),
            mad: Number(basis.mad),
            floor: Number(basis.floor),
            spread: Number(basis.spread),
            factor: Number(basis.factor),
            min_percent: basis.min_percent,
            min_amount: Number(basis.min_amount),
            low: extreme(|extremes| extremes.low),
            high: extreme(|extremes| extremes.high),
            margin: extreme(|extremes| extremes.margin),
            impact: Number(self.impact),
            currency: &self.key.currency,
            parts,
        })
    }

    /// Days since 1970.
    pub fn first_day(&self) -> i32 {
        self.days.first().map(|day| day.day).unwrap_or_default()
    }

    /// Days since 1970.
    pub fn last_day(&self) -> i32 {
        self.days.last().map(|day| day.day).unwrap_or_default()
    }
}
