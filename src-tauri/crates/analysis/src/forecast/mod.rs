//! Forecasts a series of daily costs, and measures the errors of earlier forecasts.
//!
//! Start at [`forecast`]. The [`Method`]s are evaluated on held-out days of the series itself ([`judge`](holdout::judge)); the one with the
//! smallest error is used. Recurring charges are forecast separately: they are [expected](recurring::expected) on their day of the month and
//! added. The result depends only on the values, not on the clock or on random numbers.

mod band;
mod calendar;
mod holdout;
mod level;
mod method;
mod recurring;
mod rounding;
#[cfg(test)]
mod tests;

pub use calendar::{day_after_months, first_of_next, month_before, start_of_month};
pub use holdout::Accuracy;
pub use method::Method;
pub use recurring::expected;
pub use rounding::{minor_digits, round};

use catalogue::{Decimal, DecimalSum};
use std::collections::BTreeMap;

/// Weeks from which a method learns.
const WEEKS: usize = 4;
/// The days of these weeks.
pub const LEARNED_DAYS: usize = 7 * WEEKS;
/// The minimum history in days: the days to learn from, and two weeks to hold out.
pub const NEEDED_DAYS: usize = LEARNED_DAYS + 14;

/// Daily costs in one currency up to the last known day.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// The day of the first amount; days since 1970-01-01.
    pub first: i32,
    /// One amount per day, without gaps; 0 if nothing was charged.
    pub amounts: Vec<Decimal>,
    /// Monthly or daily recurring charges by day; not included in `amounts`.
    pub recurring: BTreeMap<i32, Decimal>,
}

/// One forecast day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Days since 1970-01-01.
    pub date: i32,
    /// Rounded to the currency's minor unit, like the bounds.
    pub amount: Decimal,
    /// Bounds of the 80% band. They apply to sums: the bounds of several days add up to the band of their sum.
    pub bounds: Option<(Decimal, Decimal)>,
}

#[derive(Debug, Clone)]
pub struct Forecast {
    pub days: Vec<Day>,
    /// `None` if only recurring charges are expected, because there is nothing to evaluate.
    pub accuracy: Option<Accuracy>,
}

/// The reason why there is no forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The number of days from the first charge to the last known day is too small.
    TooShort { days: usize },
    /// Of the [`LEARNED_DAYS`] up to the last charge, only `days` have charges, fewer than half: the bill is not daily.
    TooFewDays { days: usize },
    /// A sum exceeds 38 digits.
    TooLarge,
}

/// Forecasts `ahead` days after the last known day of the series, in a currency.
pub fn forecast(series: &Series, ahead: usize, currency: &str) -> Result<Forecast, Refused> {
    let skipped = series.amounts.iter().take_while(|amount| amount.is_zero()).count();
    let history = &series.amounts[skipped..];
    let last = series.first + i32::try_from(series.amounts.len()).unwrap_or(i32::MAX) - 1;
    let days = |count: usize| (1..=count).map(|day| last + i32::try_from(day).unwrap_or(i32::MAX));
    let until = last + i32::try_from(ahead).unwrap_or_default();
    let known = expected(&series.recurring, last, until);
    let (amounts, accuracy) = if history.is_empty() && !series.recurring.is_empty() {
        (vec![Decimal::ZERO; ahead], None)
    } else {
        if history.len() < NEEDED_DAYS {
            return Err(Refused::TooShort { days: history.len() });
        }
        let charged = charged(history);
        if charged < LEARNED_DAYS / 2 {
            return Err(Refused::TooFewDays { days: charged });
        }
        let accuracy = holdout::judge(history, ahead)?;
        (accuracy.method.predict(history, level::weeks(history), ahead), Some(accuracy))
    };
    let factors = match &accuracy {
        Some(accuracy) => accuracy.band,
        None => Some((Decimal::ZERO, Decimal::ZERO)),
    };
    let day = |(date, amount): (i32, Decimal)| -> Result<Day, Refused> {
        let fixed = known.get(&date).copied().unwrap_or_default();
        let with = |amount: Decimal| {
            amount.checked_add(fixed).map(|sum| round(sum, currency)).ok_or(Refused::TooLarge)
        };
        let bounds = match factors {
            Some((low, high)) => {
                let (one, other) = (with(band::scaled(amount, low)?)?, with(band::scaled(amount, high)?)?);
                Some((one.min(other), one.max(other)))
            }
            None => None,
        };
        Ok(Day { date, amount: with(amount)?, bounds })
    };
    let days = days(ahead).zip(amounts).map(day).collect::<Result<_, _>>()?;
    Ok(Forecast { days, accuracy })
}

/// The number of days with charges among the [`LEARNED_DAYS`] up to the last charge. Measured there, so that a series that has ended still counts
/// as daily.
fn charged(history: &[Decimal]) -> usize {
    let end = history.iter().rposition(|amount| !amount.is_zero()).map_or(0, |place| place + 1);
    history[end.saturating_sub(LEARNED_DAYS)..end].iter().filter(|amount| !amount.is_zero()).count()
}

/// The exact sum.
fn total<'a>(amounts: impl IntoIterator<Item = &'a Decimal>) -> Result<Decimal, Refused> {
    let mut sum = DecimalSum::new();
    amounts.into_iter().for_each(|amount| sum.add(*amount));
    sum.total().ok_or(Refused::TooLarge)
}
