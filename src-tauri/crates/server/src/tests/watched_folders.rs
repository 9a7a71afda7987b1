//! Tests of folders whose new files are imported automatically.

use super::client::Client;
use super::waiting::until;
use super::{Service, settings};
use crate::start::start;
use catalogue::Role;
use serde_json::Value;
use testkit::buckets::{Buckets, IDENTITY, SECRET};

const BILL: &str = "\
BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ServiceName,ProviderName
1.25,USD,b-1,2026-05-01,2026-05-01,2026-05-02,Usage,EC2,AWS
";

async fn watched(client: &Client) -> Value {
    let answer = client.get("/api/imports/watched").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// The only folder, once its state is as expected.
async fn look(client: &Client, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let folder = async || watched(client).await["folders"][0].clone();
    until("a look as it is wanted", folder, is_wanted).await
}

async fn imports(client: &Client) -> Vec<Value> {
    let query = r#"{"query": "{ imports(order_by: {created_at: asc}) { file_name state } }"}"#;
    let answer = client.post("/api/graphql", query).await.json();
    answer["data"]["imports"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_file_in_the_watched_folder_is_imported_once_and_again_when_it_changes() {
    let (data_dir, bills) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(bills.path().join("may.csv"), BILL).unwrap();
    let mut settings = settings(data_dir.path(), "127.0.0.1:0");
    settings.importing.watched = Some(bills.path().to_owned());
    settings.importing.watch_every = 1;
    let service = Service { running: start(settings).await.unwrap(), data_dir };
    let client = service.administrator().await;
    let folder = look(&client, |folder| folder["files_taken"] == 1).await;
    assert_eq!(folder["path"], bills.path().to_str().unwrap());
    assert_eq!((folder["asked_by"].as_str(), folder["error"].as_str()), (Some("setting"), None));
    assert!(folder["next_run_at"].as_str() > folder["last_run_at"].as_str(), "{folder}");
    std::fs::write(bills.path().join("may.csv"), BILL.replace("1.25", "1.5")).unwrap();
    look(&client, |folder| folder["files_taken"] == 2).await;
    // Both were submitted, whether or not their imports have ended.
    let are_done = |found: &Vec<Value>| found.len() == 2 && found.iter().all(|one| one["state"] == "done");
    let names = until("two imports that are done", async || imports(&client).await, are_done).await;
    assert!(names.iter().all(|one| one["file_name"] == "may.csv"), "{names:?}");
    let id = folder["id"].as_str().unwrap();
    let refused = client.delete(&format!("/api/imports/watched/{id}")).await;
    assert_eq!(refused.refusal(), (404, "not_found".to_owned()));
    std::fs::remove_dir_all(bills.path()).unwrap();
    let failed = look(&client, |folder| !folder["error"].is_null()).await;
    assert!(failed["error"].as_str().unwrap().starts_with(bills.path().to_str().unwrap()), "{failed}");
}

#[tokio::test]
async fn only_the_window_names_folders_and_only_writers_see_them() {
    let service = Service::start().await;
    let client = service.administrator().await;
    assert_eq!(
        watched(&client).await,
        serde_json::json!({ "folders": [], "may_choose": false, "may_add_buckets": true })
    );
    let refused = client.post("/api/imports/watched", r#"{"path": "/etc"}"#).await;
    assert_eq!(refused.refusal(), (403, "forbidden".to_owned()));
    let nowhere = format!("/api/imports/watched/{}/look", uuid::Uuid::nil());
    assert_eq!(client.post(&nowhere, "").await.refusal(), (404, "not_found".to_owned()));
    let reader = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.get("/api/imports/watched").await.refusal(), (403, "forbidden".to_owned()));
}

#[tokio::test]
async fn objects_of_a_bucket_are_imported_by_themselves_and_its_secret_is_shown_nowhere() {
    let served = Buckets::default();
    served.put("bills", "cur/2026-05/may.csv", BILL.as_bytes(), 1);
    served.put("bills", "other/june.csv", BILL.as_bytes(), 1);
    let service = Service::start().await;
    let client = service.administrator().await;
    let bucket = serde_json::json!({
        "address": "s3://bills/cur", "endpoint": served.address(), "identity": IDENTITY, "secret": SECRET, "every_seconds": 60,
    });
    let added = client.post("/api/imports/watched/buckets", &bucket.to_string()).await;
    assert_eq!((added.status, added.json()["files"].as_i64()), (200, Some(1)), "{added:?}");
    let folder = look(&client, |folder| folder["files_taken"] == 1).await;
    assert_eq!(
        (folder["path"].as_str(), folder["error"].as_str()),
        (Some("s3://bills/cur"), None),
        "{folder}"
    );
    assert_eq!(folder["bucket"]["has_credentials_of_service"], false);
    let is_done = |found: &Vec<Value>| found.iter().any(|one| one["state"] == "done");
    let found = until("an import that is done", async || imports(&client).await, is_done).await;
    assert_eq!((found.len(), found[0]["file_name"].as_str()), (1, Some("may.csv")));
    let store = &service.running.app.store;
    let kept =
        store.snapshot(&catalogue::Caller::system(), |rows| rows.select("setting", &["value"], &[])).unwrap();
    assert!(!format!("{kept:?}{folder}").contains(SECRET), "the secret is sealed");
    let id = folder["id"].as_str().unwrap();
    assert_eq!(client.delete(&format!("/api/imports/watched/{id}")).await.status, 204);
}

#[tokio::test]
async fn a_bucket_that_cannot_be_listed_is_refused_in_words_and_only_administrators_of_the_instance_name_one()
{
    let served = Buckets::default();
    let service = Service::start().await;
    let client = service.administrator().await;
    let refused = async |changes: Value| {
        let mut bucket = serde_json::json!({
            "address": "s3://bills", "endpoint": served.address(), "identity": IDENTITY, "secret": SECRET,
        });
        for (name, value) in changes.as_object().unwrap() {
            bucket[name] = value.clone();
        }
        let answer = client.post("/api/imports/watched/buckets", &bucket.to_string()).await;
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.json()["message"].as_str().unwrap().to_owned()
    };
    for (changes, words) in [
        (serde_json::json!({}), "knows no bills"),
        (serde_json::json!({ "address": "bills" }), "The address is none"),
        (serde_json::json!({ "identity": "" }), "access key id lacks"),
        (serde_json::json!({ "every_seconds": 5 }), "expected 60 to"),
        (serde_json::json!({ "endpoint": "http://169.254.169.254" }), "private network"),
    ] {
        let said = refused(changes).await;
        assert!(said.contains(words) && !said.contains(SECRET), "{said}");
    }
    assert_eq!(watched(&client).await["folders"], serde_json::json!([]));
    let reader = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    let refused = reader.post("/api/imports/watched/buckets", r#"{"address": "s3://bills"}"#).await;
    assert_eq!(refused.refusal(), (403, "forbidden".to_owned()));
}

#[tokio::test]
async fn a_folder_chosen_in_the_dialog_of_the_window_can_be_watched() {
    let (service, window) = super::host::start_on(tempfile::tempdir().unwrap()).await;
    let page = service.signed_in_page().await;
    let bills = tempfile::tempdir().unwrap();
    *window.folder.lock().unwrap() = Some(bills.path().to_owned());
    let chosen = page.post("/api/host/choose-folder", "").await.json();
    assert_eq!(chosen["path"].as_str(), bills.path().to_str());
    assert_eq!(page.post("/api/imports/watched", &chosen.to_string()).await.status, 204);
    assert_eq!(watched(&page).await["folders"][0]["path"], chosen["path"]);
    // Closing the dialog chooses no folder.
    assert!(page.post("/api/host/choose-folder", "").await.json()["path"].is_null());
    let elsewhere = Service::start().await;
    let program = elsewhere.administrator().await;
    assert_eq!(program.post("/api/host/choose-folder", "").await.status, 403);
}
