//! OpenCost exports that need an answer: sums over days that a bill covers only in part, and clusters that no file names.

use super::kit::{House, PARTIES, focus};
use crate::{FormAnswers, Report, State};

/// Sets the currency to US dollars and adds another answer.
fn saying(house: &House, more: &str) {
    let forms = FormAnswers::default().with("currency_usd").unwrap();
    house.forms.set(if more.is_empty() { forms } else { forms.with(more).unwrap() });
}

#[track_caller]
fn asks(report: &Report, reason: &str) {
    assert_eq!(report.state, State::NeedsDecision, "{report:#?}");
    assert_eq!(report.decision.as_ref().unwrap().reason, reason);
}

#[track_caller]
fn is_done(report: &Report) {
    assert_eq!(report.state, State::Done, "{report:#?}");
}

#[track_caller]
fn says(report: &Report, words: &str) {
    assert!(report.notes.iter().any(|note| note.contains(words)), "{:?}", report.notes);
}

/// The cost of a namespace on the machine `i-1` between two days of January.
fn sum(cost: &str, from: u32, until: u32) -> String {
    format!(
        r#"{{"code": 200, "data": [{{"shop": {{"properties": {{"cluster": "prod", "namespace": "shop", "providerID": "i-1"}},
            "window": {{"start": "2026-01-{from:02}T00:00:00Z", "end": "2026-01-{until:02}T00:00:00Z"}}, "cpuCost": {cost}, "totalCost": {cost}}}}}]}}"#
    )
}

/// The bill of that machine, five dollars a day.
fn bill(days: std::ops::RangeInclusive<u32>) -> String {
    let charges: Vec<String> = days.map(|day| format!("5 USD 2026-01-{day:02}")).collect();
    let rows: Vec<(&str, &str)> = charges
        .iter()
        .map(|charge| (charge.as_str(), "AWS,1,123,Shop,arn:aws:ec2:eu-west-1:123:instance/i-1"))
        .collect();
    focus(&format!("{PARTIES},ResourceId"), &rows)
}

#[test]
fn a_sum_of_days_of_which_a_bill_tells_some_is_asked_about() {
    let house = House::in_dollars();
    is_done(&house.import(bill(3..=6)));
    let report = house.import(sum("28", 1, 8));
    asks(&report, "partly_billed");
    assert_eq!(house.counted(), "20");
    saying(&house, "leave_to_bill");
    let report = house.import(sum("28", 1, 8));
    is_done(&report);
    assert_eq!(house.counted(), "20");
    says(&report, "1 cost of 28 USD is left out of totals, as was chosen");
    house.take_back(3);
    saying(&house, "count_beside_bill");
    is_done(&house.import(sum("28", 1, 8)));
    assert_eq!(house.counted(), "48");
    // The bill of all days contains the whole cost.
    saying(&house, "");
    is_done(&house.import(bill(1..=7)));
    assert_eq!(house.counted(), "35");
}

#[test]
fn a_bill_of_some_days_of_a_stored_sum_is_asked_about_once() {
    let house = House::in_dollars();
    is_done(&house.import(sum("28", 1, 8)));
    let report = house.import(bill(3..=5));
    asks(&report, "partly_billed");
    assert_eq!(house.counted(), "28");
    saying(&house, "leave_to_bill");
    is_done(&house.import(bill(3..=5)));
    assert_eq!(house.counted(), "15");
    // The same bill with an additional day.
    saying(&house, "");
    is_done(&house.import(bill(3..=6)));
    assert_eq!(house.counted(), "20");
    house.take_back(4);
    house.take_back(3);
    assert_eq!(house.counted(), "28");
    // Undoing the bill removed the answer given with it.
    asks(&house.import(bill(3..=5)), "partly_billed");
}

#[test]
fn a_sum_of_days_that_a_bill_tells_all_or_none_of_is_not_asked_about() {
    let house = House::in_dollars();
    is_done(&house.import(bill(3..=6)));
    is_done(&house.import(sum("9", 3, 7)));
    is_done(&house.import(sum("8", 1, 3)));
    is_done(&house.import(sum("7", 7, 9)));
    assert_eq!(house.counted(), "35");
}

const HEAD: &str = "Date,Namespace,ControllerKind,ControllerName,Pod,CPUCoreUsageAverage,TotalCost\n";

fn table(day: u32, pod: &str, cost: &str) -> String {
    format!("{HEAD}2026-01-{day:02},shop,deployment,web,{pod},1,{cost}\n")
}

fn accounts(house: &House) -> Vec<String> {
    house.rows("cloud_accounts", &["account_number", "account_name"], &[])
}

#[test]
fn files_that_name_no_cluster_are_of_one_when_a_pod_shows_it() {
    let house = House::in_dollars();
    is_done(&house.import(table(1, "web-8fd7f8778-s7flr", "2")));
    let report = house.import(table(2, "web-8fd7f8778-s7flr", "3"));
    is_done(&report);
    says(
        &report,
        "The file names no cluster. Its costs are those of OpenCost, whose machines or pods it tells of.",
    );
    is_done(&house.import(table(2, "web-8fd7f8778-s7flr", "4")));
    assert_eq!((house.counted().as_str(), accounts(&house).len()), ("6", 1));
}

#[test]
fn files_that_name_no_cluster_and_show_none_are_asked_about() {
    let house = House::in_dollars();
    is_done(&house.import(table(1, "web-0", "2")));
    // Another day, and the same day: neither is added or replaced without an answer.
    asks(&house.import(table(2, "web-0", "3")), "which_cluster");
    let report = house.import(table(1, "web-0", "4"));
    asks(&report, "which_cluster");
    let choices = report.decision.unwrap().choices;
    let offered: Vec<(&str, &str)> =
        choices.iter().map(|choice| (choice.choice.as_str(), choice.label.as_str())).collect();
    assert_eq!(offered, [("cluster_1", "That of OpenCost"), ("cluster_2", "Another cluster")]);
    assert_eq!(house.counted(), "2");
    saying(&house, "cluster_2");
    is_done(&house.import(table(1, "web-0", "4")));
    assert_eq!(house.counted(), "6");
    assert_eq!(accounts(&house), ["opencost | OpenCost", "opencost-2 | OpenCost 2"]);
    // With several clusters, each file causes a question.
    saying(&house, "cluster_1");
    is_done(&house.import(table(1, "web-0", "5")));
    assert_eq!(house.counted(), "9");
    saying(&house, "");
    asks(&house.import(table(3, "web-0", "1")), "which_cluster");
}

#[test]
fn once_said_to_be_of_one_cluster_further_files_are() {
    let house = House::in_dollars();
    is_done(&house.import(table(1, "web-0", "2")));
    saying(&house, "cluster_1");
    is_done(&house.import(table(2, "web-0", "3")));
    saying(&house, "");
    let report = house.import(table(3, "web-0", "4"));
    is_done(&report);
    says(&report, "of which all such files are, as was said");
    assert_eq!((house.counted().as_str(), accounts(&house).len()), ("9", 1));
}

/// The cost of a pod in the namespace `shop` of a named cluster on the last day of 2025.
fn of_cluster(name: &str, pod: &str) -> String {
    format!(
        r#"{{"code": 200, "data": [{{"shop": {{"properties": {{"cluster": "{name}", "namespace": "shop", "pod": "{pod}"}},
            "window": {{"start": "2025-12-31T00:00:00Z", "end": "2026-01-01T00:00:00Z"}}, "cpuCost": 1, "totalCost": 1}}}}]}}"#
    )
}

#[test]
fn a_file_that_names_no_cluster_can_be_of_one_with_a_name() {
    let house = House::in_dollars();
    for (name, pod) in [("lab", "batch-0"), ("prod", "web-0")] {
        is_done(&house.import(of_cluster(name, pod)));
    }
    let report = house.import(table(1, "web-0", "2"));
    asks(&report, "which_cluster");
    let choices = report.decision.unwrap().choices;
    let labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
    // The cluster in which the pod is known is offered first.
    assert_eq!(labels, ["That of prod", "That of lab", "Another cluster"]);
    saying(&house, &choices[0].choice);
    let report = house.import(table(1, "web-0", "2"));
    is_done(&report);
    says(&report, "Costs without a cluster are those of prod, as was said.");
    assert_eq!(accounts(&house), ["lab | lab", "prod | prod"]);
    assert_eq!(house.counted(), "4");
    // Restated costs replace the earlier ones.
    is_done(&house.import(table(1, "web-0", "3")));
    assert_eq!(house.counted(), "5");
    // "Another cluster" is an unnamed one.
    saying(&house, &choices[2].choice);
    is_done(&house.import(table(1, "web-0", "7")));
    assert_eq!(accounts(&house), ["lab | lab", "opencost | OpenCost", "prod | prod"]);
    assert_eq!(house.counted(), "12");
    saying(&house, "cluster_of_11111111-2222-3333-4444-555555555555");
    asks(&house.import(table(1, "web-0", "8")), "which_cluster");
}

#[test]
fn machines_of_a_scale_set_are_on_the_bill_of_the_set() {
    let set = "/subscriptions/9/resourceGroups/mc_aks/providers/Microsoft.Compute/virtualMachineScaleSets/aks-pool-vmss";
    let costs = |set: &str| {
        let machine = format!("azure://{}/virtualMachines/0", set.to_lowercase());
        sum("28", 3, 4).replace("\"i-1\"", &format!("{machine:?}"))
    };
    let house = House::in_dollars();
    let parties = format!("Microsoft,1,9,Shop,{set}");
    is_done(&house.import(focus(&format!("{PARTIES},ResourceId"), &[("5 USD 2026-01-03", &parties)])));
    is_done(&house.import(costs(set)));
    assert_eq!(house.counted(), "5", "the bill of the set counts alone");
    // A scale set with this name in another subscription is a different one.
    house.take_back(2);
    is_done(&house.import(costs(&set.replace("subscriptions/9", "subscriptions/8"))));
    assert_eq!(house.counted(), "33");
}
