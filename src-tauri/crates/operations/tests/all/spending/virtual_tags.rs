//! Tests of virtual tags, whose values are derived by rules.

use super::{Charge, DAY, answers, refuses, time, write};
use crate::house::{House, OTHER, TENANT};
use operations::TaggedCharges;
use serde_json::{Value as Json, json};

/// Four charges: one with `env`, one with `Env`, one for support with an empty tag, one of the other account without tags.
fn bill(house: &House) {
    let of =
        |day, amount, service, tags| Charge::of(day, amount).with("service_name", service).with("tags", tags);
    write(
        &house.store,
        &[
            of("2026-10-01", "60", "Compute", r#"{"env":"prod","team":"web"}"#),
            of("2026-10-02", "30", "Compute", r#"{"Env":"dev"}"#),
            of("2026-10-03", "9.5", "Support", r#"{"env":""}"#),
            Charge { account: OTHER, ..Charge::of("2026-10-04", "0.5").with("service_name", "Storage") },
        ],
    );
}

fn tag(house: &House, which: TaggedCharges) -> u64 {
    operations::tag(&house.store, TENANT, which).unwrap()
}

/// The tags of the charges, by day.
fn tags(house: &House) -> Vec<Json> {
    let found = answers(house, "{ spends(order_by: { date: asc }) { tags } }");
    found["spends"].as_array().unwrap().iter().map(|charge| charge["tags"].clone()).collect()
}

const STAGE: &str = r#"mutation { insert_virtual_tag_one(object: {
    id: "00000000-0000-4000-8000-0000000000f1", key: "stage", name: "Stage"
    rules: [{ tags: ["env", "Env"] }, { scope: { service_name: ["Support"] }, value: "shared" }]
}) { key } }"#;
const PK: &str = r#"id: "00000000-0000-4000-8000-0000000000f1""#;

#[test]
fn the_first_rule_that_has_a_value_gives_it_and_what_has_it_is_not_written_again() {
    let house = House::new();
    bill(&house);
    assert_eq!(tag(&house, TaggedCharges::All), 0, "there is no tag yet");
    answers(&house, STAGE);
    assert_eq!(tag(&house, TaggedCharges::OfChangedTags), 3);
    let derived = [
        json!({ "env": "prod", "team": "web", "virtual:stage": "prod" }),
        json!({ "Env": "dev", "virtual:stage": "dev" }),
        json!({ "env": "", "virtual:stage": "shared" }),
        Json::Null,
    ];
    assert_eq!(tags(&house), derived);
    assert_eq!(tag(&house, TaggedCharges::All), 0);
    // Spending can be grouped and filtered by it as by any other tag.
    let found = answers(
        &house,
        r#"{ spend_forecast(request: { group_by: ["tags.virtual:stage"], until: "2026-10-05" }) { messages } }"#,
    );
    let messages = found["spend_forecast"]["messages"].to_string();
    assert!(messages.contains("prod, USD") && messages.contains("shared, USD"), "{messages}");
}

#[test]
fn values_go_with_the_tag_and_follow_its_changes() {
    let house = House::new();
    bill(&house);
    let before = tags(&house);
    answers(&house, STAGE);
    tag(&house, TaggedCharges::OfChangedTags);
    let change = |set: &str| {
        answers(
            &house,
            &format!("mutation {{ update_virtual_tag_by_pk(pk_columns: {{ {PK} }}, _set: {set}) {{ id }} }}"),
        )
    };
    change(r#"{ key: "phase", rules: [], other_value: "all" }"#);
    assert_eq!(tag(&house, TaggedCharges::OfChangedTags), 4);
    assert_eq!(tags(&house)[0], json!({ "env": "prod", "team": "web", "virtual:phase": "all" }));
    assert_eq!(tags(&house)[3], json!({ "virtual:phase": "all" }));
    change("{ is_active: false }");
    assert_eq!(tag(&house, TaggedCharges::OfChangedTags), 4);
    assert_eq!(tags(&house)[..3], before[..3]);
    change("{ is_active: true }");
    tag(&house, TaggedCharges::OfChangedTags);
    answers(&house, &format!("mutation {{ delete_virtual_tag_by_pk({PK}) {{ id }} }}"));
    assert_eq!(tag(&house, TaggedCharges::OfChangedTags), 4);
    assert_eq!(tags(&house)[..3], before[..3]);
    assert_eq!(tag(&house, TaggedCharges::All), 0, "nothing is left to be taken away");
}

#[test]
fn after_an_import_only_charges_of_its_days_are_looked_at() {
    let house = House::new();
    answers(&house, STAGE);
    tag(&house, TaggedCharges::OfChangedTags);
    bill(&house);
    let days = |from, until| TaggedCharges::Between(time(from), time(until) + DAY - 1);
    assert_eq!(tag(&house, TaggedCharges::OfChangedTags), 0);
    assert_eq!(tag(&house, days("2026-10-02", "2026-10-02")), 1);
    assert_eq!(tag(&house, days("2026-10-01", "2026-10-31")), 2);
}

#[test]
fn what_is_derived_is_no_news_for_the_audit_trail_and_does_not_count_as_tagged() {
    let house = House::new();
    bill(&house);
    answers(&house, STAGE);
    let count = "{ audit_trail_aggregate { aggregate { count } } }";
    let before = answers(&house, count);
    tag(&house, TaggedCharges::All);
    assert_eq!(answers(&house, count), before);
    let found = answers(
        &house,
        r#"{ tag_coverage(request: { from: "2026-10-01", to: "2026-10-31" }) {
            tagged keys { key } virtual_tags { key amount values } spellings { keys }
        } }"#,
    );
    assert_eq!(
        found["tag_coverage"],
        json!({
            "tagged": 90,
            "keys": [{ "key": "env" }, { "key": "team" }, { "key": "Env" }],
            "virtual_tags": [{ "key": "virtual:stage", "amount": 99.5, "values": 3 }],
            "spellings": [{ "keys": ["env", "Env"] }],
        })
    );
}

#[test]
fn a_preview_tells_what_tagging_gives() {
    let house = House::new();
    bill(&house);
    let preview = |more: &str| {
        let found = answers(
            &house,
            &format!(
                r#"{{ virtual_tag_preview(request: {{
                    from: "2026-10-01", to: "2026-10-31"
                    rules: [{{ tags: ["env", "Env"] }}, {{ scope: {{ service_name: ["Support", "Compute"] }}, value: "shared" }}]
                    {more}
                }}) {{ rows {{ rule value currency amount charges }} without {{ service_name currency amount charges }} }} }}"#
            ),
        );
        found["virtual_tag_preview"].clone()
    };
    let row = |rule: Json, value: Json, amount: f64| {
        let amount = serde_json::from_str::<Json>(&amount.to_string()).unwrap();
        json!({ "rule": rule, "value": value, "currency": "USD", "amount": amount, "charges": 1 })
    };
    let of_rules = [
        row(json!(1), json!("prod"), 60.0),
        row(json!(1), json!("dev"), 30.0),
        row(json!(2), json!("shared"), 9.5),
    ];
    let found = preview("");
    assert_eq!(found["rows"].as_array().unwrap()[..3], of_rules);
    assert_eq!(found["rows"][3], row(Json::Null, Json::Null, 0.5));
    assert_eq!(
        found["without"],
        json!([{ "service_name": "Storage", "currency": "USD", "amount": 0.5, "charges": 1 }])
    );
    let found = preview(r#"other_value: "rest""#);
    assert_eq!(found["rows"][3], row(Json::Null, json!("rest"), 0.5));
    assert_eq!(found["without"], json!([]));
}

#[test]
fn a_tag_that_cannot_be_worked_out_is_not_stored() {
    let house = House::new();
    let add = |object: &str| {
        refuses(&house, &format!("mutation {{ insert_virtual_tag_one(object: {{ {object} }}) {{ id }} }}"))
    };
    assert!(add(r#"key: "a b", name: "A""#).contains("`key`"));
    assert!(add(r#"key: "a", name: " ""#).contains("`name`"));
    assert!(
        add(r#"key: "a", name: "A", rules: [{ scope: { planet: ["Mars"] }, value: "x" }]"#)
            .contains("planet")
    );
}
