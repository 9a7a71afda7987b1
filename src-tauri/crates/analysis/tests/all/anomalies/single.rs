//! Tests of single rules, on bills that trigger them.

use super::generator::bill;
use super::recomputed::recompute;
use analysis::anomalies::{
    DailyCost, Feedback, Finding, Kind, Measure, Rule, SeriesKey, State, Verdict, find,
};
use catalogue::{Decimal, format_date, parse_date};
use serde_json::{Value, json};
use uuid::Uuid;

const SHOP: Uuid = Uuid::from_u128(1);
const LAB: Uuid = Uuid::from_u128(2);

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

fn cost(day: i32, account: Uuid, service: &str, amount: i64) -> DailyCost {
    let amount = Decimal::from(amount);
    let (billing_account, service) = (Some("bill".to_owned()), service.to_owned());
    DailyCost { day, account, billing_account, service, currency: "USD".to_owned(), amount }
}

/// About one hundred a day.
fn steady(account: Uuid, service: &str, from: i32, until: i32) -> Vec<DailyCost> {
    (from..until).map(|day| cost(day, account, service, 98 + 4 * i64::from(day.rem_euclid(2)))).collect()
}

fn with(mut costs: Vec<DailyCost>, changes: &[(i32, &str, i64)]) -> Vec<DailyCost> {
    for (day, service, amount) in changes {
        for cost in costs.iter_mut().filter(|cost| cost.day == *day && cost.service == *service) {
            cost.amount = Decimal::from(*amount);
        }
    }
    costs
}

fn vm() -> SeriesKey {
    let measure = Measure::Cost("USD".to_owned());
    SeriesKey { measure, account: Some(SHOP), tag: None, name: "VM".to_owned() }
}

fn told(findings: &[Finding]) -> Vec<(String, String, Kind, State)> {
    let line = |one: &Finding| {
        let days = format!("{}..{}", &format_date(one.first_day())[5..], &format_date(one.last_day())[5..]);
        (one.key.name.clone(), days, one.kind, one.state)
    };
    findings.iter().map(line).collect()
}

fn one(name: &str, days: &str, kind: Kind, state: State) -> (String, String, Kind, State) {
    (name.to_owned(), days.to_owned(), kind, state)
}

#[test]
fn a_spike_and_a_dip_are_two_findings() {
    let costs = steady(SHOP, "VM", day("2026-06-01"), day("2026-06-19"));
    let costs = with(costs, &[(day("2026-06-15"), "VM", 200), (day("2026-06-17"), "VM", 40)]);
    let found = find(&costs, &[]).findings;
    assert_eq!(
        told(&found),
        [
            one("VM", "06-15..06-15", Kind::Increase, State::Over),
            one("VM", "06-17..06-17", Kind::Decrease, State::New)
        ]
    );
    assert_eq!(found[0].basis.rule, Rule::TrailingDays);
}

#[test]
fn a_run_is_one_finding_that_grows_and_ends() {
    let (begin, spike) = (day("2026-03-02"), day("2026-05-05"));
    let changes: Vec<(i32, &str, i64)> = (spike..spike + 3).map(|day| (day, "VM", 400)).collect();
    let costs = with(steady(SHOP, "VM", begin, day("2026-05-20")), &changes);
    let until = |end: i32| costs.iter().filter(|cost| cost.day < end).cloned().collect::<Vec<_>>();
    let states = |end: i32| told(&find(&until(end), &[]).findings);
    // The newest day is never judged, because its file may be incomplete.
    assert_eq!(states(spike + 1), []);
    assert_eq!(states(spike + 2), [one("VM", "05-05..05-05", Kind::Increase, State::New)]);
    assert_eq!(states(spike + 3), [one("VM", "05-05..05-06", Kind::Increase, State::Growing)]);
    assert_eq!(states(spike + 6), [one("VM", "05-05..05-07", Kind::Increase, State::Over)]);
    let found = find(&costs, &[]).findings;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].impact, Decimal::from(3 * 300));
}

#[test]
fn a_fee_of_the_month_is_no_news() {
    let (begin, end) = (day("2026-01-05"), day("2026-06-20"));
    let fees: Vec<(i32, &str, i64)> =
        (begin..end).filter(|day| format_date(*day).ends_with("-01")).map(|day| (day, "VM", 500)).collect();
    let costs = with(steady(SHOP, "VM", begin, end), &fees);
    assert_eq!(told(&find(&costs, &[]).findings), []);
    // A month start that is larger than the earlier ones is reported.
    let costs = with(costs, &[(day("2026-06-01"), "VM", 2_000)]);
    let found = find(&costs, &[]).findings;
    assert_eq!(told(&found), [one("VM", "06-01..06-01", Kind::Increase, State::Over)]);
    assert_eq!(found[0].basis.rule, Rule::MonthStarts);
    let card = found[0].reference_value().unwrap();
    recompute(&card, 2_000.0);
    assert_eq!(
        card["ordinary"]["rule"], "A: same weekday",
        "it is out of the ordinary among its weekdays, too"
    );
}

#[test]
fn a_fee_of_the_month_is_no_news_on_other_days_either() {
    let (begin, end) = (day("2026-01-05"), day("2026-06-20"));
    for (of_month, amount) in [("-03", 500), ("-15", 500), ("-28", 20)] {
        let days = (begin..end).filter(|day| format_date(*day).ends_with(of_month));
        let fees: Vec<(i32, &str, i64)> = days.map(|day| (day, "VM", amount)).collect();
        let found = find(&with(steady(SHOP, "VM", begin, end), &fees), &[]).findings;
        // Two earlier findings show that the fee is monthly.
        let told: Vec<i32> = found.iter().map(Finding::first_day).collect();
        let first: Vec<i32> = fees.iter().map(|(day, _, _)| *day).take(2).collect();
        assert!(told.iter().all(|day| first.contains(day)), "{of_month}: {:?}", self::told(&found));
    }
    // A fee that is much higher than before is reported.
    let days = (begin..end).filter(|day| format_date(*day).ends_with("-03"));
    let mut fees: Vec<(i32, &str, i64)> = days.map(|day| (day, "VM", 500)).collect();
    fees.last_mut().unwrap().2 = 1_500;
    let found = find(&with(steady(SHOP, "VM", begin, end), &fees), &[]).findings;
    assert!(
        told(&found).contains(&one("VM", "06-03..06-03", Kind::Increase, State::Over)),
        "{:?}",
        told(&found)
    );
}

#[test]
fn days_that_are_not_complete_are_no_dip() {
    let (begin, end) = (day("2026-04-01"), day("2026-06-11"));
    // Providers deliver the last two days in parts.
    let last = [(end - 2, "VM", 40), (end - 1, "VM", 5)];
    let partly = with(steady(SHOP, "VM", begin, end), &last);
    assert_eq!(told(&find(&partly, &[]).findings), []);
    // The same with a second account that is complete.
    let both = [partly, steady(LAB, "Queue", begin, end)].concat();
    assert_eq!(told(&find(&both, &[]).findings), []);
    // A complete day after it shows that no more will arrive; an excess is reported immediately.
    let later = with(steady(SHOP, "VM", begin, end + 1), &[(end - 2, "VM", 40)]);
    assert_eq!(told(&find(&later, &[]).findings), [one("VM", "06-09..06-09", Kind::Decrease, State::Over)]);
    let more = with(steady(SHOP, "VM", begin, end), &[(end - 2, "VM", 400)]);
    assert_eq!(told(&find(&more, &[]).findings), [one("VM", "06-09..06-09", Kind::Increase, State::New)]);
}

#[test]
fn a_month_that_starts_higher_because_costs_grow_is_no_news() {
    // Each has a series with a fee that grows by two fifths in half a year.
    for seed in [40, 65] {
        let found = find(&bill(seed, &[]).costs, &[]).findings;
        assert!(found.iter().all(|one| one.basis.rule != Rule::MonthStarts), "seed {seed}");
    }
}

#[test]
fn a_new_service_is_a_kind_of_its_own() {
    let (begin, first, end) = (day("2026-04-01"), day("2026-05-10"), day("2026-05-16"));
    let mut costs = steady(SHOP, "VM", begin, end);
    costs.extend((first..end).map(|day| cost(day, SHOP, "GPU", if day == first { 3 } else { 80 })));
    costs.extend((first..end).map(|day| cost(day, SHOP, "DNS", 2)));
    let found = find(&costs, &[]).findings;
    assert_eq!(told(&found), [one("GPU", "05-11..05-14", Kind::New, State::Growing)]);
    assert_eq!(found[0].impact, Decimal::from(320));
    recompute(&found[0].reference_value().unwrap(), 80.0);
    // Nothing is new on the day the bill itself begins.
    assert_eq!(told(&find(&steady(LAB, "GPU", begin, end), &[]).findings), []);
}

#[test]
fn parts_that_explain_the_total_go_into_its_finding() {
    let (begin, spike, end) = (day("2026-03-02"), day("2026-05-06"), day("2026-05-20"));
    let services = ["VM", "Disk", "Network", "Queue"];
    let mut costs: Vec<DailyCost> =
        services.iter().flat_map(|service| steady(SHOP, service, begin, end)).collect();
    let all: Vec<(i32, &str, i64)> = services.iter().map(|service| (spike, *service, 250)).collect();
    let found = find(&with(costs.clone(), &all), &[]).findings;
    assert_eq!(told(&found), [one("", "05-06..05-06", Kind::Increase, State::Over)]);
    assert_eq!(found[0].parts.len(), 4);
    recompute(&found[0].reference_value().unwrap(), 1_000.0);
    // One service alone is more specific than the total.
    costs = with(costs, &[(spike, "VM", 900)]);
    assert_eq!(told(&find(&costs, &[]).findings), [one("VM", "05-06..05-06", Kind::Increase, State::Over)]);
}

#[test]
fn a_bill_that_is_cut_gives_what_was_known_then() {
    for seed in 0..2 {
        let costs = bill(seed, &[0.6, 2.0, -0.8]).costs;
        let begin = costs[0].day;
        for cut in (begin + 50..begin + 180).step_by(9) {
            let until: Vec<DailyCost> = costs.iter().filter(|cost| cost.day <= cut).cloned().collect();
            let found = find(&until, &[]);
            assert_eq!(found, find(&until, &[]));
            assert!(found.findings.iter().all(|finding| finding.last_day() < cut));
        }
    }
}

#[test]
fn an_account_that_ends_or_has_a_gap_is_no_dip() {
    let (begin, end) = (day("2026-03-02"), day("2026-06-10"));
    let mut costs = steady(SHOP, "VM", begin, end);
    costs.extend(steady(LAB, "VM", begin, day("2026-05-01")));
    let gap = day("2026-04-10")..day("2026-04-14");
    costs.retain(|cost| cost.account != SHOP || !gap.contains(&cost.day));
    assert_eq!(told(&find(&costs, &[]).findings), []);
}

#[test]
fn a_job_that_runs_now_and_then_is_told_of_no_more() {
    let (begin, end) = (day("2026-01-02"), day("2026-06-20"));
    let runs: Vec<i32> = (begin..end).filter(|day| day.rem_euclid(13) == 0).collect();
    let changes: Vec<(i32, &str, i64)> = runs.iter().map(|day| (*day, "VM", 300)).collect();
    let found = find(&with(steady(SHOP, "VM", begin, end), &changes), &[]).findings;
    let late = found.iter().filter(|one| one.first_day() > day("2026-04-15")).count();
    assert_eq!(late, 0, "{:?}", told(&found));
}

#[test]
fn currencies_are_never_added() {
    let (begin, spike, end) = (day("2026-03-02"), day("2026-05-06"), day("2026-05-20"));
    let mut costs = steady(SHOP, "VM", begin, end);
    let euros = with(steady(SHOP, "VM", begin, end), &[(spike, "VM", 300)]);
    costs.extend(euros.into_iter().map(|cost| DailyCost { currency: "EUR".to_owned(), ..cost }));
    let found = find(&costs, &[]).findings;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].key.measure.currency(), found[0].days[0].actual), (Some("EUR"), Decimal::from(300)));
}

#[test]
fn what_a_person_has_said_is_heeded() {
    let (begin, end) = (day("2026-03-02"), day("2026-06-10"));
    let (first, second) = (day("2026-05-06"), day("2026-05-21"));
    let costs = with(steady(SHOP, "VM", begin, end), &[(first, "VM", 300), (second, "VM", 118)]);
    assert_eq!(find(&costs, &[]).findings.len(), 2);
    let said = |verdict, expected_until| Feedback { key: vm(), started_on: first, verdict, expected_until };
    let left = |feedback: Feedback| told(&find(&costs, &[feedback]).findings).len();
    assert_eq!(left(said(Verdict::Useful, None)), 2);
    assert_eq!(left(said(Verdict::Expected, None)), 1);
    assert_eq!(left(said(Verdict::Expected, Some(second))), 0);
    // The finding disappears, and a deviation that was just large enough no longer is.
    assert_eq!(left(said(Verdict::Wrong, None)), 0);
}

#[test]
fn what_is_expected_until_a_day_is_judged_again_after_it() {
    let (begin, end) = (day("2026-03-02"), day("2026-06-10"));
    let (first, until) = (day("2026-05-06"), day("2026-05-08"));
    let dear: Vec<(i32, &str, i64)> = (first..first + 6).map(|day| (day, "VM", 400)).collect();
    let costs = with(steady(SHOP, "VM", begin, end), &dear);
    let said = |expected_until| {
        let verdict = Verdict::Expected;
        find(&costs, &[Feedback { key: vm(), started_on: first, verdict, expected_until }])
    };
    let found = said(Some(until));
    assert_eq!(told(&found.findings), [one("VM", "05-09..05-11", Kind::Increase, State::Over)]);
    assert_eq!(told(&found.silenced), [one("VM", "05-06..05-08", Kind::Increase, State::Over)]);
    recompute(&found.findings[0].reference_value().unwrap(), 400.0);
    // Without a day, only this finding is expected, as long as it continues.
    assert_eq!(told(&said(None).findings), []);
    assert_eq!(told(&said(Some(first + 30)).findings), []);
    // A new service that continues after the expected period is reported from then on.
    let costs: Vec<DailyCost> =
        [steady(SHOP, "Disk", begin, end), steady(SHOP, "VM", first, first + 9)].concat();
    let feedback =
        Feedback { key: vm(), started_on: first, verdict: Verdict::Expected, expected_until: Some(until) };
    let found = find(&costs, &[feedback]);
    assert_eq!(told(&found.findings)[0], one("VM", "05-09..05-14", Kind::New, State::Over));
}

#[test]
fn later_days_are_told_with_what_they_were_compared_with_and_of_a_long_run_those_left_out() {
    let (begin, first) = (day("2026-01-01"), day("2026-04-06"));
    let doubling = |days: i32| {
        let mut costs = steady(SHOP, "VM", begin, first);
        // Doubling each week: no day matches the expectation from earlier weeks.
        costs.extend((0..days).map(|of_run| {
            let times = 2_i64.pow(1 + u32::try_from(of_run / 7).unwrap());
            cost(first + of_run, SHOP, "VM", 100 * times)
        }));
        let found = find(&costs, &[]).findings;
        assert_eq!(found.len(), 1, "{:?}", told(&found));
        // The first of May is compared with month starts, and the newest day is not judged yet.
        assert_eq!(found[0].days.len(), usize::try_from(days - 2).unwrap(), "{:?}", told(&found));
        let card = found[0].reference_value().unwrap();
        recompute(&card, 200.0);
        card
    };
    let whole = doubling(33);
    let compared = |card: &Value| {
        let run = card["run"].as_array().unwrap();
        run.iter().filter(|day| day["compared"].is_object()).count()
    };
    assert_eq!((compared(&whole), &whole["not_compared"]), (30, &Value::Null));
    // The reference days of the eighth day include the first.
    let of_eighth = whole["run"][7]["compared"]["values"].as_array().unwrap();
    assert_eq!(of_eighth.last().unwrap()["date"], whole["from"]);
    let long = doubling(44);
    assert_eq!(compared(&long), 30);
    assert_eq!(long["not_compared"], json!({ "from": "2026-05-08", "to": "2026-05-18" }));
}
