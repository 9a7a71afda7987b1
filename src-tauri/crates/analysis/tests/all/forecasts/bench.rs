//! Measures forecast errors relative to "last week again", and how often bands contain the actual sum. `make bench-analysis` prints the result.

use super::generator::{Made, Shape, made};
use crate::seeds;
use analysis::forecast::{Series, expected, forecast};
use catalogue::Decimal;
use std::ops::Add;

/// The length of a forecast in days, and the distance between two.
const AHEAD: usize = 30;
/// The number of known days at the first forecast of a series.
const KNOWN: usize = 150;

/// The measured values.
#[derive(Default, Clone, Copy)]
struct Score {
    series: usize,
    /// Series with smaller errors than "last week again" over all forecasts.
    better: usize,
    forecasts: usize,
    /// Forecasts whose actual sum was within the band.
    within: usize,
    /// Σ|day − forecast| of the forecast and of "last week again", and Σ day.
    off: f64,
    off_last_week: f64,
    spent: f64,
    /// Σ|sum − forecast of the sum| of both.
    sums_off: f64,
    sums_off_last_week: f64,
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            series: self.series + other.series,
            better: self.better + other.better,
            forecasts: self.forecasts + other.forecasts,
            within: self.within + other.within,
            off: self.off + other.off,
            off_last_week: self.off_last_week + other.off_last_week,
            spent: self.spent + other.spent,
            sums_off: self.sums_off + other.sums_off,
            sums_off_last_week: self.sums_off_last_week + other.sums_off_last_week,
        }
    }
}

fn numbers(amounts: impl Iterator<Item = Decimal>) -> Vec<f64> {
    amounts.map(Decimal::to_f64).collect()
}

/// Σ|day − forecast|, and |Σ day − Σ forecast|.
fn distance(actual: &[f64], forecast: &[f64]) -> (f64, f64) {
    let differences = || actual.iter().zip(forecast).map(|(actual, forecast)| actual - forecast);
    (differences().map(f64::abs).sum(), differences().sum::<f64>().abs())
}

/// One forecast from the first `known` days of the series.
fn score(made: &Made, known: usize) -> Score {
    let last = made.first + known as i32 - 1;
    let before = made.recurring.range(..=last).map(|(day, amount)| (*day, *amount)).collect();
    let series = Series { first: made.first, amounts: made.amounts[..known].to_vec(), recurring: before };
    let told = forecast(&series, AHEAD, "USD").unwrap();
    let fee = |day: usize| made.recurring.get(&(made.first + day as i32)).copied().unwrap_or_default();
    let actual = (known..known + AHEAD).map(|day| made.amounts[day].checked_add(fee(day)).unwrap());
    let fees = expected(&series.recurring, last, last + AHEAD as i32);
    let last_week = (0..AHEAD).map(|day| {
        let fee = fees.get(&(last + 1 + day as i32)).copied().unwrap_or_default();
        made.amounts[known - 7 + day % 7].checked_add(fee).unwrap()
    });
    let (actual, last_week) = (numbers(actual), numbers(last_week));
    let bounds = || told.days.iter().map(|day| day.bounds.unwrap());
    let (low, high) = (numbers(bounds().map(|one| one.0)), numbers(bounds().map(|one| one.1)));
    let sum = |amounts: &[f64]| amounts.iter().sum::<f64>();
    let (off, sums_off) = distance(&actual, &numbers(told.days.iter().map(|day| day.amount)));
    let (off_last_week, sums_off_last_week) = distance(&actual, &last_week);
    // Every series has the same weight, independent of its cost.
    let spent = sum(&actual);
    Score {
        series: 0,
        better: 0,
        forecasts: 1,
        within: usize::from(sum(&low) <= spent && spent <= sum(&high)),
        off: off / spent,
        off_last_week: off_last_week / spent,
        spent: 1.0,
        sums_off: sums_off / spent,
        sums_off_last_week: sums_off_last_week / spent,
    }
}

/// All forecasts of a series.
fn score_all(made: &Made) -> Score {
    let begins = (KNOWN..=made.amounts.len() - AHEAD).step_by(AHEAD);
    let score = begins.map(|known| score(made, known)).fold(Score::default(), Score::add);
    Score { series: 1, better: usize::from(score.off <= score.off_last_week), ..score }
}

#[test]
fn forecasts_are_better_than_last_week_again_and_bands_hold() {
    println!(
        "series     better than last week  within the band  a day off  (last week)  the sum off  (last week)"
    );
    let mut all = Score::default();
    for shape in Shape::ALL {
        let scores = (0..seeds().div_ceil(2)).map(|seed| score_all(&made(shape, seed)));
        let of_shape = scores.fold(Score::default(), Score::add);
        print(&format!("{shape:?}"), of_shape);
        all = all + of_shape;
    }
    print("all", all);
    let (better, within) = (share(all.better, all.series), share(all.within, all.forecasts));
    assert!(better >= 0.8, "better than last week in {better} of the series");
    assert!((0.7..=0.9).contains(&within), "{within} of the sums lie within the band of 80%");
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn print(name: &str, score: Score) {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    println!(
        "{name:10} {:>21}  {:>15}  {:>9}  {:>11}  {:>11}  {:>11}",
        percent(share(score.better, score.series)),
        percent(share(score.within, score.forecasts)),
        percent(score.off / score.spent),
        percent(score.off_last_week / score.spent),
        percent(score.sums_off / score.spent),
        percent(score.sums_off_last_week / score.spent)
    );
}
