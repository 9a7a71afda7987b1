//! Tests of hypothetical commitments: what they would have cost and saved.

use super::{Charge, answers, refuses, text_of, write};
use crate::house::House;
use catalogue::parse_date;
use serde_json::{Value as Json, json};

const FIELDS: &str = "currency service_name family days from until hours eligible_cost hourly_share discount discount_from
    break_even_utilization recommended { hourly commitment_cost used_cost covered_cost cost saving utilization coverage term_cost
    upfront_cost pays_back_on earns_term_on } asked { hourly saving utilization pays_back_on }";

fn ask(house: &House, request: &str) -> Json {
    let query = format!(
        "{{ spend_commitment_proposals(request: {{{request}}}) {{ as_of messages rows {{ {FIELDS} }} }} }}"
    );
    answers(house, &query)["spend_commitment_proposals"].clone()
}

/// Charges for that many days up to 2026-09-29 with a constant daily cost of a service.
fn days(house: &House, count: i32, service: &str, cost: &str, cells: &[(&str, &str)]) {
    let last = parse_date("2026-09-29").unwrap();
    let days: Vec<String> = (0..count).map(|back| text_of(last - back)).collect();
    let charge = |day| {
        let charge = Charge::of(day, cost)
            .with("unit", "USD")
            .with("service_name", service)
            .with("charge_category", "Usage")
            .with("contracted_cost", cost);
        cells.iter().fold(charge, |charge, (name, value)| charge.with(name, value))
    };
    write(&house.store, &days.iter().map(|day| charge(day)).collect::<Vec<_>>());
}

#[test]
fn a_commitment_is_worked_out_for_30_and_60_days() {
    let house = House::new();
    days(&house, 60, "Compute", "24", &[]);
    days(&house, 20, "Storage", "12", &[]);
    let found = ask(&house, "discount: 0.25, upfront: 0, term_months: 12");
    assert_eq!((&found["as_of"], &found["messages"]), (&"2026-09-29".into(), &json!([])));
    let rows = found["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| (row["service_name"].as_str(), row["days"].as_i64())).collect();
    let name = |service, days| (Some(service), Some(days));
    assert_eq!(names, [name("Compute", 30), name("Compute", 60), name("Storage", 30), name("Storage", 60)]);
    // Always 1 an hour: all of it is covered for 0.75 an hour. A year from 2026-09-30 costs 0.75 × 24 × 365; 24 a day are saved.
    assert_eq!(
        rows[0],
        json!({
            "currency": "USD", "service_name": "Compute", "family": null, "days": 30, "from": "2026-08-31", "until": "2026-09-29",
            "hours": 720, "eligible_cost": 720, "hourly_share": 0.0, "discount": 0.25, "discount_from": "request",
            "break_even_utilization": 0.75,
            "recommended": {
                "hourly": 0.75, "commitment_cost": 540, "used_cost": 540, "covered_cost": 720, "cost": 540, "saving": 180,
                "utilization": 1.0, "coverage": 1.0, "term_cost": 6570, "upfront_cost": 0, "pays_back_on": "2026-09-30",
                "earns_term_on": "2027-07-01",
            },
            "asked": null,
        })
    );
    // Usage on 20 of 30 days is less than 0.75 of them, and of 60 even less: no commitment saves money.
    assert_eq!((&rows[2]["eligible_cost"], &rows[2]["recommended"]), (&240.into(), &Json::Null));
    assert_eq!((&rows[3]["eligible_cost"], &rows[3]["recommended"]), (&240.into(), &Json::Null));
}

#[test]
fn the_discount_is_that_of_the_bill_or_none() {
    let house = House::new();
    days(&house, 60, "Compute", "24", &[]);
    days(&house, 60, "Storage", "12", &[]);
    let covered = [
        ("commitment_discount_id", "sp-1"),
        ("commitment_discount_status", "Used"),
        ("pricing_category", "Committed"),
        ("effective_cost", "16.8"),
    ];
    days(&house, 60, "Compute", "24", &covered);
    days(&house, 60, "Compute", "9", &[("pricing_category", "Dynamic")]);
    let found = ask(&house, "upfront: 1, term_months: 36");
    let rows = found["rows"].as_array().unwrap();
    // Usage that is covered already, and spot usage, are not eligible.
    let told =
        |row: &Json| (row["eligible_cost"].clone(), row["discount"].clone(), row["discount_from"].clone());
    assert_eq!(told(&rows[0]), (720.into(), 0.3.into(), "bill".into()));
    assert_eq!(rows[0]["recommended"]["hourly"], json!(0.7));
    assert_eq!(told(&rows[2]), (360.into(), Json::Null, Json::Null));
    assert_eq!(rows[2]["recommended"], Json::Null);
    let messages = json!([
        "The bill has no committed prices for some services: state a discount to see what they would save."
    ]);
    assert_eq!(found["messages"], messages);
}

#[test]
fn an_amount_of_ones_own_stands_beside_the_best_and_families_beside_their_service() {
    let house = House::new();
    days(&house, 60, "Compute", "24", &[("charge_description", "EU-BoxUsage:m7g.large")]);
    days(&house, 60, "Compute", "48", &[("charge_description", "EU-BoxUsage:r7g.large")]);
    let asked = "service_name: \"Compute\", currency: \"USD\", discount: 0.5, upfront: 0.5, term_months: 12, hourly: 2";
    let found = ask(&house, asked);
    let rows = found["rows"].as_array().unwrap();
    let families: Vec<_> = rows.iter().map(|row| row["family"].as_str()).collect();
    assert_eq!(families, [None, None, Some("r7g"), Some("r7g"), Some("m7g"), Some("m7g")]);
    assert_eq!((&rows[0]["eligible_cost"], &rows[0]["recommended"]["hourly"]), (&2160.into(), &1.5.into()));
    // 2 an hour for what 1.5 covers: 720 hours cost 1,440 and cover 2,160; half of 17,520 is paid upfront, and of 72 covered a day, 24 are still
    // paid.
    let own = &rows[0]["asked"];
    assert_eq!((&own["saving"], &own["utilization"]), (&720.into(), &0.75.into()));
    assert_eq!(own["pays_back_on"], "2027-04-01");
    // For families the amount applies only if a family is given.
    assert_eq!(rows[2]["asked"], Json::Null);
    let found = ask(&house, &format!("{asked}, family: \"m7g\""));
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["eligible_cost"], &rows[0]["asked"]["saving"]), (&720.into(), &(-720).into()));
    assert_eq!(rows[0]["asked"]["pays_back_on"], Json::Null);
}

#[test]
fn a_bill_of_fewer_days_says_so() {
    let house = House::new();
    days(&house, 20, "Compute", "24", &[]);
    // A fee on a day without other charges in the bill.
    let fee = Charge::of("2026-08-20", "900").with("unit", "USD").with("charge_category", "Purchase");
    write(&house.store, &[fee]);
    let found = ask(&house, "discount: 0.25, upfront: 0, term_months: 12");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["hours"], &rows[0]["from"]), (1, &480.into(), &"2026-09-10".into()));
    let messages = [
        "The bill begins on 10 Sep 2026, so 20 of 30 days are known.",
        "The bill begins on 10 Sep 2026, so 60 days are not known.",
    ];
    assert_eq!(found["messages"], json!(messages));
    assert_eq!(ask(&House::new(), "discount: 0.25, upfront: 0, term_months: 12")["rows"], json!([]));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let house = House::new();
    let refused = |request: &str| {
        refuses(&house, &format!("{{ spend_commitment_proposals(request: {{{request}}}) {{ as_of }} }}"))
    };
    let said = refused("discount: 25, upfront: 0, term_months: 12");
    assert_eq!(said, "`discount` is 25: expected a share above 0 and below 1, such as 0.28");
    let said = refused("discount: 0.2, upfront: 1.5, term_months: 12");
    assert_eq!(said, "`upfront` is 1.5: expected a share from 0 to 1");
    let said = refused("discount: 0.2, upfront: 0, term_months: 0");
    assert_eq!(said, "`term_months` is 0: expected 1 to 60 months, such as 12");
    let said = refused("discount: 0.2, upfront: 0, term_months: 12, hourly: 3");
    assert!(said.contains("expected `service_name` and `currency`"), "{said}");
    let said = refused("discount: 0.2, upfront: 0, term_months: 12, family: \"m7g\"");
    assert!(said.contains("expected `service_name`"), "{said}");
}
