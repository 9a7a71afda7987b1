//! Tests of funds of business units and projects: they work like budgets for the charges assigned to them.

use super::{Charge, admin, answers, bill, money, time, write};
use crate::house::{House, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, Value, ValueRef};
use operations::review::review;
use serde_json::{Value as Json, json};
use uuid::Uuid;

const UNIT: Uuid = Uuid::from_u128(0xb1);
const PART: Uuid = Uuid::from_u128(0xb2);
const GRANT: Uuid = Uuid::from_u128(0xf1);
const CREDIT: Uuid = Uuid::from_u128(0xf2);
const PROJECT: Uuid = Uuid::from_u128(0xc1);

fn insert(house: &House, table: &str, values: Vec<(&str, Value)>) -> Uuid {
    let work = |rows: &store::Transaction<'_>| {
        let id = values
            .iter()
            .find_map(|(name, value)| if *name == "id" { value.as_uuid() } else { None })
            .unwrap_or_else(Uuid::new_v4);
        let mut cells: Vec<(&str, ValueRef<'_>)> =
            values.iter().map(|(name, value)| (*name, value.borrow())).collect();
        if !values.iter().any(|(name, _)| *name == "id") {
            cells.push(("id", id.into()));
        }
        rows.insert(table, &cells).map(|()| id)
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap()
}

fn person() -> [(&'static str, Value); 2] {
    [("created_by", Value::Uuid(PERSON)), ("updated_by", Value::Uuid(PERSON))]
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn day(day: &str) -> Value {
    Value::Timestamp(time(day))
}

fn unit(house: &House, id: Uuid, name: &str, parent: Option<Uuid>) {
    let mut values = vec![("id", Value::Uuid(id)), ("name", text(name)), ("description", text(""))];
    values.extend(parent.map(|parent| ("parent_business_unit", Value::Uuid(parent))));
    values.extend(person());
    insert(house, "business_unit", values);
}

fn source(house: &House, id: Uuid, name: &str) {
    let mut values = vec![
        ("id", Value::Uuid(id)),
        ("name", text(name)),
        ("description", text("")),
        ("owners", Value::Uuid(PERSON)),
        ("start_date", day("2026-01-01")),
        ("end_date", day("2026-12-31")),
    ];
    values.extend(person());
    insert(house, "funding_sources", values);
}

fn fund(house: &House, unit: Uuid, source: Uuid, amounts: (&str, &str), days: Option<(&str, &str)>) -> Uuid {
    let mut values = vec![
        ("business_unit", Value::Uuid(unit)),
        ("funding_source", Value::Uuid(source)),
        ("amount", money(amounts.0)),
        ("planned_amount", money(amounts.1)),
    ];
    values.extend(
        days.into_iter().flat_map(|(from, until)| [("start_date", day(from)), ("end_date", day(until))]),
    );
    values.extend(person());
    insert(house, "businessunit_funding", values)
}

fn project(house: &House, unit: Uuid) {
    let mut values = vec![
        ("id", Value::Uuid(PROJECT)),
        ("name", text("Atlas")),
        ("description", text("")),
        ("business_unit", Value::Uuid(unit)),
    ];
    values.extend(person());
    insert(house, "projects", values);
}

fn share(house: &House, account: Uuid, percent: f64, days: (Option<&str>, Option<&str>)) -> Uuid {
    let bound = |date: Option<&str>| date.map_or(Value::Null, day);
    insert(
        house,
        "project_accounts",
        vec![
            ("project_id", Value::Uuid(PROJECT)),
            ("account_id", Value::Uuid(account)),
            ("allocation_pct", Value::Float(percent)),
            ("allocation_start", bound(days.0)),
            ("allocation_end", bound(days.1)),
        ],
    )
}

fn of_unit(house: &House, unit: Uuid, ids: &[Uuid]) {
    let work = |rows: &store::Transaction<'_>| {
        for row in rows.select("spends", &["id", "cloud_account"], &[])? {
            let [Value::Uuid(id), Value::Uuid(account)] = row.as_slice() else { panic!("{row:?}") };
            if ids.contains(account) {
                rows.update("spends", &[store::eq("id", *id)], &[("business_unit", unit.into())])?;
            }
        }
        Ok::<_, store::StoreError>(())
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

const ROWS: &str = "{ spend_budgets { rows { budget_id business_unit_id project_id funding_ids name scope period amount currency
    from until spent forecast state crossed_on message thresholds { percent reached_on } } } }";

fn rows(house: &House) -> Vec<Json> {
    answers(house, ROWS)["spend_budgets"]["rows"].as_array().unwrap().clone()
}

#[track_caller]
fn only(house: &House) -> Json {
    let rows = rows(house);
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    row.clone()
}

/// Ten weeks of the account `shop` (see `bill`), a unit and a source of funds.
fn house() -> House {
    let house = House::new();
    bill(&house, 10);
    unit(&house, UNIT, "Research", None);
    source(&house, GRANT, "Grant A");
    house
}

#[test]
fn money_of_a_business_unit_stands_by_charges_that_name_it() {
    let house = house();
    let id = fund(&house, UNIT, GRANT, ("1000", "0"), Some(("2026-10-01", "2026-10-31")));
    let none = only(&house);
    assert_eq!((&none["spent"], &none["state"]), (&json!(0), &json!("ok")), "no charge names it: {none}");
    of_unit(&house, UNIT, &[OWN]);
    let row = only(&house);
    // Like the budget of all charges in `budgets_stand_by_what_was_billed_and_what_is_expected`: 820 billed, 2,470 expected.
    assert_eq!(
        (&row["spent"], &row["forecast"], &row["state"]),
        (&json!(820), &json!(2470), &json!("forecast_crossed"))
    );
    assert_eq!(
        (&row["from"], &row["until"], &row["period"]),
        (&json!("2026-10-01"), &json!("2026-10-31"), &Json::Null)
    );
    assert_eq!((&row["name"], &row["currency"]), (&json!("Research (Grant A)"), &json!("USD")));
    assert_eq!(row["scope"], json!({ "business_unit": [UNIT.to_string()] }));
    assert_eq!(
        (&row["business_unit_id"], &row["funding_ids"]),
        (&json!(UNIT.to_string()), &json!([id.to_string()]))
    );
    // 200 by Friday the 2nd, 260 by the 4th, 560 by the 7th: half of 1,000. Four fifths are reached with 820 on the 11th.
    assert_eq!(row["thresholds"][0], json!({ "percent": 50, "reached_on": "2026-10-07" }));
    assert_eq!(row["thresholds"][1], json!({ "percent": 80, "reached_on": "2026-10-11" }));
    // The same notices as for budgets; they end when the funds are removed.
    review(&house.store, TENANT).unwrap();
    let notices = || answers(&house, "{ notice { title text link ended_at } }")["notice"].clone();
    assert_eq!(notices()[0]["title"], "Research (Grant A): 80% of the budget was reached on 11 Oct 2026");
    assert_eq!(notices()[0]["link"], format!("/costs/budgets?id={id}"));
    answers(&house, &format!(r#"mutation {{ delete_businessunit_funding_by_pk(id: "{id}") {{ id }} }}"#));
    assert_eq!(rows(&house), [] as [Json; 0]);
    review(&house.store, TENANT).unwrap();
    assert!(!notices()[0]["ended_at"].is_null(), "{}", notices());
}

#[test]
fn roles_over_accounts_do_not_meet_it() {
    let house = house();
    fund(&house, UNIT, GRANT, ("1000", "0"), None);
    assert_eq!(house.answers("{ spend_budgets { rows { name } } }")["spend_budgets"]["rows"], json!([]));
    assert_eq!(
        house.ask_as(&admin(), "{ spend_budgets { rows { name } } }")["data"]["spend_budgets"]["rows"][0]["name"],
        "Research (Grant A)"
    );
}

#[test]
fn parts_of_a_unit_and_shares_of_its_projects_count_once() {
    let house = house();
    unit(&house, PART, "Lab", Some(UNIT));
    fund(&house, UNIT, GRANT, ("10000", "0"), Some(("2026-10-01", "2026-10-31")));
    // 40 of the account `lab` belong to the part; 100 have no unit, and the project has 30% of them since the 6th: 60 · 30% = 18.
    write(&house.store, &[Charge { account: OTHER, ..Charge::of("2026-10-02", "40") }]);
    of_unit(&house, PART, &[OTHER]);
    write(
        &house.store,
        &[
            Charge { account: OTHER, ..Charge::of("2026-10-05", "40") },
            Charge { account: OTHER, ..Charge::of("2026-10-06", "60") },
        ],
    );
    project(&house, PART);
    share(&house, OTHER, 30.0, (Some("2026-10-06"), None));
    let row = only(&house);
    assert_eq!(row["spent"], json!(58));
    assert!(row["message"].as_str().unwrap().contains("what Lab cost counts, too"), "{row}");
    // A share that ended the day before does not count.
    share(&house, OTHER, 80.0, (None, Some("2026-10-05")));
    assert_eq!(only(&house)["spent"], json!(58 + 32));
    // Shares of an account cannot exceed 100%.
    share(&house, OTHER, 71.0, (Some("2026-10-06"), None));
    let row = only(&house);
    assert_eq!((&row["state"], &row["spent"]), (&json!("unknown"), &Json::Null));
    assert_eq!(row["message"], "shares of lab come to 101% at one time: more than was charged");
}

#[test]
fn money_of_a_project_stands_by_its_shares_of_accounts() {
    let house = house();
    let of_unit = fund(&house, UNIT, GRANT, ("5000", "0"), Some(("2026-01-01", "2026-08-31")));
    project(&house, UNIT);
    let mut values = vec![
        ("project", Value::Uuid(PROJECT)),
        ("businessunit_funding", Value::Uuid(of_unit)),
        ("amount", money("0")),
        ("planned_amount", money("410")),
        ("start_date", day("2026-08-01")),
    ];
    values.extend(person());
    insert(&house, "project_fundings", values);
    let as_of = |day: &str| {
        let query =
            ROWS.replace("spend_budgets {", &format!(r#"spend_budgets(request: {{ as_of: "{day}" }}) {{"#));
        let rows = answers(&house, &query)["spend_budgets"]["rows"].as_array().unwrap().clone();
        rows.into_iter().find(|row| !row["project_id"].is_null())
    };
    // Its period ends with that of the unit's funds; no account is assigned to it yet.
    assert!(as_of("2026-09-01").is_none() && as_of("2026-07-31").is_none());
    let row = as_of("2026-08-09").unwrap();
    assert_eq!((&row["state"], &row["until"]), (&json!("unknown"), &json!("2026-08-31")));
    assert!(row["message"].as_str().unwrap().starts_with("no share of an account is set"), "{row}");
    // 560 were billed from 3 to 9 August, of which half counts: 280 of the planned 410.
    let half = share(&house, OWN, 50.0, (None, None));
    let row = as_of("2026-08-09").unwrap();
    assert_eq!(
        (&row["name"], &row["spent"], &row["amount"]),
        (&json!("Atlas (Grant A)"), &json!(280), &json!(410))
    );
    assert!(
        row["message"].as_str().unwrap().starts_with("nothing was given yet: the amount is what is planned"),
        "{row}"
    );
    assert_eq!(
        row["thresholds"][0],
        json!({ "percent": 50, "reached_on": "2026-08-07" }),
        "50 a day: 250 of 205"
    );
    // The tables do not state whether the share of a resource is part of its account's share.
    let resource = insert(
        &house,
        "cloud_resourses",
        vec![
            ("name", text("db")),
            ("account", Value::Uuid(OWN)),
            ("cloud_provider", text("AWS")),
            ("region", text("eu-west-1")),
        ],
    );
    insert(
        &house,
        "project_cloud_resources",
        vec![("project_account_id", Value::Uuid(half)), ("cloud_resource_id", Value::Uuid(resource))],
    );
    let row = as_of("2026-08-09").unwrap();
    assert_eq!(row["state"], "unknown");
    assert!(row["message"].as_str().unwrap().contains("shares of single resources of it are set"), "{row}");
}

#[test]
fn what_the_tables_do_not_say_is_said() {
    let house = house();
    source(&house, CREDIT, "Credit B");
    fund(&house, UNIT, GRANT, ("1000", "0"), Some(("2026-10-01", "2026-10-31")));
    let other = fund(&house, UNIT, CREDIT, ("500", "700"), Some(("2026-10-01", "2026-10-31")));
    of_unit(&house, UNIT, &[OWN]);
    // For the same days: one budget of both.
    let row = only(&house);
    assert_eq!((&row["name"], &row["amount"]), (&json!("Research (Credit B, Grant A)"), &json!(1500)));
    assert!(row["message"].as_str().unwrap().contains("700 are planned"), "{row}");
    let set = |cells: &str| {
        let change = format!(
            r#"mutation {{ update_businessunit_funding_by_pk(pk_columns: {{ id: "{other}" }}, _set: {{ {cells} }}) {{ id }} }}"#
        );
        answers(&house, &change);
    };
    // Overlapping, but different days.
    set(r#"end_date: "2026-11-30""#);
    let both = rows(&house);
    assert_eq!(both.iter().map(|row| row["state"].clone()).collect::<Vec<_>>(), ["unknown", "unknown"]);
    assert_eq!(
        both[1]["message"],
        "there is money of Credit B for 1 Oct 2026 to 30 Nov 2026, too: which of them pays for a charge of the days that both have, the tables do not say"
    );
    // Outside the days of its source; before it begins.
    set(r#"start_date: "2026-11-01", end_date: "2027-01-31""#);
    assert!(
        rows(&house)[0]["message"].as_str().unwrap().contains("which of them holds, nobody has said"),
        "{:?}",
        rows(&house)
    );
    set(r#"start_date: "2026-11-01", end_date: "2026-09-30""#);
    assert!(rows(&house)[0]["message"].as_str().unwrap().contains("it ends before it begins"));
    // Charges in two currencies.
    set(r#"start_date: "2026-11-01", end_date: "2026-11-30""#);
    write(&house.store, &[Charge::of("2026-10-02", "5").with("unit", "EUR")]);
    of_unit(&house, UNIT, &[OWN]);
    let row = only(&house);
    assert_eq!(
        (&row["state"], &row["spent"], &row["currency"]),
        (&json!("unknown"), &Json::Null, &Json::Null)
    );
    assert_eq!(
        row["message"],
        "its charges are in EUR and USD: in which of them 1000 was given, the tables of funding do not say"
    );
}

#[test]
fn a_project_says_what_it_may_spend_and_has_spent_in_each_account() {
    let house = house();
    let of_unit = fund(&house, UNIT, GRANT, ("5000", "0"), Some(("2026-10-01", "2026-10-31")));
    project(&house, UNIT);
    let mut values = vec![
        ("project", Value::Uuid(PROJECT)),
        ("businessunit_funding", Value::Uuid(of_unit)),
        ("amount", money("1000")),
    ];
    values.extend(person());
    insert(&house, "project_fundings", values);
    let half = share(&house, OWN, 50.0, (None, None));
    share(&house, OTHER, 100.0, (Some("2026-10-06"), None));
    write(
        &house.store,
        &[
            Charge { account: OTHER, ..Charge::of("2026-10-05", "40") },
            Charge { account: OTHER, ..Charge::of("2026-10-06", "60") },
        ],
    );
    let set = |id: Uuid, budget: &str| {
        let work = |rows: &store::Transaction<'_>| {
            rows.update("project_accounts", &[store::eq("id", id)], &[("budget", money(budget).borrow())])
        };
        house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
    };
    set(half, "400.5");
    let accounts = || {
        let query = "{ spend_budgets { rows { project_id state spent accounts { name percent from until budget spent } } } }";
        let rows = answers(&house, query)["spend_budgets"]["rows"].as_array().unwrap().clone();
        let none = rows.iter().filter(|row| row["project_id"].is_null());
        assert!(none.map(|row| &row["accounts"]).all(|accounts| *accounts == json!([])), "{rows:?}");
        rows.into_iter().find(|row| !row["project_id"].is_null()).unwrap()
    };
    // 820 were billed to the account since 1 October: half of it counts. For `lab`, the charges since the share began.
    let row = accounts();
    assert_eq!(row["spent"], json!(470));
    let names: Vec<&Json> = row["accounts"].as_array().unwrap().iter().map(|share| &share["name"]).collect();
    assert_eq!(names, ["lab", "shop"]);
    assert_eq!(
        row["accounts"],
        json!([
            { "name": "lab", "percent": 100, "from": "2026-10-06", "until": null, "budget": null, "spent": 60 },
            { "name": "shop", "percent": 50, "from": null, "until": null, "budget": 400.5, "spent": 410 },
        ])
    );
    // Without a result, the allowed amounts are still returned.
    let again = share(&house, OWN, 60.0, (None, None));
    set(again, "7");
    let row = accounts();
    assert_eq!((&row["state"], row["accounts"].as_array().map(Vec::len)), (&json!("unknown"), Some(3)));
    assert!(row["accounts"].as_array().unwrap().iter().all(|share| share["spent"].is_null()), "{row}");
}
