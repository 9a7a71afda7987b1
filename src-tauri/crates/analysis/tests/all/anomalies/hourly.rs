//! Tests of hourly costs, measurements and event counts: planted anomalies are found, with few false alarms.

use super::recomputed::recompute;
use crate::random::Random;
use crate::seeds;
use analysis::anomalies::{
    Costs, DailyCost, Feedback, Finding, Grain, HourlyCost, Kind, Measure, MeasuredSeries, Operator,
    Quantile, Rule, SeriesKey, State, Verdict, Watch, find_in, find_measured,
};
use catalogue::{Decimal, parse_date};
use std::collections::BTreeMap;
use uuid::Uuid;

const SHOP: Uuid = Uuid::from_u128(1);
const HOURS: i32 = 24;

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

fn number(value: f64) -> Decimal {
    Decimal::parse(&format!("{value:.4}")).unwrap()
}

/// Six weeks of hourly values, lower at night and on weekends, with noise.
fn restless(seed: u64, level: f64, begin: i32) -> BTreeMap<i32, f64> {
    let mut random = Random(seed);
    let (night, weekend, unrest) =
        (random.between(0.3, 0.9), random.between(0.5, 1.0), random.between(0.02, 0.12));
    let value = |hour: i32, random: &mut Random| {
        let of_day = if (8..20).contains(&hour.rem_euclid(HOURS)) { 1.0 } else { night };
        let of_week = if matches!(hour.div_euclid(HOURS).rem_euclid(7), 2 | 3) { weekend } else { 1.0 };
        (level * of_day * of_week * (1.0 + unrest * random.normal())).max(0.0)
    };
    (begin * HOURS..(begin + 42) * HOURS).map(|hour| (hour, value(hour, &mut random))).collect()
}

pub fn watch(operator: Operator, buffer: i64) -> Watch {
    Watch {
        operator,
        buffer: Decimal::from(buffer),
        hours: 7 * HOURS,
        quantile: Quantile::parse("P99").unwrap(),
        period: "1w".to_owned(),
        unit: "P99".to_owned(),
    }
}

fn key(measure: Measure, name: &str) -> SeriesKey {
    SeriesKey { measure, account: Some(SHOP), tag: None, name: name.to_owned() }
}

fn cpu(hours: &BTreeMap<i32, f64>, watch: Watch) -> MeasuredSeries {
    MeasuredSeries {
        key: key(Measure::Metric("%".to_owned()), "CPUUtilization of web-1"),
        hours: hours.iter().map(|(hour, value)| (*hour, number(*value))).collect(),
        newest: *hours.keys().next_back().unwrap(),
        watch,
        is_whole: false,
    }
}

/// Events as in a Poisson process: each minute may have one.
fn events(seed: u64, begin: i32, a_minute: f64) -> BTreeMap<i32, Decimal> {
    let mut random = Random(seed);
    let hour = |random: &mut Random| (0..60).filter(|_| random.share() < a_minute).count() as i64;
    let all = (begin * HOURS..(begin + 42) * HOURS).map(|at| (at, hour(&mut random)));
    all.filter(|(_, count)| *count > 0).map(|(at, count)| (at, Decimal::from(count))).collect()
}

fn alerts(hours: BTreeMap<i32, Decimal>, newest: i32, watch: Watch) -> MeasuredSeries {
    MeasuredSeries { key: key(Measure::Count, "all events"), hours, newest, watch, is_whole: false }
}

fn touches(finding: &Finding, hours: &std::ops::Range<i32>) -> bool {
    finding.days.iter().any(|one| hours.contains(&one.day))
}

#[test]
fn measurements_that_rise_are_found_by_the_hour_and_little_else_is_told() {
    let begin = day("2026-03-02");
    let (mut planted, mut found, mut alarms, mut months) = (0, 0, 0, 0.0);
    for seed in 0..seeds() * 2 {
        let mut random = Random(seed + 1_000);
        let quiet = restless(seed, 40.0, begin);
        alarms += find_measured(&[cpu(&quiet, watch(Operator::Greater, 10))], &[]).findings.len();
        months += 42.0 / 30.0;
        let from = (begin + 14) * HOURS + random.below(24 * 24) as i32;
        let during = from..from + 2 + random.below(4) as i32;
        let mut hours = quiet;
        let high = hours.values().copied().fold(0.0, f64::max);
        during.clone().for_each(|hour| *hours.get_mut(&hour).unwrap() = high * random.between(1.5, 2.5));
        let findings = find_measured(&[cpu(&hours, watch(Operator::Greater, 10))], &[]).findings;
        planted += 1;
        found += usize::from(findings.iter().any(|one| touches(one, &during)));
        for one in findings.iter().filter(|one| touches(one, &during)) {
            recompute(&one.reference_value().unwrap(), one.days[0].actual.to_f64());
        }
    }
    println!(
        "measurements by the hour: {found}/{planted}, {alarms} false alarms in {months:.0} series and months"
    );
    assert!(f64::from(found as u32) >= 0.95 * f64::from(planted), "{found} of {planted}");
    assert!(f64::from(alarms as u32) <= 0.1 * months, "{alarms} in {months}");
}

#[test]
fn events_that_come_faster_are_found_and_few_others_told() {
    let begin = day("2026-03-02");
    let newest = (begin + 42) * HOURS - 1;
    let (mut found, mut alarms) = (0, 0);
    for seed in 0..seeds() {
        let mut hours = events(seed, begin, 0.002 + 0.01 * (seed % 8) as f64);
        let series = |hours: BTreeMap<i32, Decimal>| alerts(hours, newest, watch(Operator::Greater, 20));
        alarms += find_measured(&[series(hours.clone())], &[]).findings.len();
        let storm = (begin + 30) * HOURS + 3;
        hours.insert(storm, Decimal::from(90));
        let findings = find_measured(&[series(hours)], &[]).findings;
        found += u64::from(findings.iter().any(|one| touches(one, &(storm..storm + 1))));
    }
    println!(
        "events by the hour: {found}/{}, {alarms} false alarms in {:.0} series and months",
        seeds(),
        seeds() as f64 * 1.4
    );
    assert_eq!(found, seeds());
    assert!(f64::from(alarms as u32) <= 0.1 * seeds() as f64 * 1.4, "{alarms}");
}

#[test]
fn all_events_are_told_where_no_kind_of_them_tells_more() {
    let begin = day("2026-03-02");
    let (newest, storm) = ((begin + 42) * HOURS - 1, (begin + 30) * HOURS + 3);
    let found = |storms: [i64; 3]| {
        let mut all: BTreeMap<i32, Decimal> = BTreeMap::new();
        let mut series = Vec::new();
        for (kind, more) in storms.iter().enumerate() {
            let mut hours = events(kind as u64, begin, 0.03);
            hours.insert(storm, Decimal::from(*more));
            for (hour, count) in &hours {
                let sum = all.entry(*hour).or_default();
                *sum = sum.checked_add(*count).unwrap();
            }
            let of_kind = alerts(hours, newest, watch(Operator::Greater, 20));
            series.push(MeasuredSeries { key: key(Measure::Count, &format!("kind {kind}")), ..of_kind });
        }
        series.push(MeasuredSeries { is_whole: true, ..alerts(all, newest, watch(Operator::Greater, 20)) });
        let found = find_measured(&series, &[]).findings;
        found.iter().map(|one| (one.key.name.clone(), one.parts.len())).collect::<Vec<_>>()
    };
    assert_eq!(found([90, 2, 2]), [("kind 0".to_owned(), 0)]);
    assert_eq!(found([60, 60, 60]), [("all events".to_owned(), 3)]);
}

#[test]
fn a_rule_says_which_way_how_far_and_beside_what() {
    let begin = day("2026-03-02");
    let at = (begin + 30) * HOURS + 12;
    let mut hours: BTreeMap<i32, f64> = (begin * HOURS..(begin + 42) * HOURS)
        .map(|hour| (hour, 40.0 + f64::from(hour.rem_euclid(2))))
        .collect();
    (at..at + 3).for_each(|hour| _ = hours.insert(hour, 60.0));
    let found = |watch: Watch| find_measured(&[cpu(&hours, watch)], &[]).findings;
    let raised = found(watch(Operator::Greater, 20));
    let [one] = raised.as_slice() else { panic!("{raised:?}") };
    assert_eq!(
        (one.grain, one.kind, one.state, one.basis.rule),
        (Grain::Hour, Kind::Increase, State::Over, Rule::SameHour)
    );
    assert_eq!((one.first_step(), one.days.len()), (at, 3));
    let reference = one.reference_value().unwrap();
    assert_eq!((&reference["grain"], &reference["unit"]), (&"hour".into(), &"%".into()));
    assert_eq!(reference["run"][0]["date"], "2026-04-01T12:00:00");
    assert_eq!(
        (&reference["reference"]["value"], &reference["reference"]["bound"]),
        (&41.into(), &serde_json::json!(49.2))
    );
    // No currency, and no sum that looks like money.
    assert!(reference["currency"].is_null() && reference["impact"].is_null(), "{reference}");
    assert_eq!(found(watch(Operator::Greater, 60)), []);
    assert_eq!(found(watch(Operator::Less, 20)), []);
    let beside_all =
        Watch { hours: 42 * 24, quantile: Quantile::parse("MAX").unwrap(), ..watch(Operator::Greater, 46) };
    assert_eq!(found(beside_all).len(), 1);
}

#[test]
fn the_newest_hour_is_not_judged_and_a_cut_series_gives_what_was_known() {
    let begin = day("2026-03-02");
    let at = (begin + 30) * HOURS + 12;
    let mut hours: BTreeMap<i32, f64> = (begin * HOURS..=at + 5).map(|hour| (hour, 40.0)).collect();
    (at..at + 3).for_each(|hour| _ = hours.insert(hour, 80.0));
    let until = |newest: i32| {
        let known: BTreeMap<i32, f64> = hours.range(..=newest).map(|(hour, value)| (*hour, *value)).collect();
        let found = find_measured(&[cpu(&known, watch(Operator::Greater, 20))], &[]).findings;
        found.iter().map(|one| (one.first_step(), one.days.len(), one.state)).collect::<Vec<_>>()
    };
    assert_eq!(until(at), []);
    assert_eq!(until(at + 1), [(at, 1, State::New)]);
    assert_eq!(until(at + 3), [(at, 3, State::Growing)]);
    assert_eq!(until(at + 5), [(at, 3, State::Over)]);
}

#[test]
fn measurements_of_days_are_judged_by_the_day_and_feedback_is_heeded() {
    let begin = day("2026-03-02");
    let at = begin + 36;
    let mut hours: BTreeMap<i32, f64> =
        (begin..begin + 42).map(|day| (day * HOURS + 6, 40.0 + f64::from(day.rem_euclid(3)))).collect();
    hours.insert(at * HOURS + 6, 90.0);
    let series = cpu(&hours, watch(Operator::Greater, 20));
    let found = find_measured(std::slice::from_ref(&series), &[]);
    assert_eq!(found.findings.len(), 1, "{found:?}");
    assert_eq!((found.findings[0].grain, found.findings[0].first_day()), (Grain::Day, at));
    recompute(&found.findings[0].reference_value().unwrap(), 90.0);
    let said =
        Feedback { key: series.key.clone(), started_on: at, verdict: Verdict::Wrong, expected_until: None };
    let found = find_measured(&[series], &[said]);
    assert_eq!((found.findings.len(), found.silenced.len()), (0, 1));
}

#[test]
fn a_series_that_was_nought_says_nothing_of_how_much_is_much() {
    let begin = day("2026-03-02");
    let at = (begin + 30) * HOURS + 12;
    let mut hours: BTreeMap<i32, f64> =
        (begin * HOURS..(begin + 42) * HOURS).map(|hour| (hour, 0.0)).collect();
    hours.insert(at, 3.0);
    let of_unit = |unit: &str, value: f64| {
        let mut hours = hours.clone();
        hours.insert(at, value);
        let key = key(Measure::Metric(unit.to_owned()), "errors");
        let series = MeasuredSeries { key, ..cpu(&hours, watch(Operator::Greater, 20)) };
        find_measured(&[series], &[]).findings.len()
    };
    assert_eq!((of_unit("", 3.0), of_unit("%", 3.0), of_unit("%", 30.0)), (0, 0, 1));
}

/// The hourly costs summed by day.
fn daily(hourly: &[HourlyCost]) -> Vec<DailyCost> {
    let mut days: BTreeMap<i32, Decimal> = BTreeMap::new();
    for cost in hourly {
        let amount = days.entry(cost.hour.div_euclid(HOURS)).or_default();
        *amount = amount.checked_add(cost.amount).unwrap();
    }
    let one = |(day, amount): (i32, Decimal)| DailyCost {
        day,
        account: SHOP,
        billing_account: Some("bill".to_owned()),
        service: "VM".to_owned(),
        currency: "USD".to_owned(),
        amount,
    };
    days.into_iter().map(one).collect()
}

fn hourly(hours: &BTreeMap<i32, f64>) -> Vec<HourlyCost> {
    let one = |(hour, amount): (&i32, &f64)| HourlyCost {
        hour: *hour,
        account: SHOP,
        service: "VM".to_owned(),
        currency: "USD".to_owned(),
        amount: number(*amount),
    };
    hours.iter().map(one).collect()
}

fn told(hours: &BTreeMap<i32, f64>) -> Vec<Finding> {
    let hourly = hourly(hours);
    let daily = daily(&hourly);
    find_in(Costs { daily: &daily, tagged: &[], hourly: &hourly }, &[]).findings
}

#[test]
fn hours_that_their_day_hides_are_found_and_those_of_a_day_that_is_found_are_not_told_again() {
    let begin = day("2026-03-02");
    let at = (begin + 36) * HOURS + 2;
    let calm: BTreeMap<i32, f64> = (begin * HOURS..(begin + 42) * HOURS)
        .map(|hour| (hour, if (8..20).contains(&hour.rem_euclid(HOURS)) { 100.0 } else { 20.0 }))
        .collect();
    assert_eq!(told(&calm), []);
    // 60 more in each of two night hours is 8% of a day.
    let mut hours = calm.clone();
    (at..at + 2).for_each(|hour| *hours.get_mut(&hour).unwrap() += 60.0);
    let found = told(&hours);
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((one.grain, one.first_step(), one.days.len()), (Grain::Hour, at, 2));
    assert_eq!(one.impact, Decimal::from(120));
    assert_eq!(one.around, [], "bills are asked for theirs");
    recompute(&one.reference_value().unwrap(), 80.0);
    // Ten times as much shows in the day: the day is reported, and nothing else.
    let mut hours = calm;
    (at..at + 2).for_each(|hour| *hours.get_mut(&hour).unwrap() += 900.0);
    let found = told(&hours);
    assert_eq!(
        found.iter().map(|one| (one.grain, one.first_day())).collect::<Vec<_>>(),
        [(Grain::Day, begin + 36)]
    );
    // Charges of whole days are not hourly.
    let whole: BTreeMap<i32, f64> = (begin..begin + 42).map(|day| (day * HOURS, 1_000.0)).collect();
    assert_eq!(told(&whole), []);
}

#[test]
fn hours_of_bills_give_few_false_alarms() {
    let begin = day("2026-03-02");
    let (mut alarms, mut found, mut months) = (0, 0, 0.0);
    for seed in 0..seeds() {
        let mut random = Random(seed + 7_000);
        let calm = restless(seed + 500, 10_f64.powf(random.between(0.8, 2.5)), begin);
        alarms += told(&calm).iter().filter(|one| one.grain == Grain::Hour).count();
        months += 42.0 / 30.0;
        let mut hours = calm;
        let from = (begin + 21) * HOURS + random.below(20 * 24) as i32;
        let during = from..from + 3;
        let more = hours.values().copied().fold(0.0, f64::max) * 1.5 + 8.0;
        during.clone().for_each(|hour| *hours.get_mut(&hour).unwrap() += more);
        found += u64::from(told(&hours).iter().any(|one| match one.grain {
            Grain::Hour => touches(one, &during),
            Grain::Day => one.days.iter().any(|one| one.day == from.div_euclid(HOURS)),
        }));
    }
    println!(
        "costs by the hour: {found}/{}, {alarms} false alarms in {months:.0} series and months",
        seeds()
    );
    assert!(found * 100 >= seeds() * 95, "{found}");
    assert!(f64::from(alarms as u32) <= 0.1 * months, "{alarms} in {months}");
}
