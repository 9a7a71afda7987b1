//! Tests of series by value of a declared tag, merged with services and the total.

use super::recomputed::recompute;
use crate::random::Random;
use crate::seeds;
use analysis::anomalies::{Costs, DailyCost, Finding, Kind, TaggedCost, find_in};
use catalogue::{Decimal, parse_date};
use uuid::Uuid;

const SHOP: Uuid = Uuid::from_u128(1);
const SERVICES: [&str; 6] = ["VM", "Disk", "Network", "Queue", "DNS", "Logs"];
const TEAMS: [&str; 3] = ["web", "data", "ops"];

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

/// The cost of each team's part of each service: `amount(day, service, team)`.
fn tagged(
    days: std::ops::Range<i32>,
    mut amount: impl FnMut(i32, usize, usize) -> Decimal,
) -> Vec<TaggedCost> {
    let mut all = Vec::new();
    for day in days {
        for (at, service) in SERVICES.iter().enumerate() {
            for (of, team) in TEAMS.iter().enumerate() {
                let cost = DailyCost {
                    day,
                    account: SHOP,
                    billing_account: Some("bill".to_owned()),
                    service: (*service).to_owned(),
                    currency: "USD".to_owned(),
                    amount: amount(day, at, of),
                };
                all.push(TaggedCost { tag: "team".to_owned(), value: (*team).to_owned(), cost });
            }
        }
    }
    all
}

fn found(tagged: &[TaggedCost]) -> Vec<Finding> {
    let daily: Vec<DailyCost> = tagged.iter().map(|one| one.cost.clone()).collect();
    find_in(Costs { daily: &daily, tagged, hourly: &[] }, &[]).findings
}

fn names(findings: &[Finding]) -> Vec<(Option<&str>, &str, usize)> {
    findings.iter().map(|one| (one.key.tag.as_deref(), one.key.name.as_str(), one.parts.len())).collect()
}

/// About one hundred a day for each.
fn usual(day: i32) -> i64 {
    99 + 2 * i64::from(day.rem_euclid(2))
}

#[test]
fn what_no_service_shows_is_found_by_the_tag() {
    let (begin, spike) = (day("2026-03-02"), day("2026-05-06"));
    // One team pays 40 more for each of six services: 13% of each.
    let more = tagged(begin..begin + 80, |day, _, team| {
        Decimal::from(usual(day) + if day == spike && team == 0 { 40 } else { 0 })
    });
    let findings = found(&more);
    assert_eq!(names(&findings), [(Some("team"), "web", 0)]);
    let reference = findings[0].reference_value().unwrap();
    recompute(&reference, findings[0].days[0].actual.to_f64());
    assert_eq!(reference["tag"], serde_json::json!({ "key": "team", "value": "web" }));
    assert_eq!((findings[0].kind, findings[0].first_day()), (Kind::Increase, spike));
}

#[test]
fn services_that_make_up_a_tag_go_into_its_finding_and_one_alone_tells_more() {
    let (begin, spike) = (day("2026-03-02"), day("2026-05-06"));
    let of = |services: usize| {
        let amount = |day: i32, service: usize, team: usize| {
            let more = if day == spike && team == 1 && service < services { 200 } else { 0 };
            Decimal::from(usual(day) + more)
        };
        found(&tagged(begin..begin + 80, amount))
    };
    let findings = of(3);
    assert_eq!(names(&findings), [(Some("team"), "data", 3)]);
    assert_eq!(findings[0].parts.iter().map(|part| part.impact).collect::<Vec<_>>(), [Decimal::from(201); 3]);
    assert_eq!(names(&of(1)), [(None, "VM", 0)]);
}

#[test]
fn several_tags_that_tell_of_the_same_are_one_finding() {
    let (begin, spike) = (day("2026-03-02"), day("2026-05-06"));
    let more = tagged(begin..begin + 80, |day, _, team| {
        Decimal::from(usual(day) + if day == spike && team == 0 { 40 } else { 0 })
    });
    let daily: Vec<DailyCost> = more.iter().map(|one| one.cost.clone()).collect();
    let area = |one: &TaggedCost| TaggedCost {
        tag: "area".to_owned(),
        value: format!("area of {}", one.value),
        ..one.clone()
    };
    let both: Vec<TaggedCost> = more.iter().map(area).chain(more.iter().cloned()).collect();
    let findings = find_in(Costs { daily: &daily, tagged: &both, hourly: &[] }, &[]).findings;
    assert_eq!(names(&findings), [(Some("area"), "area of web", 0)]);
}

#[test]
fn tags_of_restless_bills_give_few_false_alarms() {
    let begin = day("2026-01-01");
    let (mut alarms, mut series) = (0, 0);
    for seed in 0..seeds() {
        let mut random = Random(seed);
        let levels: Vec<f64> = (0..SERVICES.len()).map(|_| 10_f64.powf(random.between(1.0, 3.0))).collect();
        let calm = tagged(begin..begin + 150, |_, service, _| {
            let amount = levels[service] * (1.0 + 0.05 * random.normal());
            Decimal::parse(&format!("{:.4}", amount.max(0.0))).unwrap()
        });
        alarms += found(&calm).iter().filter(|one| one.key.tag.is_some()).count();
        series += TEAMS.len();
    }
    assert!(alarms as f64 <= 0.1 * series as f64 * 5.0, "{alarms} of {series}");
}
