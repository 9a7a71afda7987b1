//! Burn-down of a budget over its period: cumulative billed and expected amounts by day.

use super::answer::{Date, Money, too_large};
use super::thresholds::{Basis, Threshold};
use catalogue::Decimal;
use graphql::Refusal;
use serde::Serialize;
use std::collections::BTreeMap;

/// The state of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Ok,
    Near,
    ForecastCrossed,
    Crossed,
    Unknown,
}

/// A day of a period. `amount` is `None` for forecast days, `running` is the cumulative sum.
#[derive(Debug, Serialize)]
pub(super) struct BurnDay {
    date: Date,
    amount: Option<Money>,
    running: Money,
    is_forecast: bool,
}

/// A threshold and the first day on which it was reached.
#[derive(Debug, Serialize)]
pub(super) struct ThresholdState {
    pub percent: Money,
    pub on: &'static str,
    pub reached_on: Option<Date>,
}

/// The daily amounts of a period and their sums.
#[derive(Debug)]
pub(super) struct Burn {
    pub spent: Decimal,
    /// The expected sum at the end of the period; `None` without a forecast for the rest.
    pub expected: Option<Decimal>,
    pub days: Vec<BurnDay>,
    /// Day, cumulative sum, and whether the day is a forecast.
    running: Vec<(i32, Decimal, bool)>,
}

impl Burn {
    /// Sums the days of a period: booked amounts up to `known`, then forecast amounts, if any. Charges that the bill still lacks for days up to
    /// `known` are part of the first forecast day.
    pub(super) fn of(
        (from, until): (i32, i32),
        known: i32,
        booked: &BTreeMap<i32, Decimal>,
        ahead: Option<&BTreeMap<i32, Decimal>>,
    ) -> Result<Self, Refusal> {
        let (mut sum, mut spent) = (Decimal::ZERO, Decimal::ZERO);
        let (mut days, mut running) = (Vec::new(), Vec::new());
        for date in from..=until {
            let is_forecast = date > known;
            let of_day = match (is_forecast, ahead) {
                (false, _) => booked.get(&date),
                (true, Some(ahead)) => ahead.get(&date),
                (true, None) => break,
            };
            let amount = of_day.copied().unwrap_or_default();
            sum = sum.checked_add(amount).ok_or_else(too_large)?;
            if date == known + 1
                && let Some(ahead) = ahead
            {
                for missing in ahead.range(from..date).map(|(_, missing)| *missing) {
                    sum = sum.checked_add(missing).ok_or_else(too_large)?;
                }
            }
            if !is_forecast {
                spent = sum;
            }
            running.push((date, sum, is_forecast));
            let amount = (!is_forecast).then_some(Money(amount));
            days.push(BurnDay { date: Date(date), amount, running: Money(sum), is_forecast });
        }
        let expected = (known >= until || ahead.is_some()).then_some(sum);
        Ok(Self { spent, expected, days, running })
    }

    /// The first day on which the sum reaches the threshold: the billed sum, or for a forecast threshold also the expected sum.
    pub(super) fn reached(&self, threshold: &Threshold, amount: Decimal) -> Result<Option<i32>, Refusal> {
        let limit = threshold.of(amount).ok_or_else(too_large)?;
        // A later credit may bring the expected sum below the limit again; then the forecast threshold is not reached.
        if threshold.on == Basis::Forecast && self.expected.is_none_or(|expected| expected < limit) {
            return Ok(None);
        }
        let counts = |is_forecast: bool| threshold.on == Basis::Forecast || !is_forecast;
        let found = self.running.iter().find(|(_, sum, is_forecast)| counts(*is_forecast) && *sum >= limit);
        Ok(found.map(|(date, _, _)| *date))
    }

    /// The state of the budget, the day it was exceeded, and the day each threshold was reached.
    pub(super) fn stand(
        &self,
        amount: Decimal,
        thresholds: &[Threshold],
    ) -> Result<(State, Option<i32>, Vec<ThresholdState>), Refusal> {
        let whole = Threshold { percent: Decimal::from(100), on: Basis::Actual };
        let crossed_on = self.reached(&whole, amount)?;
        let mut told = Vec::new();
        let (mut is_near, mut is_expected) =
            (false, self.expected.is_some_and(|expected| expected >= amount));
        let warning = thresholds
            .iter()
            .filter(|threshold| threshold.on == Basis::Actual && threshold.percent < whole.percent)
            .max_by_key(|threshold| threshold.percent);
        for threshold in thresholds {
            let reached_on = self.reached(threshold, amount)?;
            is_near |= reached_on.is_some() && Some(threshold) == warning;
            is_expected |= reached_on.is_some() && threshold.on == Basis::Forecast;
            told.push(ThresholdState {
                percent: Money(threshold.percent),
                on: threshold.on.name(),
                reached_on: reached_on.map(Date),
            });
        }
        let state = if self.spent >= amount {
            State::Crossed
        } else if is_expected {
            State::ForecastCrossed
        } else if is_near {
            State::Near
        } else {
            State::Ok
        };
        Ok((state, crossed_on, told))
    }
}

#[cfg(test)]
mod tests {
    use super::{Burn, State};
    use crate::spending::thresholds::{Basis, Threshold};
    use catalogue::Decimal;
    use std::collections::BTreeMap;

    fn money(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn at(percent: i64, on: Basis) -> Threshold {
        Threshold { percent: Decimal::from(percent), on }
    }

    /// Ten days, with 10 a day billed on days 1 to 5.
    fn burn(ahead: Option<&str>) -> Burn {
        let booked = (1..=5).map(|day| (day, money("10"))).collect();
        let ahead: Option<BTreeMap<i32, Decimal>> =
            ahead.map(|amount| (6..=10).map(|day| (day, money(amount))).collect());
        Burn::of((1, 10), 5, &booked, ahead.as_ref()).unwrap()
    }

    #[test]
    fn thresholds_are_reached_on_their_day() {
        // 5 · 10 = 50 billed, 50 + 5 · 12 = 110 expected.
        let burn = burn(Some("12"));
        assert_eq!((burn.spent, burn.expected), (money("50"), Some(money("110"))));
        // 50% of 80 is 40, reached on day 4; 100% of the forecast is 80, reached when 50 + 12 + 12 + 12 = 86 on day 8.
        let thresholds = [at(50, Basis::Actual), at(80, Basis::Actual), at(100, Basis::Forecast)];
        let days: Vec<Option<i32>> =
            thresholds.iter().map(|threshold| burn.reached(threshold, money("80")).unwrap()).collect();
        assert_eq!(days, [Some(4), None, Some(8)]);
        let (state, crossed_on, told) = burn.stand(money("80"), &thresholds).unwrap();
        assert_eq!((state, crossed_on, told.len()), (State::ForecastCrossed, None, 3));
    }

    #[test]
    fn states_follow_from_sums() {
        let thresholds = [at(50, Basis::Actual), at(80, Basis::Actual)];
        let state = |amount: &str, ahead| burn(ahead).stand(money(amount), &thresholds).unwrap();
        // 50 of 50: reached on day 5. 50 of 60 is 83%: near. 50 of 200 with an expected 75: ok.
        assert_eq!(state("50", Some("5")).0, State::Crossed);
        assert_eq!(state("50", Some("5")).1, Some(5));
        assert_eq!(state("60", None).0, State::Near);
        assert_eq!(state("75", Some("5")).0, State::ForecastCrossed);
        assert_eq!(state("75.01", Some("5")).0, State::Ok);
        // Without a forecast, the days end with the last known one.
        assert_eq!(burn(None).days.len(), 5);
        assert_eq!(burn(None).expected, None);
    }
}
