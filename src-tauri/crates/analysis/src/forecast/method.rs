//! The candidates: each can be worked out with a calculator.

use super::{LEARNED_DAYS, Refused, total};
use catalogue::Decimal;

/// How the days ahead follow from the days before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The mean of the same weekday in the last four weeks.
    WeekdayMean,
    /// The mean of the last 28 days.
    RunRate,
    /// The last seven days once more: what the others are compared with.
    LastWeek,
}

impl Method {
    /// In the order in which equals are preferred.
    pub const ALL: [Self; 3] = [Self::WeekdayMean, Self::RunRate, Self::LastWeek];

    /// Its name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::WeekdayMean => "weekday_mean_4_weeks",
            Self::RunRate => "run_rate_28_days",
            Self::LastWeek => "last_week_again",
        }
    }

    /// The days after `past`, which has at least [`LEARNED_DAYS`] days.
    pub(super) fn predict(self, past: &[Decimal], ahead: usize) -> Vec<Decimal> {
        let end = past.len();
        let week: Vec<Decimal> = match self {
            Self::WeekdayMean => {
                (0..7).map(|day| mean((1..5).map(|week| past[end - 7 * week + day]))).collect()
            }
            Self::RunRate => vec![mean(past[end - LEARNED_DAYS..].iter().copied()); 7],
            Self::LastWeek => past[end - 7..].to_vec(),
        };
        week.into_iter().cycle().take(ahead).collect()
    }
}

/// The mean, to 20 digits after the point; sums beyond 38 digits were refused before.
fn mean(amounts: impl ExactSizeIterator<Item = Decimal>) -> Decimal {
    let count = u32::try_from(amounts.len()).unwrap_or(u32::MAX).max(1);
    let amounts: Vec<Decimal> = amounts.collect();
    total(&amounts).unwrap_or_default().divided_by(count)
}

/// Whether sums of these amounts stay within 38 digits.
pub(super) fn check(amounts: &[Decimal]) -> Result<(), Refused> {
    let sizes: Vec<Decimal> = amounts.iter().map(|amount| amount.abs()).collect();
    total(&sizes).map(drop)
}
