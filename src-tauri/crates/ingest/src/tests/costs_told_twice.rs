//! Cluster costs that several OpenCost exports contain for the same time.

use super::kit::House;
use crate::{Report, State};

const SHOP: &str = r#", "namespace": "shop""#;
const WEB: &str = r#", "namespace": "shop", "controllerKind": "deployment", "controller": "web""#;
const DB: &str = r#", "namespace": "shop", "controllerKind": "deployment", "controller": "db""#;
const LAB: &str = r#", "namespace": "lab""#;
/// Properties of the cluster as a whole.
const NONE: &str = "";

/// Costs of parts of a cluster, with their properties, in windows given in hours from 1 January.
fn export(windows: &[(u32, u32)], parts: &[(&str, &str, &str)]) -> String {
    let time = |hour: u32| format!("2026-01-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24);
    let window = |(from, to): &(u32, u32)| {
        let part = |(name, properties, cost): &(&str, &str, &str)| {
            format!(
                r#""{name}": {{"properties": {{"cluster": "prod"{properties}}}, "window": {{"start": "{}", "end": "{}"}}, "cpuCost": {cost}, "totalCost": {cost}}}"#,
                time(*from),
                time(*to)
            )
        };
        format!("{{{}}}", parts.iter().map(part).collect::<Vec<_>>().join(", "))
    };
    let windows: Vec<String> = windows.iter().map(window).collect();
    format!(r#"{{"code": 200, "data": [{}]}}"#, windows.join(", "))
}

fn import(house: &House, text: &str) -> Report {
    let report = house.import(text);
    assert_eq!(report.state, State::Done, "{report:#?}");
    report
}

#[track_caller]
fn says(report: &Report, words: &str) {
    assert!(report.notes.iter().any(|note| note.starts_with(words)), "{:?}", report.notes);
}

#[test]
fn namespaces_and_their_workloads_count_once() {
    let days = [(0, 24), (24, 48)];
    let house = House::in_dollars();
    import(&house, &export(&days, &[("shop", SHOP, "1.5"), ("__idle__", NONE, "2")]));
    assert_eq!(house.counted(), "7");
    // The idle cost is unchanged, and the namespace is split into parts.
    let parts = [("shop/web", WEB, "1"), ("shop/db", DB, "0.75"), ("__idle__", NONE, "2")];
    let report = import(&house, &export(&days, &parts));
    assert_eq!(house.counted(), "7.5");
    says(&report, "2 costs of 3 USD are of other exports, and left out of totals");
    house.take_back(2);
    assert_eq!(house.counted(), "7");
    // No other export contains this namespace at the same time.
    import(&house, &export(&days, &[("lab", LAB, "9")]));
    assert_eq!(house.counted(), "25");
}

#[test]
fn hours_of_days_that_are_told_count_once() {
    let hours: Vec<(u32, u32)> = (0..48).map(|hour| (hour, hour + 1)).collect();
    let house = House::in_dollars();
    import(&house, &export(&[(0, 24)], &[("shop", SHOP, "1.5")]));
    let report = import(&house, &export(&hours, &[("shop", SHOP, "0.1")]));
    // One day as a single sum, and the hours of the next.
    assert_eq!(house.counted(), "3.9");
    says(&report, "24 costs of 2.4 USD are left out of totals: another export");
    house.take_back(1);
    assert_eq!(house.counted(), "4.8");
}

#[test]
fn of_windows_that_overlap_the_newer_counts_and_a_sum_of_the_cluster_is_all_of_it() {
    let house = House::in_dollars();
    import(&house, &export(&[(0, 48)], &[("shop", SHOP, "10")]));
    import(&house, &export(&[(11, 59)], &[("shop", SHOP, "11")]));
    assert_eq!(house.counted(), "11");
    house.take_back(2);
    assert_eq!(house.counted(), "10");
    let report = import(&house, &export(&[(0, 72)], &[("prod", NONE, "30")]));
    assert_eq!(house.counted(), "30");
    says(&report, "1 cost of 10 USD is of other exports");
}

#[test]
fn idle_cost_that_one_export_tells_apart_and_another_in_its_parts_counts_once() {
    let day = [(0, 24)];
    let apart = export(&day, &[("shop/web", WEB, "4"), ("shop/db", DB, "3"), ("__idle__", NONE, "3")]);
    let shared = export(&day, &[("shop", SHOP, "9.5"), ("lab", LAB, "2.5")]);
    for (files, first) in [([&apart, &shared], "10"), ([&shared, &apart], "12")] {
        let house = House::in_dollars();
        import(&house, files[0]);
        assert_eq!(house.counted(), first);
        import(&house, files[1]);
        assert_eq!(house.counted(), "10");
        house.take_back(2);
        assert_eq!(house.counted(), first);
    }
    let house = House::in_dollars();
    import(&house, &apart);
    says(&import(&house, &shared), "2 costs of 12 USD are left out of totals: another export");
    // When the parts are equal, they include no idle cost.
    let house = House::in_dollars();
    import(&house, &apart);
    import(&house, &export(&day, &[("shop", SHOP, "7"), ("lab", LAB, "2")]));
    assert_eq!(house.counted(), "12");
}

#[test]
fn parts_that_replace_others_beside_idle_cost_are_asked_about() {
    let day = [(0, 24)];
    let apart = export(&day, &[("shop", SHOP, "7"), ("lab", LAB, "2"), ("__idle__", NONE, "3")]);
    let shared = export(&day, &[("shop", SHOP, "9.5"), ("lab", LAB, "2.5")]);
    let house = House::in_dollars();
    import(&house, &apart);
    let report = house.import(&shared);
    assert_eq!(report.state, State::NeedsDecision, "{report:#?}");
    assert_eq!(report.decision.unwrap().reason, "idle_cost");
    assert_eq!(house.counted(), "12");
    let dollars = house.forms.get();
    for (number, choice, sum) in [(3, "idle_in_parts", "12"), (4, "idle_apart", "15")] {
        house.forms.set(dollars.with(choice).unwrap());
        import(&house, &shared);
        assert_eq!(house.counted(), sum);
        house.take_back(number);
        assert_eq!(house.counted(), "12");
    }
}

#[test]
fn idle_cost_does_not_count_beside_a_longer_sum_that_may_hold_it() {
    let days = [(0, 24), (24, 48)];
    let house = House::in_dollars();
    import(&house, &export(&days, &[("shop", SHOP, "7"), ("__idle__", NONE, "3")]));
    import(&house, &export(&[(0, 48)], &[("shop", SHOP, "20")]));
    assert_eq!(house.counted(), "20");
    house.take_back(2);
    assert_eq!(house.counted(), "20");
}
