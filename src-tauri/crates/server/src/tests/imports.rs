//! Tests of uploaded files.

use super::client::Client;
use super::waiting::until;
use super::{Answer, Service};
use crate::clock;
use crate::jobs::Spool;
use auth::tenancy;
use catalogue::Role;
use serde_json::Value;
use std::path::Path;
use uuid::Uuid;

const BILL: &str = "\
BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingAccountName,\
BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,\
InvoiceIssuerName,ProviderName,PublisherName,ServiceCategory,ServiceName,SubAccountId,SubAccountName
1.25,1,1.5,1.25,USD,b-1,Main,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z,\
Usage,Hours,AWS,AWS,AWS,Compute,EC2,a-1,Dev
oops,1,1.5,1.25,USD,b-1,Main,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,2026-05-02T00:00:00Z,2026-05-03T00:00:00Z,\
Usage,Hours,AWS,AWS,AWS,Compute,EC2,a-1,Dev
";

pub(super) async fn upload(client: &Client, name: &str, body: &str) -> String {
    let answer = client.post(&format!("/api/imports?name={name}"), body).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// The import after it has ended.
pub(super) async fn ended(client: &Client, id: &str) -> Value {
    let look = async || {
        let answer = client.get(&format!("/api/imports/{id}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let has_ended = |import: &Value| !matches!(import["state"].as_str().unwrap(), "waiting" | "running");
    until("the end of an import", look, has_ended).await
}

async fn spends(client: &Client) -> Answer {
    client.post("/api/graphql", r#"{"query": "{ spends { billed_cost } }"}"#).await
}

/// The number of files in the spool.
fn waiting(data_dir: &Path) -> usize {
    std::fs::read_dir(data_dir.join("incoming")).unwrap().count()
}

#[tokio::test]
async fn an_uploaded_bill_is_imported_and_what_was_left_out_is_told() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let id = upload(&client, "may%20bill.csv", BILL).await;
    let import = ended(&client, &id).await;
    assert_eq!(import["state"], "done_with_skips", "{import:#}");
    assert_eq!(import["file_name"], "may bill.csv");
    assert_eq!(import["report"]["totals"][0]["billed_cost"], "1.25");
    assert_eq!(spends(&client).await.body, r#"{"data":{"spends":[{"billed_cost":1.25}]}}"#);
    let skipped = client.get(&format!("/api/imports/{id}/skipped.csv")).await;
    assert!(skipped.body.starts_with("line,column,value,reason\n3,BilledCost,oops,"), "{skipped:?}");
    let deleted = client.delete(&format!("/api/imports/{id}")).await;
    assert_eq!(deleted.refusal(), (409, "finished".to_owned()));
    assert_eq!(waiting(service.data_dir.path()), 0);
}

/// A charge for each of the given days of May.
fn days_of_may(days: std::ops::RangeInclusive<u32>, cost: &str) -> String {
    let lines: Vec<&str> = BILL.lines().collect();
    let row = |day: u32| {
        let row = lines[1].replacen("1.25,1,1.5,1.25", &format!("{cost},{cost},{cost},{cost}"), 1);
        row.replace(
            "2026-05-01T00:00:00Z,2026-05-02",
            &format!("2026-05-{day:02}T00:00:00Z,2026-05-{:02}", day + 1),
        )
    };
    let rows: Vec<String> = days.map(row).collect();
    format!("{}\n{}\n", lines[0], rows.join("\n"))
}

/// Name of each choice of a question, with the total before and after it.
async fn asked(client: &Client, id: &str) -> Vec<[String; 3]> {
    let import = client.get(&format!("/api/imports/{id}")).await.json();
    assert_eq!(import["state"], "needs_decision", "{import:#}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let choices = import["report"]["decision"]["choices"].as_array().unwrap();
    let total = |choice: &Value| {
        let total = &choice["totals"][0];
        [text(&choice["choice"]), text(&total["before"]), text(&total["after"])]
    };
    choices.iter().map(total).collect()
}

#[tokio::test]
async fn a_question_tells_of_the_costs_that_are_stored_now() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let first = upload(&client, "first.csv", &days_of_may(1..=20, "1")).await;
    ended(&client, &first).await;
    let id = upload(&client, "later.csv", &days_of_may(15..=30, "2")).await;
    ended(&client, &id).await;
    let told =
        |rows: &[[&str; 3]]| -> Vec<[String; 3]> { rows.iter().map(|row| row.map(str::to_owned)).collect() };
    // 20 are stored. 16 days of 2 are uploaded, 6 of which are duplicates.
    let before = told(&[["add", "20", "52"], ["replace", "20", "32"], ["combine", "20", "46"]]);
    assert_eq!(asked(&client, &id).await, before);
    // Meanwhile another account of the same bill is imported: 5 more are stored.
    let other = days_of_may(1..=5, "1").replace(",a-1,Dev", ",a-2,Lab");
    let other = upload(&client, "other.csv", &other).await;
    assert_eq!(ended(&client, &other).await["state"], "done");
    let more = asked(&client, &id).await;
    assert_eq!(more[0], ["add", "25", "57"].map(str::to_owned));
    assert!(more.iter().all(|choice| choice[1] == "25"), "{more:?}");
    // It is undone.
    let undone = client.post(&format!("/api/imports/{other}/undo"), r#"{"with": []}"#).await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(asked(&client, &id).await, before);
    // No duplicates are left: all choices have the same result.
    client.post(&format!("/api/imports/{first}/undo"), r#"{"with": []}"#).await;
    let nothing = told(&[["add", "0", "32"], ["replace", "0", "32"], ["combine", "0", "32"]]);
    assert_eq!(asked(&client, &id).await, nothing);
    let decided = client.post(&format!("/api/imports/{id}/decision"), r#"{"choice": "add"}"#).await;
    assert_eq!(decided.json()["state"], "done", "{decided:?}");
}

#[tokio::test]
async fn a_file_nobody_knows_fails_with_what_was_looked_for() {
    let service = Service::start().await;
    let client = service.administrator().await;
    for (name, body) in [("letter.txt", "Dear Ada,\n"), ("nothing.csv", "")] {
        let id = upload(&client, name, body).await;
        let import = ended(&client, &id).await;
        assert_eq!(import["state"], "failed", "{import:#}");
        assert!(!import["report"]["error"]["looked_for"].as_array().unwrap().is_empty(), "{import:#}");
    }
    assert_eq!(waiting(service.data_dir.path()), 0);
}

#[tokio::test]
async fn an_upload_needs_a_name_and_the_right_to_write() {
    let service = Service::start().await;
    let writer = service.administrator().await;
    for path in
        ["/api/imports", "/api/imports?name=", "/api/imports?name=a%00b", "/api/imports?name=folder%2F"]
    {
        assert_eq!(writer.post(path, BILL).await.refusal(), (400, "bad_request".to_owned()), "{path}");
    }
    let reader = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    let refused = reader.post("/api/imports?name=bill.csv", BILL).await;
    assert_eq!(refused.refusal(), (403, "forbidden".to_owned()));
    assert_eq!(waiting(service.data_dir.path()), 0);
}

#[tokio::test]
async fn an_import_is_the_tenants_own() {
    let service = Service::start().await;
    let (elsewhere, _) =
        tenancy::find_or_create(&service.store(), "Elsewhere", clock::now(), &mut rand::rng()).unwrap();
    let mine = service.administrator().await;
    let theirs = service.program("eve@example.com", Role::TenantAdmin, &elsewhere).await;
    let id = upload(&mine, "bill.csv", BILL).await;
    ended(&mine, &id).await;
    for path in [format!("/api/imports/{id}"), format!("/api/imports/{id}/skipped.csv")] {
        assert_eq!(theirs.get(&path).await.refusal(), (404, "not_found".to_owned()));
    }
    assert_eq!(theirs.delete(&format!("/api/imports/{id}")).await.status, 404);
    assert_eq!(spends(&theirs).await.body, r#"{"data":{"spends":[]}}"#);
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing() {
    let service = Service::start().await;
    let client = service.administrator().await;
    client.break_off("/api/imports?name=bill.csv", BILL.len() + 1, BILL.as_bytes()).await;
    assert_eq!(waiting(service.data_dir.path()), 0);
    let listed = client.post("/api/graphql", r#"{"query": "{ imports { id } }"}"#).await;
    assert_eq!(listed.body, r#"{"data":{"imports":[]}}"#);
}

#[tokio::test]
async fn files_of_a_batch_are_one_delivery_however_many_come_after_all() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let charge = |amount: &str| {
        let rows: Vec<&str> = BILL.lines().take(2).collect();
        format!("{}\n{}\n", rows[0], rows[1].replace("1.25,1,", amount))
    };
    let batch = Uuid::from_u128(1);
    let name = |file: &str, files: usize| format!("june/{file}&batch={batch}&batch_files={files}");
    let first = upload(&client, &name("1.csv", 3), &charge("1,1,")).await;
    let second = upload(&client, &name("2.csv", 3), &charge("2,1,")).await;
    let state = client.get(&format!("/api/imports/{first}")).await.json()["state"].clone();
    assert_eq!(state, "waiting");
    let closed = client.post(&format!("/api/imports/batches/{batch}"), r#"{"files": 2}"#).await;
    assert_eq!(closed.status, 204);
    // The same charge in two versions, which is only detected if the files are considered together.
    for id in [&first, &second] {
        let ended = ended(&client, id).await;
        assert_eq!(ended["state"], "needs_decision");
        assert_eq!(ended["report"]["decision"]["reason"], "two_versions");
        assert_eq!(ended["file_name"].as_str().map(str::len), Some(5));
    }
    let ask = async |name: &str, arguments: &str, fields: &str| {
        let query = format!(r#"{{"query": "mutation {{ {name}({arguments}) {{ {fields} }} }}"}}"#);
        client.post("/api/graphql", &query).await.body
    };
    let unclear = ask("import_decide", &format!(r#"id: \"{first}\", choice: \"maybe\""#), "state").await;
    assert!(unclear.contains(r#"\"maybe\" is no choice here: expected one of add, replace"#), "{unclear}");
    let decided = ask("import_decide", &format!(r#"id: \"{first}\", choice: \"replace\""#), "id state").await;
    let expected = format!(r#"{{"data":{{"import_decide":{{"id":"{first}","state":"done"}}}}}}"#);
    assert_eq!(decided, expected);
    assert_eq!(spends(&client).await.body, r#"{"data":{"spends":[{"billed_cost":2}]}}"#);
    // The second has replaced the first.
    let refused = ask("import_undo", &format!(r#"id: \"{first}\""#), "undone").await;
    assert!(refused.contains(&format!("name them in `with`: 2.csv ({second})")), "{refused}");
    let both = format!(r#"id: \"{first}\", with: [\"{second}\"]"#);
    let undone = format!(r#"{{"data":{{"import_undo":{{"undone":["{second}","{first}"]}}}}}}"#);
    assert_eq!(ask("import_undo", &both, "undone").await, undone);
    assert_eq!(spends(&client).await.body, r#"{"data":{"spends":[]}}"#);
    let unknown =
        client.post(&format!("/api/imports/batches/{}", Uuid::from_u128(2)), r#"{"files": 2}"#).await;
    assert_eq!(unknown.refusal(), (404, "not_found".to_owned()));
    let half = client.post(&format!("/api/imports?name=a.csv&batch={batch}"), BILL).await;
    assert_eq!(half.refusal().0, 400);
}

#[tokio::test]
async fn what_waits_when_the_service_is_killed_is_imported_at_the_next_start() {
    let service = Service::start().await;
    let (tenant, owner) = (service.tenant(), tenancy::administrator(&service.store()).unwrap());
    let data_dir = service.stop().await;
    let id = Uuid::from_u128(7);
    let spool = Spool::open(data_dir.path().join("incoming")).unwrap();
    let mut incoming = spool.receive(id).await.unwrap();
    incoming.write(BILL.as_bytes()).await.unwrap();
    incoming.finish("bill.csv".to_owned(), tenant.id, owner, clock::now()).await.unwrap();

    let again = Service::start_on(data_dir).await;
    let client = again.administrator().await;
    assert_eq!(ended(&client, &id.to_string()).await["state"], "done_with_skips");
    assert_eq!(spends(&client).await.body, r#"{"data":{"spends":[{"billed_cost":1.25}]}}"#);
}

#[tokio::test]
async fn parts_of_a_bill_stand_beside_each_other_and_a_bill_told_again_replaces() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let day = |from: &str, to: &str, amount: &str| {
        let rows: Vec<&str> = BILL.lines().take(2).collect();
        let row = rows[1]
            .replace("1.25,1,", amount)
            .replace("05-01T00:00:00Z,2026-05-02", &format!("{from}T00:00:00Z,2026-{to}"));
        format!("{}\n{row}\n", rows[0])
    };
    for (name, bill) in [
        ("part_0001.csv", day("05-01", "05-02", "1.25,1,")),
        ("part_0002.csv", day("05-03", "05-04", "2.5,1,")),
    ] {
        let id = upload(&client, name, &bill).await;
        ended(&client, &id).await;
    }
    assert_eq!(spends(&client).await.json()["data"]["spends"].as_array().unwrap().len(), 2);
    let id = upload(&client, "restated.csv", &day("05-01", "05-02", "1.2,1,")).await;
    assert_eq!(ended(&client, &id).await["state"], "done");
    let charges = spends(&client).await.json();
    let mut costs: Vec<String> = charges["data"]["spends"]
        .as_array()
        .unwrap()
        .iter()
        .map(|charge| charge["billed_cost"].to_string())
        .collect();
    costs.sort();
    assert_eq!(costs, ["1.2", "2.5"]);
}

/// An Azure export with a charge covered by a reservation; `cost` differs between an actual and an amortised export.
fn azure(cost: &str) -> String {
    format!(
        "BillingAccountId,SubscriptionId,Date,BillingPeriodStartDate,MeterCategory,CostInBillingCurrency,BillingCurrencyCode,ChargeType,\
         PricingModel,ReservationId,ResourceId\n\
         b-1,s-1,05/13/2026,05/01/2026,Virtual Machines,{cost},EUR,Usage,Reservation,r-1,/subscriptions/s-1/vm/a\n"
    )
}

#[tokio::test]
async fn what_costs_a_file_states_is_answered_for_that_file_alone_unless_somebody_says_otherwise() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let batch = Uuid::from_u128(7);
    let mut ids = Vec::new();
    for (file, cost) in [("actual.csv", "0"), ("amortised.csv", "3"), ("third.csv", "4")] {
        ids.push(upload(&client, &format!("{file}&batch={batch}&batch_files=3"), &azure(cost)).await);
    }
    for id in &ids {
        let told = ended(&client, id).await;
        assert_eq!(told["report"]["decision"]["reason"], "cost_view", "{told:#}");
        let question = told["report"]["decision"]["question"].as_str().unwrap();
        assert!(question.contains("billing account b-1, billing period from 05/01/2026"), "{question}");
    }
    let others = client.get(&format!("/api/imports/{}/decision", ids[0])).await.json();
    assert_eq!(others["file_names"].as_array().map(Vec::len), Some(2), "{others}");
    let decided =
        client.post(&format!("/api/imports/{}/decision", ids[0]), r#"{"choice": "actual_cost"}"#).await;
    assert_eq!(decided.json()["state"], "done", "{decided:?}");
    // The others still wait for their own answer.
    for id in &ids[1..] {
        let told = client.get(&format!("/api/imports/{id}")).await.json();
        assert_eq!(
            (&told["state"], &told["report"]["decision"]["reason"]),
            (&"needs_decision".into(), &"cost_view".into())
        );
    }
    let answer = r#"{"choice": "amortized_cost", "all": true}"#;
    client.post(&format!("/api/imports/{}/decision", ids[1]), answer).await;
    for id in &ids[1..] {
        let told = client.get(&format!("/api/imports/{id}")).await.json();
        assert_ne!(told["report"]["decision"]["reason"], "cost_view", "{told:#}");
        assert_eq!(told["report"]["forms"]["cost_view"], "amortized", "{told:#}");
    }
}
