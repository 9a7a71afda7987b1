//! Tests of triggers of workflows: finished imports, budget thresholds, anomalies.
//!
//! Each fires once, even across a restart of the service.

use crate::house::{House, NOW, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, ValueRef, parse_date};
use operations::review::review;
use operations::runs;
use serde_json::{Value, json};
use store::{StoreError, Transaction, eq, is_null};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

fn on() -> House {
    let house = House::new();
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    house
}

fn write(house: &House, work: impl Fn(&Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system_for(TENANT), |rows| work(rows)).unwrap();
}

/// The author of the workflows can see the whole tenant.
fn oversees(house: &House) {
    write(house, |rows| {
        rows.insert(
            "user_roles",
            &[
                ("tenant_id", TENANT.into()),
                ("entity_id", TENANT.to_string().as_str().into()),
                ("entity_type", "tenant".into()),
                ("role", "tenant_admin".into()),
                ("user_id", PERSON.into()),
                ("created_by", PERSON.into()),
            ],
        )
    });
}

fn listens(house: &House, trigger: &str) -> String {
    let made = house.answers(&format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "listener", status: "ACTIVE", definition: {{
          triggers: [{trigger}] tasks: [{{ id: "say", type: "core.print", params: {{ message: "heard" }} }}] }} }} }}) {{ id }} }}"#
    ));
    made["workflow_create"]["id"].as_str().unwrap().to_owned()
}

/// The keys and inputs of the runs of a workflow.
fn heard(house: &House, workflow: &str) -> Vec<(String, Value)> {
    let id = Uuid::parse_str(workflow).unwrap();
    let columns = ["idempotency_key", "inputs", "trigger_type"];
    let found = house.store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
        rows.select("workflow_execution", &columns, &[eq("workflow_id", id)])
    });
    let mut runs: Vec<(String, Value)> = found
        .unwrap()
        .iter()
        .map(|row| {
            let inputs: Value = serde_json::from_str(row[1].as_text().unwrap()).unwrap();
            let trigger = row[2].as_text().unwrap();
            (row[0].as_text().unwrap().to_owned(), inputs[trigger].clone())
        })
        .collect();
    runs.sort_by(|one, other| one.0.cmp(&other.0));
    runs
}

fn ends(house: &House, id: Uuid, state: &str, format: &str) {
    let report =
        json!({ "accounts": [{ "number": "1", "name": "shop", "provider": "AWS" }], "skipped": [1, 2] });
    write(house, |rows| {
        let row = [
            ("id", id.into()),
            ("file_name", "bill.csv".into()),
            ("size_bytes", ValueRef::Int(7)),
            ("sha256", "ab".into()),
            ("format", format.into()),
            ("state", state.into()),
            ("rows_written", ValueRef::Int(12)),
            ("report", ValueRef::Json(&report.to_string())),
        ];
        rows.upsert("imports", &["id"], &row, &[])
    });
}

#[test]
fn an_import_that_ends_starts_workflows_once() {
    let house = on();
    let id = listens(
        &house,
        r#"{ type: "import", params: { formats: ["focus"], filter: "{{ import.rows_written > 10 }}" } }"#,
    );
    let import = Uuid::from_u128(7);
    for state in ["waiting", "running"] {
        ends(&house, import, state, "focus");
    }
    assert_eq!(heard(&house, &id), []);
    ends(&house, import, "done", "focus");
    ends(&house, Uuid::from_u128(8), "done", "trivy");
    ends(&house, Uuid::from_u128(9), "failed", "focus");
    let house = house.opened_again();
    ends(&house, import, "done", "focus");
    let runs = heard(&house, &id);
    assert_eq!(runs.len(), 1, "{runs:?}");
    let (key, import) = &runs[0];
    assert_eq!(key, "import:00000000-0000-0000-0000-000000000007:done");
    assert_eq!((&import["file_name"], &import["accounts"][0]["number"]), (&json!("bill.csv"), &json!("1")));
    assert_eq!(import["report"], Value::Null, "a report can be very long");
}

#[test]
fn imports_that_failed_are_heard_where_that_is_asked_for() {
    let house = on();
    let id = listens(&house, r#"{ type: "import", params: { states: "failed" } }"#);
    ends(&house, Uuid::from_u128(8), "done", "focus");
    ends(&house, Uuid::from_u128(9), "failed", "focus");
    let keys: Vec<String> = heard(&house, &id).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["import:00000000-0000-0000-0000-000000000009:failed"]);
}

/// 100 a day from 1 August to 11 October.
fn bill(house: &House) {
    bill_of(house, "2026-08-01", "2026-10-12");
}

/// 100 a day, excluding the second date.
fn bill_of(house: &House, from: &str, until: &str) {
    write(house, |rows| {
        for day in parse_date(from).unwrap()..parse_date(until).unwrap() {
            let begin = i64::from(day) * DAY;
            rows.insert(
                "spends",
                &[
                    ("cloud_account", OWN.into()),
                    ("date", ValueRef::Timestamp(begin)),
                    ("period_end", ValueRef::Timestamp(begin + DAY)),
                    ("amount", ValueRef::Decimal(Decimal::from(100))),
                    ("effective_cost", ValueRef::Decimal(Decimal::from(100))),
                    ("unit", "USD".into()),
                    ("service_name", "VM".into()),
                    ("charge_category", "Usage".into()),
                ],
            )?;
        }
        Ok(())
    });
}

fn budget(house: &House) {
    write(house, |rows| {
        let thresholds = r#"[50, 80, 100, { "percent": 110, "on": "forecast" }]"#;
        rows.insert(
            "budget",
            &[
                ("name", "shop".into()),
                ("amount", ValueRef::Decimal(Decimal::from(1300))),
                ("thresholds", ValueRef::Json(thresholds)),
            ],
        )
    });
}

#[test]
fn thresholds_of_budgets_start_workflows_once_by_bill_and_by_forecast() {
    let house = on();
    oversees(&house);
    let both = listens(&house, r#"{ type: "budget", params: { budgets: ["shop"] } }"#);
    bill(&house);
    budget(&house);
    let changes = review(&house.store, TENANT).unwrap();
    assert_eq!(changes.raised, 3, "80% were billed, 110% are expected, and no bill came for three weeks");
    let house = house.opened_again();
    review(&house.store, TENANT).unwrap();
    let runs: Vec<Value> = heard(&house, &both).into_iter().map(|(_, budget)| budget).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");
    let told = |on: &str| runs.iter().find(|run| run["on"] == on).cloned().unwrap();
    let (actual, forecast) = (told("actual"), told("forecast"));
    assert_eq!((&actual["percent"], &actual["spent"]), (&json!(80), &json!(1100)));
    assert_eq!((&actual["period_start"], &actual["name"]), (&json!("2026-10-01"), &json!("shop")));
    assert_eq!((&forecast["percent"], &forecast["forecast"]), (&json!(110), &json!(3100)));
}

/// The keys of active notices about budgets, without the budget.
fn standing_budgets(house: &House) -> Vec<String> {
    let standing = [eq("subject", "budget"), is_null("ended_at")];
    let found = house.store.snapshot::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
        rows.select("notice", &["key"], &standing)
    });
    let found = found.unwrap();
    let keys = found.iter().map(|row| row[0].as_text().unwrap());
    keys.map(|key| key.splitn(3, ':').last().unwrap().to_owned()).collect()
}

#[test]
fn a_threshold_that_the_last_days_of_a_month_reach_is_told_when_their_bill_begins_the_next_month() {
    let house = House::new();
    bill_of(&house, "2026-09-01", "2026-10-28");
    let add = |name: &str, changed: &str| {
        let changed = i64::from(parse_date(changed).unwrap()) * DAY;
        write(&house, |rows| {
            let amount = ValueRef::Decimal(Decimal::from(3000));
            let changed = ("updated_at", ValueRef::Timestamp(changed));
            rows.insert("budget", &[("name", name.into()), ("amount", amount), changed])
        });
    };
    add("shop", "2026-10-02");
    review(&house.store, TENANT).unwrap();
    // A threshold reached in September does not concern the budget of October.
    assert_eq!(standing_budgets(&house), ["2026-10-01:actual:80"]);
    bill_of(&house, "2026-10-28", "2026-11-02");
    add("of November", "2026-11-01");
    review(&house.store, TENANT).unwrap();
    assert_eq!(standing_budgets(&house), ["2026-10-01:actual:100"]);
}

#[test]
fn a_budget_trigger_hears_what_it_asks_for() {
    for (params, expected) in [
        (r#"{ on: "forecast" }"#, 1),
        (r"{ percent: 90 }", 1),
        (r#"{ budgets: "lab" }"#, 0),
        (r#"{ filter: "{{ budget.spent > 1000 and budget.on == 'actual' }}" }"#, 1),
    ] {
        let house = on();
        oversees(&house);
        let id = listens(&house, &format!(r#"{{ type: "budget", params: {params} }}"#));
        bill(&house);
        budget(&house);
        review(&house.store, TENANT).unwrap();
        assert_eq!(heard(&house, &id).len(), expected, "{params}");
    }
}

#[test]
fn what_is_about_the_whole_tenant_is_not_heard_by_people_who_see_accounts_alone() {
    let house = on();
    let id = listens(&house, r#"{ type: "budget", params: {} }"#);
    bill(&house);
    budget(&house);
    assert_eq!(review(&house.store, TENANT).unwrap().raised, 3);
    assert_eq!(heard(&house, &id), []);
}

fn anomaly(house: &House, id: u128, account: Uuid, scope: Option<&str>, last_day: &str) {
    let last = parse_date(last_day).unwrap();
    write(house, |rows| {
        let mut row = vec![
            ("id", Uuid::from_u128(id).into()),
            ("account_id", account.into()),
            ("anomaly_type", "CloudSpendService".into()),
            ("current_value", ValueRef::Decimal(Decimal::from(500))),
            ("evaluated_at", ValueRef::Timestamp(NOW)),
            ("is_anomaly", true.into()),
            ("name", "VM".into()),
            ("reference_value", ValueRef::Json("{}")),
        ];
        if let Some(scope) = scope {
            row.extend([
                ("scope", scope.into()),
                ("currency", "USD".into()),
                ("started_on", ValueRef::Date(last)),
                ("ended_on", ValueRef::Date(last)),
                ("state", "NEW".into()),
                ("impact", ValueRef::Decimal(Decimal::from(400))),
            ]);
        }
        rows.insert("anomaly", &row)
    });
}

#[test]
fn anomalies_start_workflows_of_their_account_once() {
    let house = on();
    let id = listens(&house, r#"{ type: "anomaly", params: { names: ["VM"] } }"#);
    anomaly(&house, 1, OWN, Some("service"), "2026-10-30");
    anomaly(&house, 2, OTHER, Some("service"), "2026-10-30");
    anomaly(&house, 3, OWN, Some("service"), "2026-05-01");
    anomaly(&house, 4, TENANT, Some("total"), "2026-10-30");
    assert_eq!(heard(&house, &id), [], "costs are told when they are raised");
    review(&house.store, TENANT).unwrap();
    let house = house.opened_again();
    review(&house.store, TENANT).unwrap();
    let runs = heard(&house, &id);
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!(runs[0].0, "anomaly:00000000-0000-0000-0000-000000000001");
    assert_eq!((&runs[0].1["impact"], &runs[0].1["started_on"]), (&json!(400), &json!("2026-10-30")));
}

#[test]
fn totals_and_metrics_are_anomalies_too() {
    let house = on();
    oversees(&house);
    let id = listens(&house, r#"{ type: "anomaly", params: { filter: "{{ anomaly.name == 'VM' }}" } }"#);
    anomaly(&house, 4, TENANT, Some("total"), "2026-10-30");
    anomaly(&house, 5, OWN, None, "2026-10-30");
    review(&house.store, TENANT).unwrap();
    let keys: Vec<String> = heard(&house, &id).into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        keys,
        ["anomaly:00000000-0000-0000-0000-000000000004", "anomaly:00000000-0000-0000-0000-000000000005"]
    );
    let told = house.store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
        rows.select("notice", &["title"], &[eq("subject", "anomaly")])
    });
    let titles: Vec<_> = told.as_deref().unwrap().iter().map(|row| row[0].as_text()).collect();
    assert_eq!(titles, [Some("All accounts cost USD 400.00 more than expected since 30 Oct 2026")]);
}

#[test]
fn a_recommendation_is_heard_by_the_name_of_its_cluster_and_by_its_id() {
    let house = on();
    let named = house.answers(&format!(r#"{{ cloud_accounts_by_pk(id: "{OWN}") {{ account_name }} }}"#));
    let name = named["cloud_accounts_by_pk"]["account_name"].as_str().unwrap().to_owned();
    let by = |cluster: &str| {
        let name = format!("listener {}", cluster.len());
        let made = house.answers(&format!(
            r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "{name}", status: "ACTIVE", definition: {{
              triggers: [{{ type: "optimization", params: {{ clusters: ["{cluster}"] }} }}]
              tasks: [{{ id: "say", type: "core.print", params: {{ message: "heard" }} }}] }} }} }}) {{ id }} }}"#
        ));
        made["workflow_create"]["id"].as_str().unwrap().to_owned()
    };
    let (by_name, by_id, other) = (by(&name), by(&OWN.to_string()), by("elsewhere"));
    write(&house, |rows| {
        rows.insert(
            "recommendation",
            &[
                ("cloud_account_id", OWN.into()),
                ("recommendation", ValueRef::Json("{}")),
                ("recommendation_action", "Modify".into()),
                ("rule_name", "krr container".into()),
                ("status", "Open".into()),
            ],
        )
    });
    assert_eq!(
        (heard(&house, &by_name).len(), heard(&house, &by_id).len(), heard(&house, &other).len()),
        (1, 1, 0)
    );
    let given = house.store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
        rows.select(
            "workflow_execution",
            &["inputs"],
            &[eq("workflow_id", Uuid::parse_str(&by_name).unwrap())],
        )
    });
    let given: Value = serde_json::from_str(given.unwrap()[0][0].as_text().unwrap()).unwrap();
    assert_eq!(given["recommendation"]["account_name"], json!(name));
}
