//! What a series of daily costs comes to on the days ahead, and how far such forecasts were off before.
//!
//! Start at [`forecast`]. Three [`Method`]s are judged on days of the series itself that are held out ([`judge`](holdout::judge));
//! the one with the smallest error answers. Charges that are known to recur are no part of this: they are
//! [expected](recurring::expected) on their day of the month and added. Same values, same answer: no clock, no chance.

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

/// Weeks a method learns from.
const WEEKS: usize = 4;
/// Their days.
pub const LEARNED_DAYS: usize = 7 * WEEKS;
/// Days of history without which there is no forecast: those that are learned from, and as many again as hold out two weeks.
pub const NEEDED_DAYS: usize = LEARNED_DAYS + 14;

/// Daily costs in one currency up to the last day that is known.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// The day of the first amount; days since 1970-01-01.
    pub first: i32,
    /// One amount a day, without gaps; zero where nothing was charged.
    pub amounts: Vec<Decimal>,
    /// Charges that recur by the month or by the day, by their day: they are not among `amounts`.
    pub recurring: BTreeMap<i32, Decimal>,
}

/// One day ahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Days since 1970-01-01.
    pub date: i32,
    /// Rounded to the minor unit of the currency, as are the bounds.
    pub amount: Decimal,
    /// Bounds of the 80% band. They are bounds of the sum: those of several days add up to the band of these days together.
    pub bounds: Option<(Decimal, Decimal)>,
}

#[derive(Debug, Clone)]
pub struct Forecast {
    pub days: Vec<Day>,
    /// `None` where only recurring charges are expected: there is nothing to judge.
    pub accuracy: Option<Accuracy>,
}

/// Why there is no forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// So many days from the first charge to the last known day.
    TooShort { days: usize },
    /// So many of the [`LEARNED_DAYS`] up to the last charge have charges; fewer than half: the bill is not by day.
    TooFewDays { days: usize },
    /// Sums need more than 38 digits.
    TooLarge,
}

/// The days after the last known one of the series, `ahead` of them, in a currency.
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

/// Days with charges among the [`LEARNED_DAYS`] up to the last one; a series that has ended was by day, too.
fn charged(history: &[Decimal]) -> usize {
    let end = history.iter().rposition(|amount| !amount.is_zero()).map_or(0, |place| place + 1);
    history[end.saturating_sub(LEARNED_DAYS)..end].iter().filter(|amount| !amount.is_zero()).count()
}

/// The sum, exact.
fn total<'a>(amounts: impl IntoIterator<Item = &'a Decimal>) -> Result<Decimal, Refused> {
    let mut sum = DecimalSum::new();
    amounts.into_iter().for_each(|amount| sum.add(*amount));
    sum.total().ok_or(Refused::TooLarge)
}
