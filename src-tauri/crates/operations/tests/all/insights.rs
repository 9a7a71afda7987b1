//! Tests of insights about changes in the last week: derived from charges, stored, notified once a week, removed with their charges.

use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date};
use operations::insights::{Changes, refresh, run};
use operations::review::review;
use serde_json::{Value as Json, json};
use store::{StoreError, eq, ge};

const DAY: i64 = 86_400_000_000;

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

/// A service with a daily cost for a number of hours, from the first to the last day.
fn bill(house: &House, (service, cost, hours): (&str, i64, i64), (from, to): (&str, &str)) {
    let details = json!({ "x_UsageType": format!("{service}-hours") }).to_string();
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for at in day(from)..=day(to) {
            rows.insert(
                "spends",
                &[
                    ("cloud_account", OWN.into()),
                    ("date", ValueRef::Timestamp(i64::from(at) * DAY)),
                    ("amount", ValueRef::Decimal(Decimal::from(cost))),
                    ("consumed_quantity", ValueRef::Decimal(Decimal::from(hours))),
                    ("unit", "USD".into()),
                    ("service_name", service.into()),
                    ("charge_category", "Usage".into()),
                    ("details", ValueRef::Json(&details)),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

/// Two weeks and a day: compute grows by half in the second week.
fn house() -> House {
    let house = House::new();
    bill(&house, ("Compute", 10, 100), ("2026-10-12", "2026-10-18"));
    bill(&house, ("Compute", 15, 150), ("2026-10-19", "2026-10-26"));
    bill(&house, ("Storage", 4, 40), ("2026-10-12", "2026-10-26"));
    house
}

fn ask(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

fn told(house: &House) -> Vec<String> {
    let answer = ask(
        house,
        &format!(
            "mutation {{ list_insights(request: {{account_id: \"{OWN}\"}}) {{ data {{ source title applications {{ name }} }} }} }}"
        ),
    );
    let rows = answer["list_insights"]["data"].as_array().unwrap().clone();
    rows.iter()
        .map(|row| format!("{}: {}", row["source"].as_str().unwrap(), row["title"].as_str().unwrap()))
        .collect()
}

#[test]
fn the_last_whole_week_is_told_with_its_reason_and_a_second_run_changes_nothing() {
    let house = house();
    let changes = run(&house.store, TENANT, Some("2026-10-26")).unwrap();
    assert_eq!(changes, Changes { added: 5, ..Changes::default() });
    let name = ask(&house, &format!("{{ cloud_accounts_by_pk(id: \"{OWN}\") {{ account_name }} }}"));
    let name = name["cloud_accounts_by_pk"]["account_name"].as_str().unwrap();
    assert_eq!(
        told(&house),
        [
            format!("quarterdeck: {name} cost USD 133.00 in the week 19–25 Oct 2026, USD 35.00 more than the week before (+35.7%)."),
            "quarterdeck: Compute cost USD 35.00 more than the week before (+50.0%): Compute-hours USD 35.00 more (50.0% more was used).".to_owned(),
        ]
    );
    assert_eq!(run(&house.store, TENANT, Some("2026-10-26")).unwrap(), Changes::default());
    assert_eq!(refresh(&house.store, TENANT).unwrap(), Changes::default());
    let score = ask(&house, "{ cloud_account_score { score source description cloud_account_id } }");
    let score = &score["cloud_account_score"];
    assert_eq!(
        (&score[0]["score"], &score[0]["source"], &score[1]),
        (&json!(100), &json!("waste"), &Json::Null),
        "{score}"
    );
}

#[test]
fn as_of_a_day_nothing_later_is_looked_at_and_what_is_undone_is_untold() {
    let house = house();
    run(&house.store, TENANT, Some("2026-10-26")).unwrap();
    // The week from the 19th has not begun, and the week before has no predecessor.
    run(&house.store, TENANT, Some("2026-10-19")).unwrap();
    let titles = told(&house);
    assert_eq!(titles.len(), 1, "{titles:?}");
    assert!(
        titles[0].ends_with("cost USD 98.00 in the week 12–18 Oct 2026, the first week with costs."),
        "{titles:?}"
    );
    let since = ValueRef::Timestamp(0);
    let remove = |rows: &store::Transaction<'_>| rows.delete("spends", &[ge("date", since)]).map(|_| ());
    house.store.transaction(&Caller::system_for(TENANT), remove).unwrap();
    assert!(refresh(&house.store, TENANT).unwrap().removed > 0);
    assert_eq!(told(&house), [""; 0]);
    assert_eq!(ask(&house, "{ cloud_account_score { score } }")["cloud_account_score"], json!([]));
}

#[test]
fn the_currency_with_the_most_charges_counts_however_large_the_amounts_of_another_are() {
    let house = house();
    // One charge of JPY 100,000 is less than the 30 charges in USD.
    let charge = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        let columns = [
            ("cloud_account", OWN.into()),
            ("date", ValueRef::Timestamp(i64::from(day("2026-10-26")) * DAY)),
            ("amount", ValueRef::Decimal(Decimal::from(100_000))),
            ("unit", "JPY".into()),
            ("service_name", "Support".into()),
            ("charge_category", "Usage".into()),
        ];
        rows.insert("spends", &columns)
    };
    house.store.transaction(&Caller::system_for(TENANT), charge).unwrap();
    run(&house.store, TENANT, Some("2026-10-26")).unwrap();
    let score = ask(&house, "{ cloud_account_score { description } }");
    let description = score["cloud_account_score"][0]["description"].as_str().unwrap();
    assert!(description.contains("USD"), "{description}");
    let request = r#"{ tag_coverage(request: { from: "2026-10-01", to: "2026-10-31" }) { currency } }"#;
    assert_eq!(ask(&house, request)["tag_coverage"]["currency"], "USD");
}

#[test]
fn an_account_that_is_billed_late_is_named_and_not_counted() {
    let house = House::new();
    bill(&house, ("Compute", 10, 100), ("2026-10-12", "2026-10-26"));
    let other = ask(
        &house,
        "mutation { insert_cloud_accounts_one(object: {account_name: \"annex\", account_number: \"9\", account_type: \"x\", cloud_provider: AWS}) { id } }",
    );
    let other: uuid::Uuid = other["insert_cloud_accounts_one"]["id"].as_str().unwrap().parse().unwrap();
    let late = |rows: &store::Transaction<'_>| {
        let cells = [("cloud_account", other.into())];
        rows.update("spends", &[eq("date", ValueRef::Timestamp(i64::from(day("2026-10-20")) * DAY))], &cells)
            .map(|_| ())
    };
    house.store.transaction(&Caller::system_for(TENANT), late).unwrap();
    run(&house.store, TENANT, None).unwrap();
    let all = ask(
        &house,
        &format!(
            "{{ insight(where: {{account_id: {{_eq: \"{TENANT}\"}}}}, order_by: {{unique_id: asc}}) {{ title }} }}"
        ),
    );
    let titles: Vec<&str> =
        all["insight"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles[0],
        "All accounts cost USD 60.00 in the week 19–25 Oct 2026, USD 10.00 less than the week before (−14.3%)."
    );
    let last = "Not counted, because their bills end before the week does: annex (billed until 20 Oct 2026).";
    assert_eq!(titles.last(), Some(&last));
}

#[test]
fn a_digest_is_one_notice_a_week() {
    let house = house();
    run(&house.store, TENANT, Some("2026-10-26")).unwrap();
    review(&house.store, TENANT).unwrap();
    review(&house.store, TENANT).unwrap();
    let all = ask(&house, "{ notice(where: {subject: {_eq: digest}}) { key title text link } }");
    let rows = all["notice"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{all}");
    assert_eq!(rows[0]["key"], "digest:2026-10-19");
    assert!(rows[0]["title"].as_str().unwrap().starts_with("All accounts cost USD 133.00"), "{all}");
    assert!(rows[0]["text"].as_str().unwrap().starts_with("Compute cost USD 35.00 more"), "{all}");
}
