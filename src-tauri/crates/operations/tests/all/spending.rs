//! Tests of forecasts, budgets and commitments with stored charges.

mod allocation;
mod funding;
mod outlook;
mod proposals;
mod virtual_tags;

use crate::house::{House, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, Value, ValueRef, parse_date};
use serde_json::{Value as Json, json};
use std::path::Path;
use store::{Store, StoreError};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

/// One charge; other columns are null.
#[derive(Clone)]
struct Charge<'a> {
    account: Uuid,
    from: &'a str,
    days: i64,
    amount: &'a str,
    cells: Vec<(&'a str, &'a str)>,
}

impl<'a> Charge<'a> {
    fn of(from: &'a str, amount: &'a str) -> Self {
        Self { account: OWN, from, days: 1, amount, cells: Vec::new() }
    }

    fn with(mut self, name: &'a str, value: &'a str) -> Self {
        self.cells.push((name, value));
        self
    }
}

fn money(text: &str) -> Value {
    Value::Decimal(Decimal::parse(text).unwrap())
}

fn time(day: &str) -> i64 {
    i64::from(parse_date(day).unwrap()) * DAY
}

fn write(store: &Store, charges: &[Charge<'_>]) {
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for charge in charges {
            let begin = time(charge.from);
            let amount = money(charge.amount);
            let mut values: Vec<(&str, Value)> = charge
                .cells
                .iter()
                .map(|(name, text)| {
                    let value = match *name {
                        "tags" => Value::Json((*text).to_owned()),
                        name if name.ends_with("_cost") => money(text),
                        _ => Value::Text((*text).to_owned()),
                    };
                    (*name, value)
                })
                .collect();
            values.push(("cloud_account", Value::Uuid(charge.account)));
            values.push(("date", Value::Timestamp(begin)));
            values.push(("period_end", Value::Timestamp(begin + charge.days * DAY)));
            values.push(("amount", amount));
            let cells: Vec<(&str, ValueRef<'_>)> =
                values.iter().map(|(name, value)| (*name, value.borrow())).collect();
            rows.insert("spends", &cells)?;
        }
        Ok(())
    };
    store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

fn text_of(day: i32) -> String {
    catalogue::format_date(day)
}

/// `weeks` weeks from Monday 2026-08-03: 100 on weekdays, 30 on weekends.
fn weeks(count: i32) -> Vec<(String, &'static str)> {
    let first = parse_date("2026-08-03").unwrap();
    (0..7 * count).map(|day| (text_of(first + day), if day % 7 < 5 { "100" } else { "30" })).collect()
}

fn bill(house: &House, count: i32) {
    let days = weeks(count);
    let charges: Vec<Charge<'_>> = days.iter().map(|(day, amount)| Charge::of(day, amount)).collect();
    write(&house.store, &charges);
}

fn admin() -> Caller {
    Caller::user(PERSON, TENANT, vec![Role::TenantAdmin])
}

#[track_caller]
fn answers(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&admin(), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

#[track_caller]
fn refuses(house: &House, query: &str) -> String {
    let answer = house.ask_as(&admin(), query);
    answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn the_rest_of_the_month_is_forecast_and_what_is_booked_stands_beside_it() {
    let house = House::new();
    // Ten weeks end on Sunday 11 October; a support fee of 50 recurs on the 20th and is excluded from the training data.
    bill(&house, 10);
    let fee =
        Charge { account: OTHER, ..Charge::of("2026-09-20", "50").with("charge_frequency", "Recurring") };
    write(&house.store, &[fee]);
    let found = answers(
        &house,
        "{ spend_forecast(request: {}) {
            known_until until messages accuracy { method mape bias coverage skill held_out_days }
            rows { date currency group amount low high } totals { currency from booked expected amount low high }
        } }",
    );
    let found = &found["spend_forecast"];
    assert_eq!(
        (found["known_until"].as_str(), found["until"].as_str()),
        (Some("2026-10-11"), Some("2026-10-31"))
    );
    assert_eq!(found["rows"].as_array().unwrap().len(), 20);
    assert_eq!(
        found["rows"][0],
        json!({ "date": "2026-10-12", "currency": "USD", "group": null, "amount": 100, "low": 100, "high": 100 })
    );
    assert_eq!(found["rows"][8]["amount"], json!(150), "20 October is a Tuesday: 100 and the fee");
    // Booked, 1 to 11 October: seven weekdays (1, 2, 5 to 9) and four weekend days: 7 · 100 + 4 · 30 = 820.
    // Expected, 12 to 31 October: 15 weekdays, 5 weekend days and the fee: 1,500 + 150 + 50 = 1,700.
    assert_eq!(
        found["totals"],
        json!([{ "currency": "USD", "from": "2026-10-01", "booked": 820, "expected": 1700, "amount": 2520, "low": 2520, "high": 2520 }])
    );
    assert_eq!(
        found["accuracy"],
        json!({ "method": "weekday_mean_4_weeks", "mape": 0.0, "bias": 0.0, "coverage": 1.0, "skill": null, "held_out_days": 42 })
    );
    // A third of the 42 days can be held out: 14 days are forecast at a time.
    let messages =
        ["bands are measured over 14 days; how far off sums of 20 days are, the history does not tell"];
    assert_eq!(found["messages"], json!(messages));
}

#[test]
fn nothing_after_the_day_is_read() {
    let query = |as_of: &str| {
        format!(
            r#"{{ spend_forecast(request: {{ as_of: "{as_of}", until: "2026-10-31" }}) {{
                known_until rows {{ date amount low high }} accuracy {{ method mape bias }} totals {{ booked amount }}
            }} }}"#
        )
    };
    let (whole, cut) = (House::new(), House::new());
    bill(&whole, 12);
    write(&whole.store, &[Charge::of("2026-10-20", "9999").with("service_name", "Leak")]);
    bill(&cut, 10);
    // The bill cut at 11 October gives the same as the whole one as of that day.
    assert_eq!(answers(&whole, &query("2026-10-11")), answers(&cut, &query("2026-10-11")));
    // An incomplete day does not count.
    let open = answers(&whole, &query("2026-10-11T18:00:00Z"));
    assert_eq!(open["spend_forecast"]["known_until"], "2026-10-10");
}

#[test]
fn groups_and_currencies_are_series_of_their_own() {
    let house = House::new();
    let days = weeks(10);
    let mut charges = Vec::new();
    for (day, amount) in &days {
        charges.push(Charge::of(day, amount).with("service_name", "Compute"));
        charges.push(Charge::of(day, "7.005").with("service_name", "Storage").with("unit", "EUR"));
    }
    charges.push(Charge::of("2026-10-05", "3").with("service_name", "New"));
    write(&house.store, &charges);
    let found = answers(
        &house,
        r#"{ spend_forecast(request: { group_by: ["service_name"], until: "2026-10-12" }) {
            rows { currency group amount } messages accuracies { currency group method }
        } }"#,
    );
    let found = &found["spend_forecast"];
    // 7.005 is rounded half away from zero.
    assert_eq!(
        found["rows"],
        json!([
            { "currency": "EUR", "group": "Storage", "amount": 7.01 },
            { "currency": "USD", "group": "Compute", "amount": 100 },
        ])
    );
    let message = found["messages"][0].as_str().unwrap();
    assert!(message.starts_with("New, USD: 7 days from the first charge to 11 Oct 2026"), "{message}");
    assert_eq!(found["accuracies"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_asked_wrongly_is_told() {
    let house = House::new();
    bill(&house, 10);
    let ask = |request: &str| {
        refuses(&house, &format!("{{ spend_forecast(request: {{ {request} }}) {{ rows {{ amount }} }} }}"))
    };
    assert!(
        ask(r#"group_by: ["colour"]"#)
            .starts_with("`group_by` names \"colour\": expected one of account_ids")
    );
    assert!(
        ask(r#"until: "2026-10-01""#).contains("charges are known up to 2026-10-11: expected a later day")
    );
    assert!(ask(r#"metric: "net""#).contains("expected billed, effective, contracted or list"));
    assert!(ask(r#"account_ids: ["prod"]"#).contains("expected the UUID of an account"));
}

#[test]
fn too_little_history_is_said_and_no_row_is_made_up() {
    let house = House::new();
    let none =
        answers(&house, "{ spend_forecast(request: {}) { rows { amount } messages accuracy { method } } }");
    assert_eq!(
        none["spend_forecast"],
        json!({ "rows": [], "messages": ["there are no charges"], "accuracy": null })
    );
    bill(&house, 5);
    let short = answers(&house, "{ spend_forecast(request: {}) { rows { amount } messages } }");
    assert_eq!(short["spend_forecast"]["rows"], json!([]));
    let message = short["spend_forecast"]["messages"][0].as_str().unwrap();
    assert!(
        message.starts_with("USD: 35 days from the first charge to 6 Sep 2026: a forecast needs 42"),
        "{message}"
    );
}

fn add_budget(house: &House, object: &str) -> String {
    let made = answers(house, &format!("mutation {{ insert_budget_one(object: {{ {object} }}) {{ id }} }}"));
    made["insert_budget_one"]["id"].as_str().unwrap().to_owned()
}

const STAND: &str = "rows { name currency from until spent forecast low high state crossed_on message
    thresholds { percent on reached_on } other_currencies { currency amount } days { date running is_forecast } }";

#[test]
fn budgets_stand_by_what_was_billed_and_what_is_expected() {
    let house = House::new();
    bill(&house, 10);
    write(&house.store, &[Charge { account: OTHER, ..Charge::of("2026-10-02", "40").with("unit", "EUR") }]);
    // 820 are billed by 11 October, 2,470 are expected by the end of the month (20 days ahead: 15 weekdays, 5 weekend days: 1,650).
    add_budget(&house, r#"name: "a", amount: 800"#);
    add_budget(&house, r#"name: "b", amount: 1000"#);
    add_budget(&house, r#"name: "c", amount: 5000, thresholds: [10, { percent: 40, on: "forecast" }]"#);
    add_budget(&house, r#"name: "d", amount: 5000, thresholds: [10]"#);
    add_budget(&house, r#"name: "e", amount: 5000"#);
    add_budget(
        &house,
        &format!(r#"name: "f", amount: 50, currency: "EUR", scope: {{ account_ids: ["{OTHER}"] }}"#),
    );
    let found = answers(&house, &format!("{{ spend_budgets {{ as_of {STAND} }} }}"));
    let rows = found["spend_budgets"]["rows"].as_array().unwrap();
    let states: Vec<(&str, &str)> =
        rows.iter().map(|row| (row["name"].as_str().unwrap(), row["state"].as_str().unwrap())).collect();
    let expected = [
        ("a", "crossed"),
        ("b", "forecast_crossed"),
        ("c", "forecast_crossed"),
        ("d", "near"),
        ("e", "ok"),
        ("f", "near"),
    ];
    assert_eq!(states, expected);
    let a = &rows[0];
    assert_eq!((&a["spent"], &a["forecast"]), (&json!(820), &json!(2470)));
    assert_eq!((&a["from"], &a["until"]), (&json!("2026-10-01"), &json!("2026-10-31")));
    // 200, 30, 30, 500, 30, 30: 260 by the 4th, 360, 460, 560, 660, 760 by Friday the 9th, 790, 820 on Sunday the 11th.
    assert_eq!(a["crossed_on"], "2026-10-11");
    assert_eq!(a["thresholds"][0], json!({ "percent": 50, "on": "actual", "reached_on": "2026-10-06" }));
    assert_eq!(a["days"].as_array().unwrap().len(), 31);
    assert_eq!(a["days"][30], json!({ "date": "2026-10-31", "running": 2470, "is_forecast": true }));
    // Euros are not counted, but listed.
    assert_eq!(a["other_currencies"], json!([{ "currency": "EUR", "amount": 40 }]));
    // 40% of 5,000 is 2,000, reached when the expected sum is 820 + 1,180: on Monday the 26th, with 1,160 before it and 1,260 on it.
    assert_eq!(
        rows[2]["thresholds"][1],
        json!({ "percent": 40, "on": "forecast", "reached_on": "2026-10-26" })
    );
    // 40 of 50 is 80%; the account was charged once, so there is no forecast.
    let f = &rows[5];
    assert_eq!((&f["spent"], &f["forecast"]), (&json!(40), &Json::Null));
    assert!(f["message"].as_str().unwrap().contains("a forecast needs 42"), "{f}");
}

#[test]
fn a_period_that_is_over_needs_no_forecast() {
    let house = House::new();
    bill(&house, 10);
    add_budget(&house, r#"name: "September", amount: 2000"#);
    let found = answers(
        &house,
        r#"{ spend_budgets(request: { as_of: "2026-09-30" }) { rows { spent forecast low high state message } } }"#,
    );
    let row = &found["spend_budgets"]["rows"][0];
    // September 2026 has 22 weekdays and 8 weekend days: 2,200 + 240.
    assert_eq!(
        (&row["spent"], &row["forecast"], &row["state"]),
        (&json!(2440), &json!(2440), &json!("crossed"))
    );
    // Nothing is left that could come out otherwise.
    assert_eq!((&row["low"], &row["high"]), (&json!(2440), &json!(2440)));
    assert_eq!(row["message"], Json::Null);
}

#[test]
fn a_budget_that_cannot_be_worked_out_is_not_stored() {
    let house = House::new();
    let refused = |object: &str| {
        refuses(&house, &format!("mutation {{ insert_budget_one(object: {{ {object} }}) {{ id }} }}"))
    };
    assert!(refused(r#"name: "x", amount: 0"#).contains("`amount` is 0: expected more than 0"));
    assert!(refused(r#"name: " ", amount: 1"#).contains("`name` is empty"));
    assert!(refused(r#"name: "x", amount: 1, currency: "usd""#).contains("three-letter code"));
    assert!(
        refused(r#"name: "x", amount: 1, scope: { colour: ["red"] }"#).contains("`scope` names \"colour\"")
    );
    assert!(
        refused(r#"name: "x", amount: 1, scope: { service_name: [] }"#)
            .contains("texts that are not empty, one at least")
    );
    assert!(refused(r#"name: "x", amount: 1, thresholds: [80, 50]"#).contains("ascending"));
    // An invalid change is not stored either.
    let id = add_budget(&house, r#"name: "x", amount: 1"#);
    let change = format!(
        r#"mutation {{ update_budget_by_pk(pk_columns: {{ id: "{id}" }}, _set: {{ amount: -1 }}) {{ id }} }}"#
    );
    assert!(refuses(&house, &change).contains("expected more than 0"));
    let kept = answers(&house, "{ budget { amount scope thresholds period currency } }");
    assert_eq!(
        kept["budget"],
        json!([{ "amount": 1, "scope": {}, "thresholds": [50, 80, 100], "period": "month", "currency": "USD" }])
    );
}

#[test]
fn budgets_of_accounts_stand_beside_them_and_roles_over_accounts_see_no_others() {
    let house = House::new();
    bill(&house, 10);
    add_budget(&house, r#"name: "all", amount: 5000"#);
    let set = |rows: &store::Transaction<'_>| -> Result<u64, StoreError> {
        rows.update("cloud_accounts", &[], &[("budget", ValueRef::Decimal(Decimal::from(1640)))])
    };
    house.store.transaction(&Caller::system_for(TENANT), set).unwrap();
    let query = "{ spend_budgets { rows { name account_id currency spent state thresholds { percent reached_on } } } }";
    let names = |answer: &Json| -> Vec<String> {
        let rows = answer["spend_budgets"]["rows"].as_array().unwrap().clone();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = answers(&house, query);
    assert_eq!(names(&all), ["all", "lab", "shop"]);
    // 820 of 1,640 is half, on the last known day.
    let shop = &all["spend_budgets"]["rows"][2];
    assert_eq!(
        (&shop["spent"], &shop["currency"], &shop["state"]),
        (&json!(820), &json!("USD"), &json!("forecast_crossed"))
    );
    assert_eq!(shop["thresholds"][0]["reached_on"], "2026-10-11");
    // As the administrator of the account `shop`.
    assert_eq!(names(&house.answers(query)), ["shop"]);
    // A budget without a currency, for charges in two currencies.
    write(&house.store, &[Charge::of("2026-10-02", "5").with("unit", "EUR")]);
    let mixed = answers(&house, "{ spend_budgets { rows { name state spent message } } }");
    let shop = &mixed["spend_budgets"]["rows"][2];
    assert_eq!((&shop["state"], &shop["spent"]), (&json!("unknown"), &Json::Null));
    assert!(shop["message"].as_str().unwrap().contains("charged in EUR and USD"), "{shop}");
}

/// Usage of a service, to be covered by a commitment or not.
fn used(from: &'static str, costs: (&'static str, &'static str, &'static str)) -> Charge<'static> {
    let (list, contracted, effective) = costs;
    let charge = Charge::of(from, "0").with("charge_category", "Usage").with("service_name", "Compute");
    charge.with("list_cost", list).with("contracted_cost", contracted).with("effective_cost", effective)
}

#[test]
fn the_unused_part_of_a_fee_counts_against_the_commitment() {
    let house = House::new();
    let of_plan = |charge: Charge<'static>, status| {
        charge.with("commitment_discount_id", "sp-1").with("commitment_discount_status", status)
    };
    // As in an AWS report: the fee of 10 is for 7 used and 3 unused. Usage without a contract price counts at its billed cost.
    let fee = Charge::of("2026-09-01", "10").with("charge_category", "Purchase").with("effective_cost", "3");
    let bare = Charge::of("2026-09-01", "5").with("charge_category", "Usage").with("service_name", "Compute");
    write(
        &house.store,
        &[
            of_plan(used("2026-09-01", ("10", "10", "7")), "Used").with("pricing_category", "Committed"),
            of_plan(fee.with("billed_cost", "10"), "Unused").with("charge_frequency", "Recurring"),
            bare.with("list_cost", "5").with("effective_cost", "5"),
        ],
    );
    let found = answers(
        &house,
        r#"{ spend_commitments(request: { from: "2026-09-01", to: "2026-09-30" }) {
            rows { utilization coverage unused_cost used_cost purchased }
            totals { effective_savings_rate effective_cost negotiated_savings commitment_savings unused_cost utilization coverage }
        } }"#,
    );
    let found = &found["spend_commitments"];
    assert_eq!(
        found["rows"],
        json!([{ "utilization": 0.7, "coverage": 0.666_667, "unused_cost": 3, "used_cost": 7, "purchased": 10 }])
    );
    // (15 − 7 − 5 − 3) ÷ 15 = 0: the saving equals the unused part.
    assert_eq!(
        found["totals"],
        json!({ "effective_savings_rate": 0.0, "effective_cost": 15, "negotiated_savings": 0, "commitment_savings": 3,
            "unused_cost": 3, "utilization": 0.7, "coverage": 0.666_667 })
    );
}

#[test]
fn commitments_are_told_from_the_columns_of_focus() {
    let house = House::new();
    let plan = |charge: Charge<'static>, status| {
        let charge =
            charge.with("commitment_discount_id", "sp-1").with("commitment_discount_type", "Savings Plan");
        charge.with("commitment_discount_status", status).with("commitment_discount_name", "Plan one")
    };
    let purchase = Charge { days: 365, ..Charge::of("2026-01-01", "8760") };
    let purchase =
        purchase.with("charge_category", "Purchase").with("billed_cost", "8760").with("effective_cost", "0");
    write(
        &house.store,
        &[
            plan(used("2026-09-01", ("100", "90", "60")), "Used").with("pricing_category", "Committed"),
            plan(used("2026-09-02", ("0", "0", "20")), "Unused").with("pricing_category", "Committed"),
            used("2026-09-03", ("50", "45", "45")).with("pricing_category", "Standard"),
            used("2026-09-04", ("40", "10", "10")).with("pricing_category", "Dynamic"),
            // A list cost below the contracted cost is not a public price.
            used("2026-09-05", ("0", "15", "15")).with("pricing_category", "Standard"),
            // Purchases are excluded, but determine when the term ends.
            purchase.with("commitment_discount_id", "sp-1").with("charge_frequency", "One-Time"),
            // Another month.
            used("2026-10-01", ("1000", "1000", "1000")),
        ],
    );
    let found = answers(
        &house,
        r#"{ spend_commitments(request: { from: "2026-09-01", to: "2026-09-30" }) {
            rows { commitment_id name type currency utilization coverage unused_cost used_cost expires_on purchased }
            totals { currency effective_savings_rate list_cost effective_cost negotiated_savings commitment_savings unused_cost
                utilization coverage left_out_charges left_out_effective_cost }
        } }"#,
    );
    let found = &found["spend_commitments"];
    // Used ÷ (Used + Unused) = 60 ÷ 80. Covered ÷ eligible = 90 ÷ (90 + 45 + 15): spot is excluded.
    assert_eq!(
        found["rows"],
        json!([{ "commitment_id": "sp-1", "name": "Plan one", "type": "Savings Plan", "currency": "USD", "utilization": 0.75,
            "coverage": 0.6, "unused_cost": 20, "used_cost": 60, "expires_on": "2027-01-01", "purchased": 8760 }])
    );
    // List 100 + 50 + 40 = 190; contracted 90 + 45 + 10 = 145; effective 60 + 45 + 10 = 115, and 20 unused: 135.
    // Rate (190 − 135) ÷ 190 = 0.289474. Negotiated 190 − 145 = 45, commitments 145 − 115 = 30, less 20 unused: 55.
    assert_eq!(
        found["totals"],
        json!({ "currency": "USD", "effective_savings_rate": 0.289_474, "list_cost": 190, "effective_cost": 135,
            "negotiated_savings": 45, "commitment_savings": 30, "unused_cost": 20, "utilization": 0.75, "coverage": 0.6,
            "left_out_charges": 1, "left_out_effective_cost": 15 })
    );
}

#[test]
fn scenarios_of_the_focus_specification() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/focus/spec-examples");
    let folder = std::env::var_os("SHARED")
        .map_or(folder, |shared| Path::new(&shared).join("data/focus/spec-examples"));
    let names = ["commitment_discount_purchase_scenario_1.csv", "commitment_discount_usage_scenario_1.csv"];
    let house = House::new();
    for name in names {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
            eprintln!("not compared: {} is not here", folder.join(name).display());
            return;
        };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let titles = reader.headers().unwrap().clone();
        for record in reader.records() {
            let record = record.unwrap();
            let cell = |title: &str| {
                titles.iter().position(|known| known == title).map_or("", |place| &record[place])
            };
            let (from, end) = (&cell("ChargePeriodStart")[..10], &cell("ChargePeriodEnd")[..10]);
            let mut charge = Charge::of(from, cell("BilledCost"));
            charge.days = (time(end) - time(from)) / DAY;
            for (title, column) in [
                ("BilledCost", "billed_cost"),
                ("EffectiveCost", "effective_cost"),
                ("ChargeCategory", "charge_category"),
                ("ChargeFrequency", "charge_frequency"),
                ("PricingCategory", "pricing_category"),
                ("CommitmentDiscountId", "commitment_discount_id"),
                ("CommitmentDiscountStatus", "commitment_discount_status"),
            ] {
                if !cell(title).is_empty() {
                    charge = charge.with(column, cell(title));
                }
            }
            write(&house.store, &[charge]);
        }
    }
    let found = answers(
        &house,
        r#"{ spend_commitments(request: { from: "2023-01-01", to: "2023-01-01" }) {
            rows { commitment_id utilization unused_cost used_cost expires_on purchased } totals { effective_savings_rate left_out_charges }
        } }"#,
    );
    // One hour of a prepaid year of 8,760 hours is used: 1 of 1. The file has no list cost, so there is no rate.
    assert_eq!(
        found["spend_commitments"],
        json!({ "rows": [{ "commitment_id": "<my-commitment-discount-id>", "utilization": 1.0, "unused_cost": 0, "used_cost": 1,
            "expires_on": "2024-01-01", "purchased": 8760 }],
            "totals": { "effective_savings_rate": null, "left_out_charges": 1 } })
    );
}
