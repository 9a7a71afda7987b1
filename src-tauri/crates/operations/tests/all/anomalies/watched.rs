//! Tests of configured anomalies: measurements and event counts by rule, costs by declared tag and by hour.

use crate::house::{House, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date};
use operations::TaggedCharges;
use operations::cost_anomalies::{Outcome, refresh, run};
use serde_json::{Value as Json, json};
use store::{StoreError, eq, gt};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;
/// The measurements end at midnight before this day.
const UNTIL: &str = "2026-10-20";
const MACHINE: Uuid = Uuid::from_u128(0xe001);

fn day(text: &str) -> i64 {
    i64::from(parse_date(text).unwrap())
}

#[track_caller]
fn ask(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

fn write(house: &House, work: impl Fn(&store::Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

fn changes(outcome: &Outcome) -> (usize, usize, usize) {
    (outcome.changes.added, outcome.changes.updated, outcome.changes.removed)
}

/// A machine with a processor usage of 30 to 31% for six weeks, and of 90% for three hours on 15 October.
fn measured(house: &House) {
    write(house, |rows| {
        rows.insert(
            "cloud_resourses",
            &[
                ("id", MACHINE.into()),
                ("account", OWN.into()),
                ("cloud_provider", "AWS".into()),
                ("name", "web-1".into()),
                ("region", "eu".into()),
                ("resourse_id", "i-1".into()),
                ("service_name", "EC2".into()),
                ("status", "Active".into()),
                ("type", "VM".into()),
            ],
        )?;
        let spike = day("2026-10-15") * 24 + 9;
        for hour in (day(UNTIL) - 42) * 24..day(UNTIL) * 24 {
            let busy = (spike..spike + 3).contains(&hour);
            // Two measurements an hour, whose mean is judged.
            for (half, more) in [(0, 0.0), (1, 1.0)] {
                rows.insert(
                    "cloud_resource_metrics",
                    &[
                        ("cloud_account_id", OWN.into()),
                        ("cloud_resource_id", MACHINE.into()),
                        ("metric", "CPUUtilization".into()),
                        ("metric_type", "average".into()),
                        ("tags", ValueRef::Json(r#"{"unit": "%"}"#)),
                        ("timestamp", ValueRef::Timestamp(hour * HOUR + half * HOUR / 2)),
                        ("value", ValueRef::Float(if busy { 89.5 + more } else { 30.0 + more })),
                    ],
                )?;
            }
        }
        Ok(())
    });
}

fn rule(house: &House, anomaly_type: &str, more: &str) -> String {
    let made = house.answers(&format!(
        r#"mutation {{ anomaly_config_create(request: {{ account_id: "{OWN}", anomaly_type: {anomaly_type} {more} }}) {{ id }} }}"#
    ));
    judge(house);
    made["anomaly_config_create"]["id"].as_str().unwrap().to_owned()
}

/// Judges changed rules, as the service does after each change. Returns the number of tenants.
fn judge(house: &House) -> usize {
    operations::judge_changed_rules(&house.store).unwrap()
}

fn kept(house: &House) -> Json {
    ask(
        house,
        "{ anomaly(order_by: { started_on: asc }) { id scope name anomaly_type config_id currency impact state is_anomaly feedback started_on current_value reference_value } }",
    )["anomaly"]
        .clone()
}

#[test]
fn a_rule_has_measurements_judged_and_what_it_found_goes_with_it() {
    let house = House::new();
    measured(&house);
    assert_eq!(run(&house.store, TENANT, None).unwrap().measured.len(), 0, "nobody asks for it");
    let id = rule(&house, "CPU", "buffer_percentage: 25");
    let rows = kept(&house);
    let [one] = rows.as_array().unwrap().as_slice() else { panic!("{rows}") };
    assert_eq!(
        (&one["scope"], &one["name"], &one["anomaly_type"]),
        (&"metric".into(), &"web-1".into(), &"CPU".into())
    );
    assert_eq!(
        (&one["config_id"], &one["current_value"], &one["started_on"]),
        (&json!(id), &json!(90), &"2026-10-15".into())
    );
    assert_eq!((&one["state"], &one["is_anomaly"]), (&"OVER".into(), &true.into()));
    // It is not money, and nothing is summed.
    assert!(one["currency"].is_null() && one["impact"].is_null(), "{one}");
    let reference = &one["reference_value"];
    assert_eq!(
        (&reference["unit"], &reference["grain"], &reference["rule"]),
        (&"%".into(), &"hour".into(), &"A: same hour".into())
    );
    assert_eq!(reference["run"].as_array().unwrap().len(), 3);
    let demand = json!({ "unit": "P99", "period": "1w", "operator": "GT", "buffer_percentage": 25, "value": 30.5, "bound": 38.125 });
    assert_eq!(reference["reference"], demand);
    let again = run(&house.store, TENANT, None).unwrap();
    assert_eq!((again.measured.len(), changes(&again)), (1, (0, 0, 0)));
    let told = ask(
        &house,
        "mutation { spend_anomalies_analyse { findings { id } measured { name unit current_value } } }",
    );
    let of_run =
        json!({ "findings": [], "measured": [{ "name": "web-1", "unit": "%", "current_value": 90 }] });
    assert_eq!(told["spend_anomalies_analyse"], of_run);
    // A stricter rule finds nothing, and a disabled one is not evaluated.
    let change = |what: &str| {
        house.answers(&format!(
            r#"mutation {{ anomaly_config_update(request: {{ id: "{id}", {what} }}) {{ id }} }}"#
        ));
        judge(&house);
        kept(&house).as_array().unwrap().len()
    };
    assert_eq!([change("buffer_percentage: 250"), change("buffer_percentage: 25")], [0, 1]);
    assert_eq!([change("change_operator: LT"), change("change_operator: GTE")], [0, 1]);
    assert_eq!([change("enabled: false"), change("enabled: true")], [0, 1]);
    let refused = house.refuses(&format!(
        r#"mutation {{ anomaly_config_update(request: {{ id: "{id}", reference_unit: "best" }}) {{ id }} }}"#
    ));
    assert!(refused.contains("`reference_unit` is \"best\": expected a percentile such as P99"), "{refused}");
    let drivers = format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: {} }}) {{ impact }} }}",
        kept(&house)[0]["id"]
    );
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), &drivers);
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("is of no cost"), "{answer}");
}

/// Stores the rows of a rule as the table interface does, with any operation.
fn store_rule(house: &House, id: u128, enabled: bool) {
    let set = [
        ("id", Uuid::from_u128(id).into()),
        ("cloud_account_id", OWN.into()),
        ("anomaly_type", "CPU".into()),
        ("change_operator", "GT".into()),
        ("enabled", enabled.into()),
        ("created_by", PERSON.into()),
        ("updated_by", PERSON.into()),
    ];
    write(house, |rows| rows.upsert("anomaly_config", &["id"], &set, &[]));
}

fn rules_found(house: &House) -> Vec<String> {
    let rows = kept(house);
    rows.as_array().unwrap().iter().map(|row| row["config_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_change_of_a_rule_waits_for_no_measurements_and_is_judged_once_after_it() {
    let house = House::new();
    measured(&house);
    store_rule(&house, 0xc1, true);
    assert_eq!(rules_found(&house), [""; 0], "nothing is judged while others wait to write");
    // After a crash in between, the pending evaluation is still recorded.
    assert_eq!((judge(&house), rules_found(&house).len()), (1, 1));
    assert_eq!(judge(&house), 0);
}

#[test]
fn with_a_rule_that_is_off_or_deleted_what_it_found_goes_in_the_same_transaction() {
    let house = House::new();
    measured(&house);
    let first = Uuid::from_u128(0xc1);
    store_rule(&house, 0xc1, true);
    store_rule(&house, 0xc2, true);
    judge(&house);
    assert_eq!(rules_found(&house), [first.to_string()], "of two that watch the same one tells of it");
    let delete = format!(
        r#"mutation {{ delete_anomaly_config(where: {{ id: {{ _eq: "{first}" }} }}) {{ affected_rows }} }}"#
    );
    assert_eq!(ask(&house, &delete)["delete_anomaly_config"]["affected_rows"], 1);
    assert_eq!(rules_found(&house), [""; 0]);
    // The other rule is evaluated afterwards.
    judge(&house);
    assert_eq!(rules_found(&house), [Uuid::from_u128(0xc2).to_string()]);
    store_rule(&house, 0xc2, false);
    assert_eq!(rules_found(&house), [""; 0]);
}

#[test]
fn nothing_after_the_day_is_read_and_measurements_that_go_take_findings_with_them() {
    let house = House::new();
    measured(&house);
    rule(&house, "CPU", "");
    let as_of = |day: &str| {
        let found = run(&house.store, TENANT, Some(day)).unwrap();
        found.measured.iter().map(|row| (row.state, row.current_value)).collect::<Vec<_>>()
    };
    assert_eq!(as_of("2026-10-14"), []);
    assert_eq!(as_of("2026-10-16"), [("OVER", Decimal::from(90))]);
    // Undoing an import removes its measurements; the last remaining hour may be incomplete.
    let since = |hour: i64| ValueRef::Timestamp((day("2026-10-15") * 24 + hour) * HOUR);
    let cut = |hour: i64| {
        write(&house, |rows| {
            rows.delete("cloud_resource_metrics", &[gt("timestamp", since(hour))]).map(drop)
        });
        let found = refresh(&house.store, TENANT).unwrap();
        found.measured.iter().map(|row| row.state).collect::<Vec<_>>()
    };
    assert_eq!(cut(11), ["GROWING"]);
    assert_eq!(cut(10), ["NEW"]);
    assert_eq!(cut(9), [""; 0]);
    assert_eq!(kept(&house), json!([]));
}

#[test]
fn what_people_say_of_a_measurement_is_heeded() {
    let house = House::new();
    measured(&house);
    rule(&house, "CPU", "");
    let id = kept(&house)[0]["id"].as_str().unwrap().to_owned();
    let say = |what: &str| {
        ask(
            &house,
            &format!(
                r#"mutation {{ anomaly_feedback(request: {{ anomaly_id: "{id}" {what} }}) {{ verdict }} }}"#
            ),
        );
        let found = refresh(&house.store, TENANT).unwrap();
        (found.measured.len(), kept(&house)[0]["is_anomaly"].clone())
    };
    assert_eq!(say(r#"verdict: "wrong""#), (0, json!(false)));
    assert_eq!(say(""), (1, json!(true)));
    assert_eq!(say(r#"verdict: "expected", expected_until: "2026-10-18""#), (0, json!(false)));
    assert_eq!(say(r#"verdict: "useful""#), (1, json!(true)));
}

#[test]
fn events_that_begin_faster_than_usual_are_found() {
    let house = House::new();
    write(&house, |rows| {
        let mut number = 0_u128;
        let mut event = |kind: &str, at: i64| {
            number += 1;
            let finding = number.to_string();
            rows.insert(
                "events",
                &[
                    ("id", Uuid::from_u128(0xf0_0000 + number).into()),
                    ("cloud_account_id", OWN.into()),
                    ("aggregation_key", kind.into()),
                    ("cluster", "".into()),
                    ("evidences", ValueRef::Json("[]")),
                    ("finding_id", finding.as_str().into()),
                    ("finding_type", "issue".into()),
                    ("priority", "HIGH".into()),
                    ("source", "prometheus".into()),
                    ("subject_name", kind.into()),
                    ("title", kind.into()),
                    ("starts_at", ValueRef::Timestamp(at)),
                ],
            )
        };
        for hour in (day(UNTIL) - 21) * 24..day(UNTIL) * 24 {
            if hour % 5 == 0 {
                event("PodRestarts", hour * HOUR)?;
            }
            if hour % 7 == 0 {
                event("DiskFull", hour * HOUR + 1)?;
            }
        }
        let storm = (day("2026-10-19") * 24 + 9) * HOUR;
        (0..40).try_for_each(|second| event("PodRestarts", storm + second * 1_000_000))
    });
    rule(&house, "Events", "");
    let rows = kept(&house);
    let [one] = rows.as_array().unwrap().as_slice() else { panic!("{rows}") };
    assert_eq!(
        (&one["scope"], &one["name"], &one["anomaly_type"]),
        (&"events".into(), &"PodRestarts".into(), &"Events".into())
    );
    assert_eq!(
        (&one["reference_value"]["unit"], &one["started_on"]),
        (&"events".into(), &"2026-10-19".into())
    );
    // While it is recent, a notice reports it, without an amount.
    operations::review::review(&house.store, TENANT).unwrap();
    let notices = ask(&house, r#"{ notice(where: { subject: { _eq: "anomaly" } }) { title } }"#);
    let title = notices["notice"][0]["title"].as_str().unwrap_or_else(|| panic!("{notices}"));
    assert!(title.starts_with("Number of events out of the ordinary: PodRestarts in "), "{title}");
}

/// A charge for each hour of 42 days (or one for each day), for each team of two services in two accounts.
fn bill(house: &House, by_hour: bool, amount: impl Fn(i64, &str, &str) -> i64) {
    write(house, |rows| {
        for (account, service) in
            [(OWN, "VM"), (OWN, "Disk"), (OWN, "Queue"), (OTHER, "VM"), (OTHER, "DNS"), (OTHER, "Logs")]
        {
            for step in 0..if by_hour { 42 * 24 } else { 42 } {
                let length = if by_hour { HOUR } else { DAY };
                let at = (day(UNTIL) - 42) * DAY + step * length;
                for team in ["web", "data"] {
                    let tags = format!(r#"{{"team":"{team}"}}"#);
                    rows.insert(
                        "spends",
                        &[
                            ("cloud_account", account.into()),
                            ("date", ValueRef::Timestamp(at)),
                            ("period_end", ValueRef::Timestamp(at + length)),
                            ("amount", ValueRef::Decimal(Decimal::from(amount(at, service, team)))),
                            ("service_name", service.into()),
                            ("charge_category", "Usage".into()),
                            ("billing_account_id", "bill".into()),
                            ("tags", ValueRef::Json(&tags)),
                            ("import_id", ValueRef::Null),
                        ],
                    )?;
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_value_of_a_declared_tag_is_a_series_of_its_own() {
    let house = House::new();
    // 25 more for one team of each service: too little for any single service.
    let spike = day("2026-10-10");
    bill(&house, false, |at, _, team| 100 + if at / DAY == spike && team == "web" { 25 } else { 0 });
    assert_eq!(run(&house.store, TENANT, None).unwrap().findings.len(), 0, "no tag is declared");
    let tag = r#"mutation { insert_virtual_tag_one(object: { key: "team", name: "Team", rules: [{ tags: ["team"] }] }) { key } }"#;
    ask(&house, tag);
    operations::allocate_all(&house.store, TaggedCharges::OfChangedTags).unwrap();
    let rows = kept(&house);
    let [one] = rows.as_array().unwrap().as_slice() else { panic!("{rows}") };
    assert_eq!(
        (&one["scope"], &one["name"], &one["anomaly_type"]),
        (&"tag".into(), &"team: web".into(), &"CloudSpendTag".into())
    );
    assert_eq!(
        (&one["reference_value"]["tag"], &one["impact"]),
        (&json!({ "key": "team", "value": "web" }), &json!(150))
    );
    let again = run(&house.store, TENANT, None).unwrap();
    assert_eq!((again.findings.len(), changes(&again)), (1, (0, 0, 0)));
    let drivers = format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: {} }}) {{ impact rows {{ dimension name amount }} days {{ date amount }} }} }}",
        one["id"]
    );
    let told = ask(&house, &drivers)["spend_anomaly_drivers"].clone();
    let of =
        |name: &str| told["rows"].as_array().unwrap().iter().filter(|row| row["dimension"] == name).count();
    assert_eq!((of("service"), of("account")), (5, 2), "{told}");
    let on_spike = told["days"].as_array().unwrap().iter().find(|day| day["date"] == "2026-10-10").unwrap();
    assert_eq!(on_spike["amount"], json!(6 * 125));
    // Feedback applies to this value of the tag.
    let said = format!(
        r#"mutation {{ anomaly_feedback(request: {{ anomaly_id: {}, verdict: "wrong" }}) {{ verdict }} }}"#,
        one["id"]
    );
    ask(&house, &said);
    assert_eq!(refresh(&house.store, TENANT).unwrap().findings.len(), 0);
    // Removing the tag removes its anomalies.
    ask(&house, r#"mutation { delete_virtual_tag(where: { key: { _eq: "team" } }) { affected_rows } }"#);
    operations::allocate_all(&house.store, TaggedCharges::OfChangedTags).unwrap();
    assert_eq!(refresh(&house.store, TENANT).unwrap().findings.len(), 0);
}

#[test]
fn hours_that_their_day_hides_are_found_where_charges_tell_hours() {
    let house = House::new();
    let spike = (day("2026-10-10") * 24 + 3) * HOUR;
    let amount = |at: i64, service: &str, _: &str| {
        let level = if (8..20).contains(&(at / HOUR % 24)) { 50 } else { 10 };
        level + if service == "Queue" && (spike..spike + 2 * HOUR).contains(&at) { 15 } else { 0 }
    };
    bill(&house, true, amount);
    let found = run(&house.store, TENANT, None).unwrap();
    let rows = kept(&house);
    let [one] = rows.as_array().unwrap().as_slice() else { panic!("{rows}") };
    assert_eq!(
        (&one["scope"], &one["name"], &one["impact"]),
        (&"service".into(), &"Queue".into(), &json!(60))
    );
    assert_eq!(one["reference_value"]["run"][0]["date"], "2026-10-10T03:00:00");
    assert_eq!(changes(&found), (1, 0, 0));
    assert_eq!(changes(&run(&house.store, TENANT, None).unwrap()), (0, 0, 0));
    let drivers = format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: {} }}) {{ rows {{ dimension name actual amount }} days {{ date amount }} }} }}",
        one["id"]
    );
    let told = ask(&house, &drivers)["spend_anomaly_drivers"].clone();
    let service = told["rows"].as_array().unwrap().iter().find(|row| row["dimension"] == "service").unwrap();
    // Two hours of two teams, and nothing of the rest of the day.
    assert_eq!((&service["actual"], &service["amount"]), (&json!(100), &json!(60)));
    assert_eq!(told["days"][0]["date"], "2026-10-07T00:00:00");
    // For a day with an anomaly, its hours are not reported.
    write(&house, |rows| {
        let hours = [eq("service_name", "Queue"), eq("date", ValueRef::Timestamp(spike))];
        rows.update("spends", &hours, &[("amount", ValueRef::Decimal(Decimal::from(2_000)))]).map(drop)
    });
    let found = run(&house.store, TENANT, None).unwrap();
    let told: Vec<&Json> = found.findings.iter().map(|row| &row.reference_value["grain"]).collect();
    assert_eq!(told, [&Json::Null]);
}
