//! Tests of single rules at their limits.

use super::generator::plan;
use analysis::savings::{Bill, Line, Period, find, reads};
use catalogue::{Decimal, parse_date};
use uuid::Uuid;

fn line(usage: &str, (first, last): (i32, i32), cost: i64) -> Line {
    Line {
        account: Uuid::from_u128(1),
        resource: Some(Uuid::from_u128(2)),
        resource_name: Some("thing".to_owned()),
        label: None,
        service: "Amazon Elastic Compute Cloud".to_owned(),
        usage: usage.to_owned(),
        region: "eu-west-1".to_owned(),
        currency: "EUR".to_owned(),
        first,
        last,
        cost: Decimal::from(cost),
        quantity: Decimal::from(cost),
        unit: None,
    }
}

fn bill(from: &str, to: &str, lines: impl FnOnce(Period) -> Vec<Line>) -> Bill {
    let period = Period { from: parse_date(from).unwrap(), to: parse_date(to).unwrap() };
    Bill { period, lines: lines(period), ..Bill::default() }
}

#[test]
fn what_is_gone_is_told_no_more() {
    let of = |last_before_end: i32| {
        let bill = bill("2026-06-01", "2026-06-30", |period| {
            vec![line("ElasticIP:IdleAddress", (period.from, period.to - last_before_end), 3)]
        });
        find(&bill).len()
    };
    assert_eq!((of(0), of(3), of(4)), (1, 1, 0));
}

#[test]
fn less_than_a_month_is_brought_to_thirty_days_and_says_so() {
    let bill = bill("2026-06-01", "2026-06-10", |period| {
        vec![line("PublicIPv4:IdleAddress", (period.from, period.to), 2)]
    });
    let found = find(&bill);
    assert_eq!(found[0].estimated_savings(), Decimal::from(6));
    let card = serde_json::to_value(found[0].card()).unwrap();
    assert_eq!((&card["period"]["days"], &card["period"]["cost"]), (&10.into(), &2.into()));
}

#[test]
fn a_gateway_of_a_few_days_is_no_idle_one() {
    let of = |days: i32| {
        let bill = bill("2026-06-01", "2026-06-30", |period| {
            vec![line("EU-NatGateway-Hours", (period.to - days + 1, period.to), 9)]
        });
        find(&bill).len()
    };
    assert_eq!((of(6), of(7)), (0, 1));
}

#[test]
fn volumes_of_a_vanished_instance_are_left_behind() {
    let of = |quiet: i32| {
        let bill = bill("2026-06-01", "2026-06-30", |period| {
            let label = Some("web-1".to_owned());
            let instance = Line {
                resource: Some(Uuid::from_u128(3)),
                label: label.clone(),
                ..line("EU-BoxUsage:m7g.large", (period.from, period.to - quiet), 90)
            };
            vec![instance, Line { label, ..line("EU-EBS:VolumeUsage.gp3", (period.from, period.to), 8) }]
        });
        find(&bill).iter().map(|one| (one.rule.name, one.estimated_savings())).collect::<Vec<_>>()
    };
    assert_eq!(of(3), []);
    assert_eq!(of(7), [("left_behind_volume", Decimal::from(8))]);
}

#[test]
fn traffic_claims_no_saving_and_is_one_finding_an_account() {
    let mut bill = bill("2026-06-01", "2026-06-30", |period| {
        let other = Line {
            resource: Some(Uuid::from_u128(9)),
            ..line("DataTransfer-Regional-Bytes", (period.from, period.to), 20)
        };
        vec![line("DataTransfer-Regional-Bytes", (period.from, period.to), 40), other]
    });
    bill.totals.insert((Uuid::from_u128(1), "EUR".to_owned()), Decimal::from(600));
    let found = find(&bill);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule.name, found[0].monthly_cost), ("cross_zone_traffic", Decimal::from(60)));
    assert!(found[0].estimated_savings().is_zero());
}

#[test]
fn the_rules_read_what_they_judge_and_little_else() {
    for usage in
        ["USE1-EBS:VolumeUsage.gp2", "EU-LCUUsage", "BoxUsage:m4.large", "Static Ip Charge in Belgium"]
    {
        assert!(reads(usage), "{usage}");
    }
    assert!(!reads("AWS-Lambda-Edge-Requests"));
}

#[test]
fn names_of_rules_and_sources_are_there_once() {
    let mut names: Vec<&str> = analysis::savings::catalogue().map(|rule| rule.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(
        analysis::savings::catalogue().all(|rule| rule.source.starts_with("https://") && rule.version > 0)
    );
    assert_eq!(find(&plan(1).bill).len(), plan(1).planted.len());
}
