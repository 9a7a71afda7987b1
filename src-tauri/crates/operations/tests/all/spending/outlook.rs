//! Tests of forecasts with bills that end on different days, with credits, and with daily fees.

use super::{Charge, add_budget, answers, text_of, write};
use crate::house::{House, OWN, TENANT};
use catalogue::{Caller, Decimal, ValueRef, parse_date};
use serde_json::{Value as Json, json};

/// A bill with the same cost every day from 2026-08-03 on.
fn every_day(house: &House, bill: &'static str, amount: &str, last: &str) {
    let days: Vec<String> =
        (parse_date("2026-08-03").unwrap()..=parse_date(last).unwrap()).map(text_of).collect();
    let charge = |day| Charge::of(day, amount).with("billing_account_id", bill);
    let charges: Vec<Charge<'_>> = days.iter().map(|day| charge(day)).collect();
    write(&house.store, &charges);
}

fn forecast(house: &House, request: &str) -> Json {
    let query = format!(
        "{{ spend_forecast(request: {{ {request} }}) {{
            known_until messages rows {{ date group amount }} totals {{ group from booked expected amount }}
        }} }}"
    );
    answers(house, &query)["spend_forecast"].clone()
}

#[test]
fn a_day_that_a_bill_does_not_tell_yet_is_no_day_without_cost() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    every_day(&house, "B", "5", "2026-10-04");
    let found = forecast(&house, "");
    // Booked: 11 · 10 + 4 · 5. Expected: 20 days of A, and 27 of B, seven of which are past: 20 · 10 + 27 · 5.
    assert_eq!(
        found["totals"],
        json!([{ "group": null, "from": "2026-10-01", "booked": 130, "expected": 335, "amount": 465 }])
    );
    assert_eq!(found["known_until"], "2026-10-11");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 27);
    assert_eq!(rows[0], json!({ "date": "2026-10-05", "group": null, "amount": 5 }));
    assert_eq!(rows[7], json!({ "date": "2026-10-12", "group": null, "amount": 15 }));
    let message =
        "USD: a bill is known up to 4 Oct 2026 only: 35 is expected of it for the days up to 11 Oct 2026";
    assert!(found["messages"].as_array().unwrap().contains(&message.into()), "{found}");
    // The bills separately give the same sum.
    let found = forecast(&house, r#"group_by: ["billing_account_id"]"#);
    let amounts: Vec<&Json> =
        found["totals"].as_array().unwrap().iter().map(|total| &total["amount"]).collect();
    assert_eq!(amounts, [&json!(310), &json!(155)]);
    // A budget gives the same; missing days are not billed.
    add_budget(&house, r#"name: "all", amount: 464"#);
    let found = answers(
        &house,
        "{ spend_budgets { rows { spent forecast state message days { date amount running is_forecast } } } }",
    );
    let row = &found["spend_budgets"]["rows"][0];
    assert_eq!((&row["spent"], &row["forecast"]), (&json!(130), &json!(465)));
    assert_eq!(row["state"], "forecast_crossed");
    assert!(row["message"].as_str().unwrap().contains("known up to 4 Oct 2026 only"), "{row}");
    assert_eq!(
        row["days"][10],
        json!({ "date": "2026-10-11", "amount": 10, "running": 130, "is_forecast": false })
    );
    // 130, the missing 35, and 15 of the day.
    assert_eq!(
        row["days"][11],
        json!({ "date": "2026-10-12", "amount": null, "running": 180, "is_forecast": true })
    );
}

#[test]
fn a_bill_that_has_ended_costs_nothing_any_more() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    every_day(&house, "B", "5", "2026-09-05");
    let found = forecast(&house, "");
    assert_eq!(found["rows"].as_array().unwrap().len(), 20);
    assert_eq!(found["rows"][19]["amount"], 10);
}

#[test]
fn what_a_bill_lacks_of_an_earlier_month_is_not_of_this_one() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-09-30");
    every_day(&house, "B", "5", "2026-09-20");
    let found = forecast(&house, "");
    // 31 · 15; the ten days of September are reported, but not counted.
    assert_eq!(
        found["totals"],
        json!([{ "group": null, "from": "2026-10-01", "booked": 0, "expected": 465, "amount": 465 }])
    );
    assert_eq!(found["rows"].as_array().unwrap().len(), 31);
}

#[test]
fn what_is_dated_ahead_is_expected_on_its_day_and_ends_no_month() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    let dated = |day, amount, category| {
        Charge::of(day, amount).with("billing_account_id", "A").with("charge_category", category)
    };
    write(
        &house.store,
        &[
            dated("2026-10-31", "50", "Tax"),
            dated("2026-11-01", "1200", "Purchase"),
            // This fee was charged last month too: it is expected once.
            dated("2026-09-20", "30", "Purchase").with("charge_frequency", "Recurring"),
            dated("2026-10-20", "30", "Purchase").with("charge_frequency", "Recurring"),
        ],
    );
    let found = forecast(&house, "");
    assert_eq!(found["known_until"], "2026-10-11");
    // 11 · 10 are booked; 20 · 10, the tax and the fee are expected.
    assert_eq!(
        found["totals"],
        json!([{ "group": null, "from": "2026-10-01", "booked": 110, "expected": 280, "amount": 390 }])
    );
    add_budget(&house, r#"name: "all", amount: 389"#);
    let query = "{ spend_budgets { as_of rows { spent forecast from state } } }";
    assert_eq!(
        answers(&house, query)["spend_budgets"],
        json!({ "as_of": "2026-10-11", "rows": [
            { "spent": 110, "forecast": 390, "from": "2026-10-01", "state": "forecast_crossed" }
        ]})
    );
    let query = "{ report_document(request: { kind: costs, settings: { months: 2 } }) { content } }";
    let notes = answers(&house, query)["report_document"]["content"]["notes"].clone();
    assert_eq!(notes, json!(["Oct 2026 is not over: its charges are known up to 2026-10-11."]));
}

#[test]
fn a_fee_of_the_next_year_does_not_make_the_days_before_it_known() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    let fee =
        |day| Charge::of(day, "120").with("billing_account_id", "A").with("charge_category", "Purchase");
    write(&house.store, &[fee("2027-03-01")]);
    assert_eq!(forecast(&house, "")["known_until"], "2026-10-11");
    let query = "{ spend_budgets { as_of rows { spent from } } }";
    add_budget(&house, r#"name: "all", amount: 389"#);
    assert_eq!(
        answers(&house, query)["spend_budgets"],
        json!({ "as_of": "2026-10-11", "rows": [{ "spent": 110, "from": "2026-10-01" }] })
    );
    // Usage has ended, and fees continue every month: the bill is known up to the last of them.
    write(&house.store, &["2026-11-05", "2026-12-05", "2027-01-05"].map(fee));
    assert_eq!(forecast(&house, "")["known_until"], "2027-01-05");
}

/// Three hours of a day, at 1 each.
fn three_hours(house: &House, day: &str) {
    let begin = i64::from(parse_date(day).unwrap()) * 86_400_000_000;
    let work = |rows: &store::Transaction<'_>| -> Result<(), store::StoreError> {
        rows.insert(
            "spends",
            &[
                ("cloud_account", OWN.into()),
                ("date", ValueRef::Timestamp(begin)),
                ("period_end", ValueRef::Timestamp(begin + 3 * 3_600_000_000)),
                ("amount", ValueRef::Decimal(Decimal::from(3))),
                ("unit", "USD".into()),
                ("charge_category", "Usage".into()),
                ("billing_account_id", "A".into()),
            ],
        )
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

#[test]
fn of_a_last_day_that_was_not_over_the_rest_is_expected() {
    let house = House::new();
    every_day(&house, "A", "24", "2026-10-11");
    three_hours(&house, "2026-10-12");
    let found = forecast(&house, "");
    // 11 · 24 + 3 are booked; 21 of the day are expected, and 19 · 24.
    assert_eq!(
        found["totals"],
        json!([{ "group": null, "from": "2026-10-01", "booked": 267, "expected": 477, "amount": 744 }])
    );
    assert_eq!(found["rows"][0], json!({ "date": "2026-10-12", "group": null, "amount": 21 }));
    // If every day ends that early, nothing more is expected.
    let house = House::new();
    for day in parse_date("2026-08-03").unwrap()..=parse_date("2026-10-12").unwrap() {
        three_hours(&house, &text_of(day));
    }
    let found = forecast(&house, "");
    assert_eq!((&found["totals"][0]["booked"], &found["totals"][0]["expected"]), (&json!(36), &json!(57)));
    assert!(!found["messages"].to_string().contains("known up to"), "{found}");
}

#[test]
fn a_credit_of_one_day_does_not_come_again_every_week() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    let credit = Charge::of("2026-10-08", "-1000").with("charge_category", "Credit");
    write(&house.store, &[credit.with("billing_account_id", "A")]);
    let found = forecast(&house, "");
    assert_eq!(found["totals"][0]["booked"], -890);
    assert_eq!(found["totals"][0]["expected"], 200);
    let message = found["messages"][0].as_str().unwrap();
    assert!(message.contains("credits and adjustments of -1000 on single days are left out"), "{message}");
    // Daily credits do.
    let days: Vec<String> =
        (parse_date("2026-09-01").unwrap()..=parse_date("2026-10-11").unwrap()).map(text_of).collect();
    let daily = |day| Charge::of(day, "-2").with("charge_category", "Credit").with("billing_account_id", "A");
    let charges: Vec<Charge<'_>> = days.iter().map(|day| daily(day)).collect();
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    write(&house.store, &charges);
    assert_eq!(forecast(&house, "")["rows"][19]["amount"], 8);
    // A single credit says nothing about the following days.
    let house = House::new();
    write(&house.store, &[Charge::of("2026-10-08", "-1000").with("charge_category", "Credit")]);
    let found = forecast(&house, "");
    assert_eq!(found["rows"], json!([]));
    assert!(
        found["messages"].to_string().contains("nothing but purchases or credits of single days"),
        "{found}"
    );
}

#[test]
fn a_fee_by_the_day_goes_on_every_day() {
    let house = House::new();
    every_day(&house, "A", "10", "2026-10-11");
    let days: Vec<String> =
        (parse_date("2026-10-05").unwrap()..=parse_date("2026-10-11").unwrap()).map(text_of).collect();
    let fee = |day| {
        let fee = Charge::of(day, "5").with("charge_category", "Purchase").with("billing_account_id", "A");
        fee.with("charge_frequency", "Recurring")
    };
    let charges: Vec<Charge<'_>> = days.iter().map(|day| fee(day)).collect();
    write(&house.store, &charges);
    let found = forecast(&house, "");
    assert_eq!(found["totals"][0]["expected"], 300);
    assert!(found["rows"].as_array().unwrap().iter().all(|row| row["amount"] == 15), "{found}");
}
