//! Recommendations: the saving of a change, the verified savings of closed ones, and the ledger of both.

use super::{Client, data, number, rows, same, text};
use serde_json::Value;
use std::collections::BTreeMap;

const RECOMMENDATIONS: &str = "{
    recommendation { status is_dismissed rule_name rule_version estimated_savings recommendation }
    savings_ledger { currencies { currency identified { count amount } verified { count amount } months { month saved } } }
}";

pub async fn check(there: &Client) {
    let found = data(there, RECOMMENDATIONS).await;
    let all = rows(&found, "recommendation");
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for one in all.iter().filter(|one| one["rule_version"].is_string()) {
        let card = &one["recommendation"];
        if card["monthly_cost"].is_number() {
            estimate(one, card);
            if card["billed"].is_object() {
                of_machine(there, card).await;
            }
            *kinds.entry("estimated").or_default() += 1;
        } else {
            // Without a price on a bill, no saving is reported.
            same(0.0, number(one, "estimated_savings"), card);
            *kinds.entry("without money").or_default() += 1;
        }
        if card["verified_saving"].is_object() {
            proof(card, number(one, "estimated_savings"));
            *kinds.entry("proved").or_default() += 1;
        }
    }
    assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), ["estimated", "proved", "without money"]);
    ledger(&found, all);
}

/// `monthly_cost × share`, or `monthly_cost − target_cost`. The monthly cost is that of the period, scaled to 30 days if the period is shorter than
/// 28.
fn estimate(one: &Value, card: &Value) {
    let (monthly, period) = (number(card, "monthly_cost"), &card["period"]);
    let (cost, days) = (number(period, "cost"), number(period, "days"));
    same(if days < 28.0 { cost / days * 30.0 } else { cost }, monthly, card);
    let saving = match (card["share"].as_f64(), card["target_cost"].as_f64()) {
        (Some(share), None) => monthly * share,
        (None, Some(target)) => monthly - target,
        both => panic!("{both:?}: {card}"),
    };
    same(saving, number(one, "estimated_savings"), card);
    if card["billed"].is_object() {
        return;
    }
    // The cost is one of the listed figures, or their sum.
    let unit = text(card, "currency");
    let costs = rows(card, "figures").iter().filter(|figure| figure["unit"] == unit);
    let costs: Vec<f64> = costs.map(|figure| number(figure, "value")).collect();
    let is_among = costs.iter().any(|figure| (figure - cost).abs() < 1e-9);
    assert!(is_among || (costs.iter().sum::<f64>() - cost).abs() < 1e-9, "{card}");
}

/// The cost of a node equals the sum of the charges of its machine.
async fn of_machine(there: &Client, card: &Value) {
    let (resource, period) = (text(&card["billed"], "resource_id"), &card["period"]);
    let (from, to) = (text(period, "from"), text(period, "to"));
    let query = format!(
        r#"{{ spends_aggregate(where: {{ cloud_resource_id: {{ _eq: "{resource}" }}, date: {{ _gte: "{from}", _lte: "{to}" }} }}) {{
            aggregate {{ sum {{ amount }} }} }} }}"#
    );
    let charges = data(there, &query).await["spends_aggregate"]["aggregate"]["sum"].clone();
    same(number(&charges, "amount"), number(period, "cost"), card);
}

/// `saved` is `before − after`; `before` is the month of the recommendation, scaled to the number of days of the later one.
fn proof(card: &Value, estimated: f64) {
    let proof = &card["verified_saving"];
    for month in rows(proof, "months") {
        same(number(month, "before") - number(month, "after"), number(month, "saved"), proof);
    }
    let newest = rows(proof, "months").last().unwrap();
    for name in ["before", "after", "saved"] {
        same(number(newest, name), number(proof, name), proof);
    }
    let figure = |begin: &str| {
        let found = rows(proof, "figures").iter().find(|one| text(one, "name").starts_with(begin));
        number(found.unwrap_or_else(|| panic!("no {begin}: {proof}")), "value")
    };
    let (of, days) = (figure("For days"), figure("Days of"));
    let brought = |amount: f64| amount / of * days;
    assert!((brought(figure("Cost from")) - number(proof, "before")).abs() < 0.01, "{proof}");
    assert!((brought(estimated) - figure("Estimated saving")).abs() < 0.01, "{proof}");
    let part = 100.0 * number(proof, "saved") / figure("Estimated saving");
    let verdict = match part {
        part if part >= figure("Verified from") => "verified",
        part if part >= figure("None below") => "partial",
        _ => "none",
    };
    assert_eq!(text(proof, "verdict"), verdict, "{proof}");
}

/// Open recommendations count as identified, verified savings as verified, month by month.
fn ledger(found: &Value, all: &[Value]) {
    let [ledger] = rows(&found["savings_ledger"], "currencies") else {
        panic!("{}", found["savings_ledger"])
    };
    let is_open = |one: &&Value| {
        ["Open", "Assigned", "InProgress"].contains(&text(one, "status")) && one["is_dismissed"] == false
    };
    let has_saving = |one: &&Value| {
        one["recommendation"]["currency"].is_string() && number(one, "estimated_savings") > 0.0
    };
    let open: f64 =
        all.iter().filter(is_open).filter(has_saving).map(|one| number(one, "estimated_savings")).sum();
    same(open, number(&ledger["identified"], "amount"), ledger);
    let proofs: Vec<&Value> = all
        .iter()
        .map(|one| &one["recommendation"]["verified_saving"])
        .filter(|proof| proof.is_object())
        .collect();
    same(
        proofs.iter().map(|proof| number(proof, "saved")).sum(),
        number(&ledger["verified"], "amount"),
        ledger,
    );
    for month in rows(ledger, "months") {
        let of_month = proofs
            .iter()
            .flat_map(|proof| rows(proof, "months"))
            .filter(|one| one["month"] == month["month"]);
        same(of_month.map(|one| number(one, "saved")).sum(), number(month, "saved"), ledger);
    }
}
