//! The forecast methods. Each can be reproduced with a calculator.

use super::{LEARNED_DAYS, Refused, WEEKS, total};
use crate::numbers::quotient;
use catalogue::Decimal;

/// Days needed to compute growth: the last four weeks and the four before.
pub(super) const TREND_DAYS: usize = 2 * LEARNED_DAYS;
/// Days from the middle of four weeks to the same weekday of the following week.
const FROM_MIDDLE: i128 = 35;

/// A forecast method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The mean of the same weekday in the last four weeks.
    WeekdayMean,
    /// The weekday mean plus the growth from the previous four weeks to the last four.
    WeekdayTrend,
    /// The mean of the last 28 days.
    RunRate,
    /// The last seven days repeated: the baseline for the others.
    LastWeek,
}

impl Method {
    /// In order of preference for equal errors.
    pub const ALL: [Self; 4] = [Self::WeekdayMean, Self::WeekdayTrend, Self::RunRate, Self::LastWeek];

    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::WeekdayMean => "weekday_mean_4_weeks",
            Self::WeekdayTrend => "weekday_trend_8_weeks",
            Self::RunRate => "run_rate_28_days",
            Self::LastWeek => "last_week_again",
        }
    }

    /// Forecasts the days after `past`, which has at least [`LEARNED_DAYS`] days. `weeks` is the number of [`weeks`](super::level::weeks) at the
    /// current level.
    pub(super) fn predict(self, past: &[Decimal], weeks: usize, ahead: usize) -> Vec<Decimal> {
        let end = past.len();
        let week: Vec<Decimal> = match self {
            Self::WeekdayMean | Self::WeekdayTrend => {
                (0..7).map(|day| mean((0..WEEKS).map(|week| past[end - 7 * (week + 1) + day]))).collect()
            }
            Self::RunRate => vec![mean(past[end - LEARNED_DAYS..].iter().copied()); 7],
            Self::LastWeek => past[end - 7..].to_vec(),
        };
        if self == Self::LastWeek {
            return week.into_iter().cycle().take(ahead).collect();
        }
        if weeks < WEEKS {
            let moved = moved(past, weeks);
            return week.into_iter().map(|day| scaled(day, moved)).cycle().take(ahead).collect();
        }
        let growth = if self == Self::WeekdayTrend { growth(past) } else { Decimal::ZERO };
        let of = |(day, amount): (usize, Decimal)| {
            let halves = FROM_MIDDLE + 14 * i128::try_from(day / 7).unwrap_or_default();
            let more = Decimal::from_parts(halves * 5, 1).map(|days| scaled(growth, days));
            let grown = more.and_then(|more| amount.checked_add(more)).unwrap_or(amount);
            if amount.is_negative() { grown } else { grown.max(Decimal::ZERO) }
        };
        week.into_iter().cycle().take(ahead).enumerate().map(of).collect()
    }
}

/// The mean daily cost of the last `weeks` weeks relative to that of the last four; 1 if it cannot be computed.
fn moved(past: &[Decimal], weeks: usize) -> Decimal {
    let mean = |days: usize| mean(past[past.len() - days..].iter().copied());
    quotient(mean(7 * weeks), mean(LEARNED_DAYS), 6)
        .filter(|moved| *moved > Decimal::ZERO)
        .unwrap_or(Decimal::from(1))
}

/// The daily growth, from the last four weeks and the four before; 0 if these are unknown.
fn growth(past: &[Decimal]) -> Decimal {
    if past.len() < TREND_DAYS {
        return Decimal::ZERO;
    }
    let (before, last) = past[past.len() - TREND_DAYS..].split_at(LEARNED_DAYS);
    let mean = |days: &[Decimal]| mean(days.iter().copied());
    let days = u32::try_from(LEARNED_DAYS).unwrap_or(u32::MAX);
    mean(last).checked_sub(mean(before)).map_or(Decimal::ZERO, |more| more.divided_by(days))
}

/// The product, rounded to ten decimal places.
fn scaled(amount: Decimal, factor: Decimal) -> Decimal {
    crate::numbers::product(amount, factor).unwrap_or(amount)
}

/// The mean, to 20 decimal places; [`check`] has refused sums beyond 38 digits.
fn mean(amounts: impl ExactSizeIterator<Item = Decimal>) -> Decimal {
    let count = u32::try_from(amounts.len()).unwrap_or(u32::MAX).max(1);
    let amounts: Vec<Decimal> = amounts.collect();
    total(&amounts).unwrap_or_default().divided_by(count)
}

/// Refuses amounts whose sums exceed 38 digits.
pub(super) fn check(amounts: &[Decimal]) -> Result<(), Refused> {
    let sizes: Vec<Decimal> = amounts.iter().map(|amount| amount.abs()).collect();
    total(&sizes).map(drop)
}
