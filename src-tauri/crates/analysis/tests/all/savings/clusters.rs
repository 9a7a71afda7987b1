//! Tests of the rules for clusters: everything planted is found, nothing else is, and each finding can be recalculated from its JSON.

use super::cluster_generator::{Planted, World, day_of, healthy, plan};
use analysis::savings::{Finding, Owner, Severity, find_in_cluster};
use catalogue::Decimal;
use serde_json::Value;

/// Rule, subject and money of the findings.
fn found(world: &World) -> Planted {
    let money = |one: &Finding| one.currency.as_ref().map(|_| one.estimated_savings());
    find_in_cluster(&world.cluster)
        .iter()
        .map(|one| ((one.rule.name, one.object.clone()), money(one)))
        .collect()
}

/// The rules with findings.
fn rules(world: &World) -> Vec<&'static str> {
    find_in_cluster(&world.cluster).iter().map(|one| one.rule.name).collect()
}

fn card(world: &World, rule: &str) -> Value {
    let all = find_in_cluster(&world.cluster);
    serde_json::to_value(all.iter().find(|one| one.rule.name == rule).unwrap().card()).unwrap()
}

fn figure(card: &Value, name: &str) -> f64 {
    let figures = card["figures"].as_array().unwrap();
    let found = figures.iter().find(|figure| figure["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {card}"))["value"].as_f64().unwrap()
}

#[test]
fn what_is_planted_is_found_and_nothing_else() {
    for seed in 0..100 {
        assert_eq!(rules(&healthy(seed)), Vec::<&str>::new(), "seed {seed}");
        let world = plan(seed);
        assert_eq!(found(&world), world.planted, "seed {seed}");
    }
}

#[test]
fn a_card_says_where_it_was_seen_and_by_what_rule() {
    for finding in find_in_cluster(&plan(3).cluster) {
        let card = serde_json::to_value(finding.card()).unwrap();
        assert_eq!((&card["cluster"], &card["seen_at"]), (&"shop".into(), &"2026-11-20T00:00:00".into()));
        assert!(card["rule"]["source"].as_str().unwrap().starts_with("https://"), "{card}");
        assert!(!card["figures"].as_array().unwrap().is_empty(), "{card}");
        assert!(card["why"].as_str().unwrap().ends_with('.'), "{card}");
        // Money is stated only where a bill shows it.
        assert_eq!(card.get("currency").is_some(), finding.rule.name == "k8s_idle_nodes", "{card}");
        assert_eq!(card.get("share").is_some(), card.get("currency").is_some(), "{card}");
    }
}

#[test]
fn the_card_of_an_idle_node_is_worked_out_again() {
    let world = plan(1);
    let card = card(&world, "k8s_idle_nodes");
    let part = figure(&card, "CPU requested") / figure(&card, "CPU that pods may use");
    assert!((part - figure(&card, "Part of CPU requested")).abs() < 1e-4 && part < 0.5, "{card}");
    let part = figure(&card, "Memory requested") / figure(&card, "Memory that pods may use");
    assert!((part - figure(&card, "Part of memory requested")).abs() < 1e-4 && part < 0.5, "{card}");
    assert_eq!((&card["period"]["cost"], &card["share"]), (&card["monthly_cost"], &1.into()));
    assert_eq!(card["members"].as_array().unwrap().len(), 1);
    assert_eq!(card["billed"]["resource_id"], "00000000-0000-0000-0000-0000000000b2");
}

#[test]
fn the_card_of_requests_is_worked_out_again() {
    let world = plan(2);
    let above = card(&world, "k8s_requests_above_use");
    let (used, requested) =
        (figure(&above, "app: CPU used, 95th percentile"), figure(&above, "app: CPU requested"));
    assert!(requested - used >= 100.0, "{above}");
    assert_eq!(above["recommended"]["requests"]["cpu"], format!("{used}m"));
    assert_eq!(above["current"]["requests"]["cpu"], format!("{requested}m"));
    let below = card(&world, "k8s_requests_below_use");
    let most = figure(&below, "app: memory used at most");
    assert_eq!(below["recommended"]["requests"]["memory"], format!("{}Mi", (most * 1.15).ceil()));
}

#[test]
fn a_node_whose_machine_no_bill_names_claims_no_saving() {
    let mut world = plan(1);
    world.cluster.prices.clear();
    let card = card(&world, "k8s_idle_nodes");
    assert!(card.get("share").is_none() && card.get("monthly_cost").is_none(), "{card}");
    assert!(card["why"].as_str().unwrap().contains("No bill names its machine"), "{card}");
}

#[test]
fn pods_that_cannot_move_keep_their_node() {
    let keeps = |change: &dyn Fn(&mut World)| {
        let mut world = plan(1);
        change(&mut world);
        !rules(&world).contains(&"k8s_idle_nodes")
    };
    assert!(!keeps(&|_| ()));
    assert!(keeps(&|world| world.pod("small", |pod| pod.owner = None)));
    assert!(keeps(&|world| world.pod("small", |pod| pod.has_local_storage = true)));
    assert!(keeps(&|world| world.pod("small", |pod| pod.is_bound_to_nodes = true)));
    assert!(keeps(&|world| world.pod("small", |pod| pod.namespace = "kube-system".to_owned())));
    // No other node has that much free capacity, or accepts pods from a tainted node.
    assert!(keeps(&|world| world.change("small", |one| one.cpu_request = Some(1_950))));
    assert!(keeps(&|world| world.cluster.nodes[4].taints = Some("gpu=yes:NoSchedule".to_owned())));
    // A node whose pods are not all known is not reported.
    assert!(keeps(&|world| world.cluster.nodes[4].has_all_pods = false));
}

#[test]
fn nodes_that_are_told_can_all_be_given_up_together() {
    let mut world = healthy(7);
    for (name, pod) in [("idle-1", "one"), ("idle-2", "two"), ("idle-3", "three")] {
        world.node(name, name);
        world.workload(pod, 1, (1_900, 1_024), &[name]);
    }
    // 1.9 cores fit on no busy node: two pods share one machine, the third stays on its own.
    let all = find_in_cluster(&world.cluster);
    let idle: Vec<&str> =
        all.iter().filter(|one| one.rule.name == "k8s_idle_nodes").map(|one| one.object.as_str()).collect();
    assert_eq!(idle, ["Node/idle-1"]);
    assert_eq!(all[0].members, ["Pod shop/one-0: 1900m and 1024 MiB move to idle-2"]);
}

#[test]
fn few_measurements_lower_no_request_and_what_is_scaled_is_left_alone() {
    let mut world = healthy(4);
    world.workload("greedy", 1, (900, 512), &["n-0"]);
    world.measured("greedy", &[50; 99], 400);
    assert_eq!(rules(&world), Vec::<&str>::new());
    world.measured("greedy", &[50; 100], 400);
    assert_eq!(rules(&world), ["k8s_requests_above_use"]);
    let owner =
        Owner { namespace: "shop".to_owned(), kind: "Deployment".to_owned(), name: "greedy".to_owned() };
    world.cluster.scaled.insert(owner);
    assert_eq!(rules(&world), Vec::<&str>::new());
}

#[test]
fn memory_that_ran_out_is_given_a_quarter_more() {
    let mut world = healthy(4);
    world.workload("starved", 1, (100, 100), &["n-0"]);
    world.measured("starved", &[90; 4], 400);
    assert_eq!(card(&world, "k8s_requests_below_use")["recommended"]["requests"]["memory"], "460Mi");
    world.pod("starved", |pod| pod.last_end = Some("OOMKilled".to_owned()));
    assert_eq!(card(&world, "k8s_requests_below_use")["recommended"]["requests"]["memory"], "500Mi");
}

#[test]
fn support_is_judged_on_the_day() {
    let mut world = healthy(1);
    world.cluster.version = Some("v1.35.1".to_owned());
    // Released on 2025-12-17; fourteen months later is 2027-02-17.
    let severity = |world: &mut World, day: &str| {
        world.cluster.today = day_of(day);
        find_in_cluster(&world.cluster).first().map(|one| one.severity)
    };
    assert_eq!(severity(&mut world, "2026-11-18"), None);
    assert_eq!(severity(&mut world, "2026-11-19"), Some(Severity::Low));
    assert_eq!(severity(&mut world, "2027-01-18"), Some(Severity::Medium));
    assert_eq!(severity(&mut world, "2027-02-17"), Some(Severity::Medium));
    assert_eq!(severity(&mut world, "2027-02-18"), Some(Severity::High));
    // A version older than all known ones is reported; a newer one is not.
    world.cluster.version = Some("v1.19.0".to_owned());
    assert_eq!(severity(&mut world, "2026-11-18"), Some(Severity::High));
    world.cluster.version = Some("v1.99.0".to_owned());
    assert_eq!(severity(&mut world, "2026-11-18"), None);
}

#[test]
fn pods_fail_in_many_words() {
    let severity = |status: &str| {
        let mut world = healthy(1);
        world.pod("base-0", |pod| pod.status = status.to_owned());
        find_in_cluster(&world.cluster).first().map(|one| (one.rule.name, one.severity))
    };
    for status in [
        "CrashLoopBackOff",
        "Init:CrashLoopBackOff",
        "ErrImagePull",
        "CreateContainerConfigError",
        "ExitCode:3",
    ] {
        assert_eq!(severity(status), Some(("k8s_failing_pods", Severity::High)), "{status}");
    }
    assert_eq!(severity("Evicted"), Some(("k8s_failing_pods", Severity::Low)));
    for status in ["Running", "Completed", "ContainerCreating", "Terminating", "Pending"] {
        assert_eq!(severity(status), None, "{status}");
    }
}

#[test]
fn a_month_of_a_bill_is_what_giving_up_a_machine_saves() {
    let mut world = plan(1);
    let price = world.cluster.prices.get_mut("idle").unwrap();
    price.period.from = day_of("2026-10-22");
    price.cost = Decimal::from(10);
    let card = card(&world, "k8s_idle_nodes");
    assert_eq!((&card["period"]["days"], &card["monthly_cost"]), (&10.into(), &30.into()));
}
