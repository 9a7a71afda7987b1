//! Tests of cost tables in an unknown format that are mapped by hand.

use super::Service;
use super::imports::{ended, upload};
use catalogue::Role;
use serde_json::{Value, json};

const BILL: &str = "Day,Amount,Project,Product\n2026-05-01,1.25,shop,Servers\n2026-05-02,oops,shop,Servers\n";

fn content() -> Value {
    json!({
        "columns": { "date": "Day", "cost": "Amount", "account": "Project", "service": "Product" },
        "values": { "provider": "Hetzner", "currency": "EUR" }, "tags": [],
    })
}

#[tokio::test]
async fn a_mapping_is_tried_kept_and_used_by_itself() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let id = upload(&client, "hetzner.csv", BILL).await;
    let waiting = ended(&client, &id).await;
    assert_eq!(waiting["report"]["decision"]["reason"], "mapping", "{waiting:#}");
    let table = client.get(&format!("/api/imports/{id}/mapping")).await.json();
    assert_eq!(table["header"], json!(["Day", "Amount", "Project", "Product"]));
    assert_eq!(table["rows"].as_array().unwrap().len(), 2);
    assert_eq!(table["suggestion"]["columns"]["cost"], "Amount");

    let preview = format!("/api/imports/{id}/mapping/preview");
    let lacking = json!({ "columns": { "cost": "Amount" }, "values": {}, "tags": [] }).to_string();
    assert_eq!(client.post(&preview, &lacking).await.refusal(), (400, "bad_request".to_owned()));
    let tried = client.post(&preview, &content().to_string()).await.json();
    assert_eq!((&tried["rows_written"], &tried["rows_skipped"]), (&json!(1), &json!(1)), "{tried:#}");
    assert_eq!(tried["totals"][0]["billed_cost"], "1.25");
    assert_eq!(ended(&client, &id).await["state"], "needs_decision");

    let kept = json!({ "name": "hetzner", "content": content() }).to_string();
    let done = client.post(&format!("/api/imports/{id}/mapping"), &kept).await;
    assert_eq!(done.json()["state"], "done_with_skips", "{done:?}");
    // There is no further question, neither for this file nor for the next one with these columns.
    assert_eq!(
        client.get(&format!("/api/imports/{id}/mapping")).await.refusal(),
        (409, "nothing_to_decide".to_owned())
    );
    let next = upload(&client, "june.csv", &BILL.replace("2026-05", "2026-06")).await;
    assert_eq!(ended(&client, &next).await["state"], "done_with_skips");

    let other = upload(&client, "other.csv", "Date,Cost,Team\n2026-05-01,2,a\n").await;
    ended(&client, &other).await;
    let content = json!({ "columns": { "date": "Date", "cost": "Cost" }, "tags": [],
        "values": { "provider": "X", "account": "a", "service": "s", "currency": "EUR" } });
    let taken = json!({ "name": "hetzner", "content": content }).to_string();
    let refused = client.post(&format!("/api/imports/{other}/mapping"), &taken).await;
    assert_eq!(refused.refusal(), (409, "conflict".to_owned()));

    let mappings = client.get("/api/imports/mappings").await.json();
    assert_eq!((&mappings[0]["name"], mappings.as_array().unwrap().len()), (&json!("hetzner"), 1));
    assert_eq!(client.delete("/api/imports/mappings/hetzner").await.status, 204);
    assert_eq!(client.delete("/api/imports/mappings/hetzner").await.refusal(), (404, "not_found".to_owned()));
    let reader = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.get("/api/imports/mappings").await.refusal(), (403, "forbidden".to_owned()));
}

#[tokio::test]
async fn a_file_that_was_mapped_can_be_asked_about_once_more() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let bill = "Day,Amount,Project,Product\n03/04/2026,1.25,shop,Servers\n05/06/2026,2,shop,Servers\n";
    let id = upload(&client, "hetzner.csv", bill).await;
    ended(&client, &id).await;
    let kept = json!({ "name": "hetzner", "content": content() }).to_string();
    client.post(&format!("/api/imports/{id}/mapping"), &kept).await;
    let asked = ended(&client, &id).await;
    assert_eq!(asked["report"]["decision"]["reason"], "date_format", "{asked:#}");
    let answer = r#"{"choice": "day_first"}"#;
    let decided = client.post(&format!("/api/imports/{id}/decision"), answer).await;
    assert_eq!(decided.json()["state"], "done", "{decided:?}");
    let report = ended(&client, &id).await["report"].clone();
    assert_eq!(report["period"]["start"], "2026-04-03T00:00:00Z");
    // The report contains all answers and their authors.
    let answers = report["answers"].as_array().unwrap();
    let told: Vec<_> = answers.iter().map(|one| (&one["reason"], &one["decided"]["choice"])).collect();
    assert_eq!(
        told,
        [(&json!("mapping"), &json!("mapping hetzner")), (&json!("date_format"), &json!("day_first"))]
    );
    assert!(answers.iter().all(|one| one["decided"]["by"].is_string()), "{answers:#?}");
}
