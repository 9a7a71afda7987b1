//! Tests of reports with more rows than they list: omissions are reported, and no currency displaces another.

use super::{advise, ask, house};
use crate::house::{House, NOW, OWN, TENANT};
use catalogue::{Caller, Decimal, ValueRef, parse_date};
use serde_json::{Value, json};
use store::{StoreError, Transaction};

fn write(house: &House, work: impl Fn(&Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system_for(TENANT), |rows| work(rows)).unwrap();
}

#[track_caller]
fn content(house: &House, request: &str) -> Value {
    let query = format!("{{ report_document(request: {{ {request} }}) {{ content }} }}");
    ask(house, &query)["report_document"]["content"].clone()
}

#[test]
fn the_total_has_anomalies_that_are_not_listed() {
    let house = house();
    let day = ValueRef::Date(parse_date("2026-10-30").unwrap());
    write(&house, |rows| {
        for place in 0..1_002 {
            let name = format!("Service {place}");
            let cells = [
                ("account_id", OWN.into()),
                ("anomaly_type", "CloudSpendService".into()),
                ("current_value", Decimal::from(60).into()),
                ("evaluated_at", ValueRef::Timestamp(NOW)),
                ("is_anomaly", true.into()),
                ("name", ValueRef::Text(&name)),
                ("reference_value", ValueRef::Json("{}")),
                ("scope", "service".into()),
                ("currency", "USD".into()),
                ("started_on", day),
                ("ended_on", day),
                ("state", "NEW".into()),
                ("impact", Decimal::from(2).into()),
            ];
            rows.insert("anomaly", &cells)?;
        }
        Ok(())
    });
    let found = content(&house, "kind: anomalies");
    let table = &found["sections"][0]["table"];
    assert_eq!(table["rows"].as_array().unwrap().len(), 1_000);
    assert_eq!(table["total"][7], "2004");
    assert_eq!(found["notes"][1], "USD: the newest 1000 of 1002 anomalies are listed; the total has all.");
}

#[test]
fn a_currency_of_large_numbers_pushes_out_no_other() {
    let house = house();
    write(&house, |rows| {
        for place in 0..=501 {
            let (currency, saving) = if place == 0 { ("USD", 90) } else { ("JPY", 1_000 + place) };
            advise(rows, &format!("vol-{place}"), currency, Decimal::from(saving))?;
        }
        Ok(())
    });
    let found = content(&house, "kind: savings");
    let sections = found["sections"].as_array().unwrap();
    let titles: Vec<&str> = sections.iter().filter_map(|one| one["title"].as_str()).collect();
    assert_eq!(
        titles,
        ["JPY", "Largest open recommendations, JPY", "USD", "Largest open recommendations, USD"]
    );
    assert_eq!(sections[3]["table"]["rows"][0][1], "vol-0");
}

#[test]
fn an_empty_tag_is_no_value_in_a_view() {
    let house = house();
    write(&house, |rows| {
        for (place, tags) in
            [Some(r#"{"team":""}"#), Some(r#"{"team":"sea"}"#), Some("{}"), None].iter().enumerate()
        {
            let day = i64::from(parse_date("2026-10-05").unwrap()) + i64::try_from(place).unwrap();
            let cells = [
                ("cloud_account", OWN.into()),
                ("date", ValueRef::Timestamp(day * super::DAY)),
                ("amount", Decimal::from(10_i64.pow(u32::try_from(place).unwrap())).into()),
                ("unit", "USD".into()),
                ("tags", tags.map_or(ValueRef::Null, ValueRef::Json)),
            ];
            rows.insert("spends", &cells)?;
        }
        Ok(())
    });
    let of_view = |name: &str, search: &str| {
        let save = format!(
            r#"mutation {{ insert_saved_view_one(object: {{ page: "costs/explorer", name: "{name}", search: {search} }}) {{ id }} }}"#
        );
        let id = ask(&house, &save)["insert_saved_view_one"]["id"].clone();
        let found = content(&house, &format!("kind: costs, settings: {{ months: 1, view_id: {id} }}"));
        found["sections"][0]["table"]["rows"].clone()
    };
    let filter = |not: bool| {
        format!(r#"{{ by: "tag:team", filters: [{{ field: "tag:team", values: [""], not: {not} }}] }}"#)
    };
    assert_eq!(of_view("None", &filter(false)), json!([["(none)", "1101", "1101"]]));
    assert_eq!(of_view("Some", &filter(true)), json!([["sea", "10", "10"]]));
}
