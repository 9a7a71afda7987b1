//! Hourly cost anomalies: for services with hourly charges, hours that do not show in the cost of their day.

use super::grain::Grain;
use super::runs::{self, Candidate, Run, Terms};
use super::series::Series;
use super::{Feedback, HourlyCost, Kind, Measure, SeriesKey, cost_limits, hours, rules};
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The hourly findings, and the number of series judged.
#[derive(Default)]
pub(super) struct ByHour {
    pub runs: Vec<Run>,
    pub series: usize,
}

/// Hours that cost more than usual, except on days that are findings themselves: a run of days includes its hours. A lower cost is never reported
/// for an hour, because files deliver hours late and in parts.
pub(super) fn find(costs: &[HourlyCost], feedback: &[Feedback], by_day: &[Run]) -> ByHour {
    let mut found = ByHour::default();
    for series in build(costs) {
        let limits = cost_limits(&series.key.measure, Grain::Hour);
        let admits = |candidate: Candidate| candidate.kind == Kind::Increase;
        found.series += 1;
        let runs = runs::find(&series, feedback, &Terms { limits, admits: &admits });
        found.runs.extend(runs.into_iter().filter(|run| !is_told(run, by_day)));
    }
    found
}

/// Whether a run of days of the same costs includes one of its days.
fn is_told(run: &Run, by_day: &[Run]) -> bool {
    let days: BTreeSet<i32> = run.days.iter().map(|hour| run.grain.day(hour.day)).collect();
    let same = by_day.iter().filter(|other| other.key == run.key && other.kind != Kind::Decrease);
    same.flat_map(|other| &other.days).any(|day| days.contains(&day.day))
}

/// One series per service of an account with hourly charges. The newest hour of an account is excluded, because it may be incomplete.
fn build(costs: &[HourlyCost]) -> Vec<Series> {
    let mut accounts: BTreeMap<Uuid, BTreeSet<i32>> = BTreeMap::new();
    let mut amounts: BTreeMap<(&str, Uuid, &str), BTreeMap<i32, Decimal>> = BTreeMap::new();
    for cost in costs {
        accounts.entry(cost.account).or_default().insert(cost.hour);
        let series = amounts.entry((&cost.currency, cost.account, &cost.service)).or_default();
        let amount = series.entry(cost.hour).or_insert(Decimal::ZERO);
        *amount = amount.checked_add(cost.amount).unwrap_or(*amount);
    }
    let Some(newest) = costs.iter().map(|cost| cost.hour).max() else { return Vec::new() };
    let judged_from = Grain::Hour.first_of(Grain::Hour.day(newest) - rules::JUDGED_HOUR_DAYS);
    let mut all = Vec::new();
    for ((currency, account, service), amounts) in amounts {
        let (Some(known), Some(first)) = (accounts.get(&account), amounts.keys().next()) else { continue };
        if !hours::is_hourly(amounts.keys().copied()) {
            continue;
        }
        let until = known.last().copied().unwrap_or(*first);
        let value =
            |hour: i32| known.contains(&hour).then(|| amounts.get(&hour).copied().unwrap_or(Decimal::ZERO));
        let key = SeriesKey {
            measure: Measure::Cost(currency.to_owned()),
            account: Some(account),
            tag: None,
            name: service.to_owned(),
        };
        all.push(Series::complete(
            key,
            Grain::Hour,
            *first,
            (*first..until).map(value).collect(),
            judged_from,
        ));
    }
    all
}
