//! Tests of reports: compared with hand-computed results, sent once on schedule across restarts, stored without a channel.

mod many;
mod zones;

use crate::house::{House, NOW, OTHER, OWN, PERSON, TENANT};
use crate::notices::Double;
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date, parse_timestamp};
use operations::{NoModels, notices};
use serde_json::{Value, json};
use std::sync::Arc;
use store::StoreError;
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
const MAIL: &str = r#"name: "mail", kind: email, host: "smtp.example.com", sender: "q@example.com", recipients: ["team@example.com"]"#;

fn house() -> House {
    House::with_messengers(Arc::new(Double::default()))
}

fn admin() -> Caller {
    Caller::user(PERSON, TENANT, vec![Role::TenantAdmin])
}

#[track_caller]
fn ask(house: &House, query: &str) -> Value {
    let answer = house.ask_as(&admin(), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

#[track_caller]
fn refusal(house: &House, query: &str) -> String {
    let answer = house.ask_as(&admin(), query);
    answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Charges: account, day, amount, service.
fn bill(house: &House, charges: &[(Uuid, &str, &str, &str)]) {
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for (account, day, amount, service) in charges {
            let day = ValueRef::Timestamp(i64::from(parse_date(day).unwrap()) * DAY);
            let amount = Decimal::parse(amount).unwrap();
            let cells = [
                ("cloud_account", (*account).into()),
                ("date", day),
                ("amount", amount.into()),
                ("unit", "USD".into()),
                ("service_name", (*service).into()),
            ];
            rows.insert("spends", &cells)?;
        }
        Ok(())
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

const CHARGES: [(Uuid, &str, &str, &str); 5] = [
    (OWN, "2026-09-03", "10.005", "Compute"),
    (OWN, "2026-10-05", "20", "Compute"),
    (OTHER, "2026-10-06", "5.5", "Storage"),
    (OWN, "2026-10-30", "0.25", "Compute"),
    // After the last day covered by the schedule below.
    (OWN, "2026-11-02", "1000", "Compute"),
];

#[track_caller]
fn add(house: &House, object: &str) -> String {
    let added =
        ask(house, &format!("mutation {{ insert_scheduled_report_one(object: {{ {object} }}) {{ id }} }}"));
    added["insert_scheduled_report_one"]["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn channel(house: &House, object: &str) -> String {
    let saved = ask(house, &format!("mutation {{ notice_channel_save(object: {{ {object} }}) {{ id }} }}"));
    saved["notice_channel_save"]["id"].as_str().unwrap().to_owned()
}

fn sent(store: &store::Store) -> Option<channels::Message> {
    let dispatch = notices::claim(store, Uuid::new_v4(), "https://q.example.com").unwrap()?;
    notices::settle(store, &dispatch, &Ok(()), 0.5).unwrap();
    Some(dispatch.message().clone())
}

/// Adds an open recommendation to delete a volume.
fn advise(
    rows: &store::Transaction<'_>,
    volume: &str,
    currency: &str,
    saving: Decimal,
) -> Result<(), StoreError> {
    let card = json!({ "currency": currency }).to_string();
    rows.insert(
        "recommendation",
        &[
            ("cloud_account_id", OWN.into()),
            ("account_object_id", volume.into()),
            ("category", "RightSizing".into()),
            ("recommendation", ValueRef::Json(&card)),
            ("recommendation_action", "Delete".into()),
            ("rule_name", "unattached_volume".into()),
            ("severity", "Low".into()),
            ("status", "Open".into()),
            ("estimated_savings", saving.into()),
        ],
    )
}

#[test]
fn costs_by_month_are_those_of_the_charges() {
    let house = house();
    bill(&house, &CHARGES);
    let found = ask(
        &house,
        "{ report_document(request: { kind: costs, settings: { months: 3 } }) { content files { name media_type base64 } } }",
    );
    let document = &found["report_document"];
    let section = &document["content"]["sections"][0];
    assert_eq!(document["content"]["subtitle"], "Billed cost by service, Sep 2026 to Nov 2026");
    assert_eq!(
        document["content"]["notes"],
        json!(["Nov 2026 is not over: its charges are known up to 2026-11-02."])
    );
    assert_eq!(section["title"], "USD");
    assert_eq!(
        section["table"]["rows"],
        json!([["Compute", "10.005", "20.25", "1000", "1030.255"], ["Storage", "0", "5.5", "0", "5.5"]])
    );
    assert_eq!(section["table"]["total"], json!(["Total", "10.005", "25.75", "1000", "1035.755"]));
    assert_eq!(
        section["chart"]["series"][0],
        json!({"name": "Compute", "values": ["10.005", "20.25", "1000"]})
    );
    let names: Vec<&Value> = document["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
    assert_eq!(
        names,
        ["costs-by-month_2026-11-01.pdf", "costs-by-month_2026-11-01.xlsx", "costs-by-month_2026-11-01.csv"]
    );
    assert!(document["files"][0]["base64"].as_str().unwrap().starts_with("JVBERi0"), "a PDF");
}

#[test]
fn a_report_follows_a_saved_view_of_the_explorer() {
    let house = house();
    bill(&house, &CHARGES);
    let save = |search: &str| {
        let one = format!(
            r#"mutation {{ insert_saved_view_one(object: {{ page: "costs/explorer", name: "Ours", search: {search} }}) {{ id }} }}"#
        );
        ask(&house, &one)["insert_saved_view_one"]["id"].as_str().unwrap().to_owned()
    };
    let view = save(r#"{ by: "account", filters: [{ field: "service", values: ["Storage"], not: true }] }"#);
    let content = |house: &House| {
        let query = format!(
            r#"{{ report_document(request: {{ kind: costs, settings: {{ months: 2, view_id: "{view}" }} }}) {{ content }} }}"#
        );
        ask(house, &query)["report_document"]["content"].clone()
    };
    let found = content(&house);
    assert_eq!(found["sections"][0]["table"]["rows"], json!([["shop", "20.25", "1000", "1020.25"]]));
    assert_eq!(found["notes"][0], "As the saved view \"Ours\" of the Explorer has it.");
    // Changes to the view affect the report.
    let change = format!(
        r#"mutation {{ update_saved_view_by_pk(pk_columns: {{ id: "{view}" }}, _set: {{ search: {{ filters: [{{ field: "service", values: ["Storage"] }}] }} }}) {{ id }} }}"#
    );
    ask(&house, &change);
    assert_eq!(content(&house)["sections"][0]["table"]["rows"], json!([["Storage", "5.5", "0", "5.5"]]));
    let add = |settings: &str| {
        format!(
            r#"mutation {{ insert_scheduled_report_one(object: {{ name: "x", settings: {settings} }}) {{ id }} }}"#
        )
    };
    let none = refusal(&house, &add(r#"{ view_id: "00000000-0000-4000-8000-0000000000ff" }"#));
    assert!(none.contains("it may have been removed"), "{none}");
    ask(
        &house,
        &change
            .replace(r#"{ filters: [{ field: "service", values: ["Storage"] }] }"#, r#"{ by: "resource" }"#),
    );
    let wrong = refusal(&house, &add(&format!(r#"{{ view_id: "{view}" }}"#)));
    assert_eq!(wrong, "the view Ours is by resource, which no report can be grouped by");
}

#[test]
fn costs_by_account_have_its_name() {
    let house = house();
    bill(&house, &CHARGES);
    let query = r#"{ report_document(request: { kind: costs, settings: { months: 1, group_by: "account_id" } }) { content } }"#;
    let found = ask(&house, query);
    assert_eq!(
        found["report_document"]["content"]["sections"][0]["table"]["rows"],
        json!([["shop", "1000", "1000"]])
    );
}

#[test]
fn a_report_is_sent_once_on_its_schedule_with_its_documents() {
    let house = house();
    bill(&house, &CHARGES);
    let channel = channel(&house, MAIL);
    // NOW is 2026-11-01T00:00:00Z; Monday 7:00 in Berlin is 6:00 UTC.
    let id = add(
        &house,
        &format!(
            r#"name: "Costs", settings: {{ months: 2 }}, schedule: "0 7 * * 1", timezone: "Europe/Berlin", channel_id: "{channel}", recipients: ["ada@example.com"]"#
        ),
    );
    let next = |house: &House| {
        ask(house, "{ scheduled_report { next_due_at } }")["scheduled_report"][0]["next_due_at"].clone()
    };
    assert_eq!(next(&house), "2026-11-02T06:00:00+00:00");
    let due = parse_timestamp("2026-11-02T06:00:00Z").unwrap();
    assert_eq!(operations::run_background_step(&house.store, &NoModels).unwrap(), Some(due), "it waits");
    assert!(sent(&house.store).is_none());
    // A day late: no service was running.
    let later = house.store.clone().with_clock(|| NOW + 2 * DAY);
    let after = parse_timestamp("2026-11-09T06:00:00Z").unwrap();
    assert_eq!(operations::run_background_step(&later, &NoModels).unwrap(), Some(after));
    let message = sent(&later).expect("it is on its way");
    assert_eq!(message.title(), "Costs");
    assert_eq!(message.recipients, ["ada@example.com"]);
    let text = message.text();
    assert!(
        text.contains("USD: Sep 2026 10.005, Oct 2026 25.75, Total 35.755"),
        "up to the day before: {text}"
    );
    assert!(text.contains(&format!("https://q.example.com/costs/reports?id={id}&run=")), "{text}");
    let names: Vec<&str> = message.attachments.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["costs_2026-11-02.pdf", "costs_2026-11-02.csv"]);
    assert!(message.attachments[0].bytes.starts_with(b"%PDF-1.7"));
    let house = house.opened_again();
    let later = house.store.clone().with_clock(|| NOW + 2 * DAY);
    assert_eq!(
        operations::run_background_step(&later, &NoModels).unwrap(),
        Some(after),
        "once, also over a restart"
    );
    assert!(sent(&later).is_none());
    let runs = ask(
        &house,
        "{ scheduled_report_run { due_at is_manual error notice { title deliveries { state } } } }",
    );
    assert_eq!(
        runs["scheduled_report_run"],
        json!([{"due_at": "2026-11-02T06:00:00+00:00", "is_manual": false, "error": null,
            "notice": {"title": "Costs", "deliveries": [{"state": "sent"}]}}])
    );
}

#[test]
fn two_services_send_a_report_once() {
    let house = house();
    bill(&house, &CHARGES);
    add(&house, r#"name: "Kept", schedule: "0 7 * * *""#);
    let later = house.store.clone().with_clock(|| NOW + DAY);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| operations::run_background_step(&later, &NoModels).unwrap());
        }
    });
    let runs = ask(&house, "{ scheduled_report_run { error notice_id } }");
    assert_eq!(runs["scheduled_report_run"], json!([{"error": null, "notice_id": null}]));
}

#[test]
fn a_report_is_sent_at_once_and_its_documents_are_kept() {
    let house = house();
    bill(&house, &CHARGES);
    let channel = channel(&house, MAIL);
    let id = add(&house, &format!(r#"name: "Costs", channel_id: "{channel}", formats: ["csv"]"#));
    let run = ask(&house, &format!(r#"mutation {{ report_send(id: "{id}") {{ run_id }} }}"#));
    let message = sent(&house.store).expect("it is on its way");
    assert_eq!(message.recipients, [""; 0], "those of the channel");
    assert_eq!(message.attachments.len(), 1);
    // Later charges do not change a sent report.
    bill(&house, &[(OWN, "2026-11-03", "7", "Compute")]);
    let run = run["report_send"]["run_id"].as_str().unwrap();
    let kept =
        ask(&house, &format!(r#"{{ report_document(request: {{ run_id: "{run}" }}) {{ content }} }}"#));
    let rows = &kept["report_document"]["content"]["sections"][0]["table"]["rows"];
    assert_eq!(rows[0][7], "1030.255", "{rows}");
}

#[test]
fn a_report_that_is_removed_is_not_sent_until_it_is_put_back() {
    let house = house();
    let id = add(&house, r#"name: "Costs""#);
    let set = |to: &str| {
        let changed = ask(
            &house,
            &format!(
                r#"mutation {{ update_scheduled_report_by_pk(pk_columns: {{ id: "{id}" }}, _set: {{ {to} }}) {{ next_due_at }} }}"#
            ),
        );
        changed["update_scheduled_report_by_pk"]["next_due_at"].clone()
    };
    // The response is read after the after-write hooks.
    set(r#"removed_at: "2026-11-01T00:00:00Z""#);
    let next =
        || ask(&house, "{ scheduled_report { next_due_at } }")["scheduled_report"][0]["next_due_at"].clone();
    assert_eq!(next(), Value::Null);
    add(&house, r#"name: "Costs""#);
    let again = refusal(
        &house,
        &format!(
            r#"mutation {{ update_scheduled_report_by_pk(pk_columns: {{ id: "{id}" }}, _set: {{ removed_at: null }}) {{ id }} }}"#
        ),
    );
    assert!(again.contains("Uniqueness"), "its name was given away: {again}");
    set(r#"name: "Costs of old", removed_at: null"#);
    let all = ask(&house, "{ scheduled_report { next_due_at } }");
    assert!(
        all["scheduled_report"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["next_due_at"] == "2026-11-01T07:00:00+00:00"),
        "{all}"
    );
}

#[test]
fn what_cannot_be_sent_is_refused() {
    let house = house();
    let refused = |object: &str| {
        refusal(
            &house,
            &format!("mutation {{ insert_scheduled_report_one(object: {{ {object} }}) {{ id }} }}"),
        )
    };
    for (object, expected) in [
        (r#"name: " ""#, "`name` is empty"),
        (r#"name: "a", schedule: "daily""#, "expected a cron line"),
        (r#"name: "a", schedule: "*/5 * * * *""#, "due once an hour at most"),
        (r#"name: "a", schedule: "0 0 30 2 *""#, "never due"),
        (r#"name: "a", timezone: "Berlin""#, "expected a time zone such as Europe/Berlin"),
        (r#"name: "a", recipients: ["ada"]"#, "expected an address such as ada@example.com"),
        (r#"name: "a", formats: ["docx"]"#, "expected pdf, xlsx or csv"),
        (r#"name: "a", settings: { months: 99 }"#, "expected 1 to 24"),
        (r#"name: "a", settings: { weeks: 1 }"#, "unknown field `weeks`"),
        (r#"name: "a", kind: anomalies, settings: { days: 0 }"#, "expected 1 to 400"),
    ] {
        let message = refused(object);
        assert!(message.contains(expected), "{object}: {message}");
    }
}

#[test]
fn a_channel_that_is_switched_off_is_told_by_the_run() {
    let house = house();
    bill(&house, &CHARGES);
    let id = channel(&house, &format!("{MAIL}, is_active: false"));
    let report = add(&house, &format!(r#"name: "Costs", channel_id: "{id}""#));
    ask(&house, &format!(r#"mutation {{ report_send(id: "{report}") {{ run_id }} }}"#));
    let runs = ask(&house, "{ scheduled_report_run { error content } }");
    let run = &runs["scheduled_report_run"][0];
    assert_eq!(run["error"], "the channel mail is switched off");
    assert!(run["content"].is_object(), "its documents are kept");
}

#[test]
fn budgets_savings_and_anomalies_are_told() {
    let house = house();
    bill(&house, &[(OWN, "2026-10-01", "60", "Compute"), (OWN, "2026-10-31", "30", "Compute")]);
    ask(
        &house,
        r#"mutation { insert_budget_one(object: { name: "All", amount: 80, currency: "USD" }) { id } }"#,
    );
    let build = |kind: &str| {
        let query = format!("{{ report_document(request: {{ kind: {kind} }}) {{ content }} }}");
        ask(&house, &query)["report_document"]["content"].clone()
    };
    let budgets = build("budgets");
    let row = &budgets["sections"][0]["table"]["rows"][0];
    assert_eq!(
        (&row[0], &row[1], &row[2], &row[3], &row[4], &row[7]),
        (
            &json!("All"),
            &json!("2026-10-01 to 2026-10-31"),
            &json!("80"),
            &json!("90"),
            &json!("1.1250"),
            &json!("used up since 2026-10-31")
        ),
        "{budgets}"
    );
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        advise(rows, "vol-1", "USD", Decimal::parse("12.5").unwrap())?;
        rows.insert(
            "anomaly",
            &[
                ("account_id", OWN.into()),
                ("anomaly_type", "CloudSpendService".into()),
                ("current_value", Decimal::from(60).into()),
                ("evaluated_at", ValueRef::Timestamp(NOW)),
                ("is_anomaly", true.into()),
                ("name", "Compute".into()),
                ("reference_value", ValueRef::Json("{}")),
                ("scope", "service".into()),
                ("currency", "USD".into()),
                ("started_on", ValueRef::Date(parse_date("2026-10-30").unwrap())),
                ("ended_on", ValueRef::Date(parse_date("2026-10-31").unwrap())),
                ("state", "NEW".into()),
                ("impact", Decimal::from(41).into()),
            ],
        )
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
    let savings = build("savings");
    assert_eq!(savings["sections"][0]["table"]["rows"][0], json!(["Open, estimated a month", "1", "12.5"]));
    let listed = &savings["sections"][1]["table"]["rows"][0];
    assert_eq!(
        (&listed[1], &listed[2], &listed[4]),
        (&json!("vol-1"), &json!("shop"), &json!("12.5")),
        "{savings}"
    );
    let anomalies = build("anomalies");
    assert_eq!(
        anomalies["sections"][0]["table"]["rows"][0],
        json!(["Compute", "shop", "service", "2026-10-30", "2026-10-31", "NEW", "", "41"])
    );
}

#[test]
fn tables_of_a_page_are_laid_out_as_they_are() {
    let house = house();
    let content = r#"{ title: "On screen", sections: [{ table: { columns: [{ name: "Service" }, { name: "Cost", kind: "amount" }], rows: [["東京", "1.5"]] } }] }"#;
    let found = ask(
        &house,
        &format!("{{ report_document(request: {{ content: {content} }}) {{ files {{ name }} }} }}"),
    );
    assert_eq!(
        found["report_document"]["files"],
        json!([{"name": "on-screen_2026-11-01.pdf"}, {"name": "on-screen_2026-11-01.xlsx"}, {"name": "on-screen_2026-11-01.csv"}])
    );
    let wrong = refusal(
        &house,
        r#"{ report_document(request: { content: { title: "x", sections: [{ table: { columns: [], rows: [] } }] } }) { content } }"#,
    );
    assert_eq!(wrong, "a table has 0 columns: expected 1 to 40");
}
