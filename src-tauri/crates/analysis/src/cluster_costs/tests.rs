use super::*;

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// From the start of one day to the start of another.
fn days(from: i64, until: i64) -> Window {
    Window { start: from * DAY, end: until * DAY }
}

fn part(kind: PartKind, namespace: &str) -> Part {
    Part { kind, namespace: namespace.to_owned(), resource: None }
}

fn cost(window: Window, kind: PartKind, namespace: &str, nodes: &str) -> ToolCost {
    ToolCost {
        window,
        currency: "USD".to_owned(),
        part: part(kind, namespace),
        machine: None,
        nodes: number(nodes),
        beside_nodes: Decimal::ZERO,
    }
}

fn charge(window: Window, machine: &str, amount: &str) -> NodeCharge {
    NodeCharge { window, currency: "USD".to_owned(), machine: machine.to_owned(), amount: number(amount) }
}

fn node(name: &str, machine: Option<&str>) -> Node {
    Node { name: name.to_owned(), machine: machine.map(str::to_owned), is_there: true, created: None }
}

fn two_nodes() -> Vec<Node> {
    vec![node("n1", Some("i-1")), node("n2", Some("i-2"))]
}

/// One day of a cluster: shop 6, jobs 2, idle 4, at tool prices of 12 for nodes that were billed 4.99.
fn a_day(day: i64) -> (Vec<ToolCost>, Vec<NodeCharge>) {
    let window = days(day, day + 1);
    let costs = vec![
        cost(window, PartKind::Work, "shop", "6"),
        cost(window, PartKind::Work, "jobs", "2"),
        cost(window, PartKind::Idle, "__idle__", "4"),
    ];
    (costs, vec![charge(window, "i-1", "2.50"), charge(window, "i-2", "2.49")])
}

fn billed(scaled: &CostsAtBill) -> Vec<(&str, String)> {
    let one = |part: &PartAtBill| part.billed.to_string();
    scaled.parts.iter().map(|part| (part.part.namespace.as_str(), one(part))).collect()
}

#[test]
fn the_bill_of_the_nodes_is_dealt_by_the_costs_of_the_tool() {
    let (costs, charges) = a_day(3);
    let scaled = scale(&costs, &charges, &two_nodes()).unwrap();
    assert_eq!(
        (scaled.billed.to_string(), scaled.tool.to_string(), scaled.days),
        ("4.99".into(), "12".into(), 1)
    );
    // 4.99 · 6 ÷ 12 = 2.495, 4.99 · 2 ÷ 12 = 0.8316…, 4.99 · 4 ÷ 12 = 1.6633…: truncated, 1 cent remains, and the shop lost most.
    let expected = [("jobs", "0.83".to_owned()), ("shop", "2.5".to_owned()), ("__idle__", "1.66".to_owned())];
    assert_eq!(billed(&scaled), expected);
    assert_eq!(scaled.nodes.len(), 2);
}

#[test]
fn parts_add_up_to_the_bill_whatever_the_numbers() {
    let mut random: u64 = 7;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Decimal::from_parts(i128::from(random >> 33), 7).unwrap()
    };
    for parts in 1..40 {
        let window = days(1, 2);
        let costs: Vec<ToolCost> = (0..parts)
            .map(|place| ToolCost {
                nodes: next(),
                ..cost(window, PartKind::Work, &format!("n{place}"), "1")
            })
            .collect();
        let charges = [NodeCharge { amount: next(), ..charge(window, "i-1", "1") }];
        let scaled = scale(&costs, &charges, &[node("n1", Some("i-1"))]).unwrap();
        let sum = total(scaled.parts.iter().map(|part| part.billed)).unwrap();
        assert_eq!((sum, scaled.billed), (charges[0].amount, charges[0].amount));
    }
}

#[test]
fn only_days_that_both_tell_count() {
    let (mut costs, mut charges) = a_day(3);
    // A day of tool costs without a bill, and a billed day without tool costs.
    costs.extend(a_day(4).0);
    charges.extend(a_day(1).1);
    let scaled = scale(&costs, &charges, &two_nodes()).unwrap();
    assert_eq!((scaled.span, scaled.days, scaled.tool), (days(3, 4), 1, number("12")));
    assert_eq!(scale(&a_day(4).0, &a_day(1).1, &two_nodes()), Err(NotAtBill::NoCommonTime));
}

#[test]
fn a_sum_of_days_counts_when_the_bill_tells_all_of_them() {
    let week = [cost(days(3, 10), PartKind::Work, "shop", "70")];
    let charges = |last: i64| -> Vec<NodeCharge> {
        (1..=last).map(|day| charge(days(day, day + 1), "i-1", "5")).collect()
    };
    let one = [node("n1", Some("i-1"))];
    let scaled = scale(&week, &charges(12), &one).unwrap();
    assert_eq!((scaled.billed, scaled.days), (number("35"), 7));
    assert_eq!(scale(&week, &charges(8), &one), Err(NotAtBill::NoCommonTime));
}

#[test]
fn windows_that_cut_charges_of_a_day_in_two_are_not_scaled() {
    let six_hours = DAY / 4;
    let window = Window { start: 3 * DAY + six_hours, end: 4 * DAY + six_hours };
    let costs = [cost(window, PartKind::Work, "shop", "10")];
    let daily = [charge(days(3, 4), "i-1", "5"), charge(days(4, 5), "i-1", "5")];
    let one = [node("n1", Some("i-1"))];
    assert_eq!(scale(&costs, &daily, &one), Err(NotAtBill::NoCommonTime));
    // Hourly charges can be separated.
    let hour = DAY / 24;
    let hourly: Vec<NodeCharge> = (0..48)
        .map(|at| charge(Window { start: 3 * DAY + at * hour, end: 3 * DAY + (at + 1) * hour }, "i-1", "0.2"))
        .collect();
    assert_eq!(scale(&costs, &hourly, &one).unwrap().billed, number("4.8"));
}

#[test]
fn a_charge_of_a_month_is_told_and_in_no_sum() {
    let (costs, mut charges) = a_day(3);
    charges.push(charge(days(0, 30), "i-1", "9"));
    let scaled = scale(&costs, &charges, &two_nodes()).unwrap();
    assert_eq!((scaled.billed, scaled.left_out), (number("4.99"), number("9")));
}

#[test]
fn a_node_that_is_on_no_bill_leaves_costs_as_they_are() {
    let (costs, charges) = a_day(3);
    let mut nodes = two_nodes();
    nodes.push(node("n3", Some("i-3")));
    nodes.push(node("bare", None));
    let named = |names: &[&str]| {
        Err(NotAtBill::SomeNodesBilled(names.iter().map(|name| (*name).to_owned()).collect()))
    };
    assert_eq!(scale(&costs, &charges, &nodes), named(&["bare", "n3"]));
    // Nodes that were deleted, or created later, need not be on the bill.
    nodes[2].is_there = false;
    nodes[3].created = Some(4 * DAY);
    assert!(scale(&costs, &charges, &nodes).is_ok());
    // A machine that costs name must be on the bill; idle cost is exempt, because its machine is the name of a node.
    let mut costs = costs;
    costs[2].machine = Some("n1".to_owned());
    assert!(scale(&costs, &charges, &nodes).is_ok());
    costs[0].machine = Some("i-9".to_owned());
    assert_eq!(scale(&costs, &charges, &nodes), named(&["i-9"]));
}

#[test]
fn what_cannot_be_known_says_why() {
    let (costs, charges) = a_day(3);
    assert_eq!(scale(&[], &charges, &two_nodes()), Err(NotAtBill::NoCosts));
    assert_eq!(scale(&costs, &charges, &[node("n1", None)]), Err(NotAtBill::NoProviderId));
    assert_eq!(scale(&costs, &[], &two_nodes()), Err(NotAtBill::NoNodeBilled));
    let euros: Vec<NodeCharge> =
        charges.iter().map(|charge| NodeCharge { currency: "EUR".to_owned(), ..charge.clone() }).collect();
    let both = BTreeSet::from(["EUR".to_owned(), "USD".to_owned()]);
    assert_eq!(scale(&costs, &euros, &two_nodes()), Err(NotAtBill::Currencies(both)));
    let nothing: Vec<ToolCost> =
        costs.iter().map(|cost| ToolCost { nodes: Decimal::ZERO, ..cost.clone() }).collect();
    assert_eq!(scale(&nothing, &charges, &two_nodes()), Err(NotAtBill::NothingToDivide));
    let credit = [charge(days(3, 4), "i-1", "-1"), charge(days(3, 4), "i-2", "1")];
    assert_eq!(scale(&costs, &credit, &two_nodes()), Err(NotAtBill::NothingToDivide));
}

#[test]
fn idle_cost_below_zero_gets_nothing_and_what_is_for_no_node_stays() {
    let (mut costs, charges) = a_day(3);
    costs[2].nodes = number("-1");
    costs[0].beside_nodes = number("1.25");
    let scaled = scale(&costs, &charges, &two_nodes()).unwrap();
    // 4.99 · 6 ÷ 8 = 3.7425 and 4.99 · 2 ÷ 8 = 1.2475: the jobs lost more.
    let expected = [("jobs", "1.25".to_owned()), ("shop", "3.74".to_owned()), ("__idle__", "0".to_owned())];
    assert_eq!(billed(&scaled), expected);
    assert_eq!((scaled.tool, scaled.parts[1].beside_nodes), (number("8"), number("1.25")));
}
