//! Types and helpers for responses.

use analysis::forecast::Accuracy;
use catalogue::{Decimal, DecimalSum, format_date};
use graphql::Refusal;
use serde::{Serialize, Serializer};
use serde_json::{Number, Value as Json};

/// An exact amount, serialised as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Money(pub Decimal);

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: Number =
            serde_json::from_str(self.0.to_text().as_str()).map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

/// A day in days since 1970, serialised as `2026-11-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date(pub i32);

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format_date(self.0))
    }
}

/// The accuracy of the forecasts of one series.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ForecastAccuracy {
    pub currency: Option<String>,
    pub group: Option<String>,
    method: &'static str,
    mape: Option<f64>,
    bias: Option<f64>,
    coverage: Option<f64>,
    skill: Option<f64>,
    held_out_days: usize,
    pub horizon: usize,
}

impl ForecastAccuracy {
    pub(super) fn of(accuracy: &Accuracy, currency: Option<String>, group: Option<String>) -> Self {
        Self {
            currency,
            group,
            method: accuracy.method.name(),
            mape: accuracy.mape.map(share),
            bias: accuracy.bias.map(share),
            coverage: accuracy.coverage.map(share),
            skill: accuracy.skill.map(share),
            held_out_days: accuracy.held_out_days,
            horizon: accuracy.horizon,
        }
    }
}

/// A ratio rounded to six decimal places.
pub(super) fn share(number: f64) -> f64 {
    (number * 1_000_000.0).round() / 1_000_000.0
}

/// `part ÷ whole`; `None` if `whole` is 0.
pub(super) fn ratio(part: Decimal, whole: Decimal) -> Option<f64> {
    (!whole.is_zero()).then(|| share(part.to_f64() / whole.to_f64()))
}

/// The exact sum.
pub(super) fn total(amounts: impl IntoIterator<Item = Decimal>) -> Result<Decimal, Refusal> {
    let mut sum = DecimalSum::new();
    amounts.into_iter().for_each(|amount| sum.add(amount));
    sum.total().ok_or_else(too_large)
}

/// The exact difference.
pub(super) fn less(whole: Decimal, part: Decimal) -> Result<Decimal, Refusal> {
    whole.checked_sub(part).ok_or_else(too_large)
}

pub(super) fn too_large() -> Refusal {
    Refusal::new("data-exception", "the amounts need more than 38 digits: narrow the charges down")
}

/// A response as JSON.
pub(super) fn json(answer: &impl Serialize) -> Result<Json, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::new("unexpected", error.to_string()))
}
