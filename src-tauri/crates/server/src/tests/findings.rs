//! Tests that findings in charges appear with an import and disappear with its undo.

use super::Service;
use super::client::Client;
use super::imports::{ended, upload};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

const HEAD: &str = "BilledCost,ContractedCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,\
                    ChargeCategory,ServiceName,ProviderName,SubAccountId,ResourceId\n";

/// A month with about a hundred a day, and one day with five hundred.
pub(super) fn bill() -> String {
    let mut text = HEAD.to_owned();
    for day in 1..=28 {
        let cost = if day == 20 { 500 } else { 98 + 4 * (day % 2) };
        writeln!(
            text,
            "{cost},{cost},USD,b-1,2026-06-01T00:00:00Z,2026-06-{day:02}T00:00:00Z,2026-06-{:02}T00:00:00Z,Usage,EC2,AWS,a-1,r-1",
            day + 1
        )
        .unwrap();
    }
    text
}

async fn anomalies(client: &Client) -> Vec<Value> {
    let query = "{ anomaly(order_by: [{started_on: asc}]) { name scope started_on state impact import_id } }";
    let answer = client.post("/api/graphql", &json!({ "query": query }).to_string()).await.json();
    answer["data"]["anomaly"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[tokio::test]
async fn an_import_brings_its_anomalies_and_its_undo_takes_them_away() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let id = upload(&client, "june.csv", &bill()).await;
    assert_eq!(ended(&client, &id).await["state"], "done");
    let found = anomalies(&client).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["name"], &found[0]["started_on"]), (&json!("EC2"), &json!("2026-06-20")));
    assert_eq!((&found[0]["state"], &found[0]["import_id"]), (&json!("OVER"), &json!(id)));
    let undone = client.post(&format!("/api/imports/{id}/undo"), "{}").await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(anomalies(&client).await, [] as [Value; 0]);
}

/// A scan report with two critical vulnerabilities.
pub(super) fn scan() -> String {
    let weakness = |(place, package): (usize, &str)| {
        json!({ "VulnerabilityID": format!("CVE-2026-{place}"), "PkgName": package, "InstalledVersion": "1", "FixedVersion": "2",
                "Severity": "CRITICAL", "Title": "t" })
    };
    let weaknesses: Vec<Value> = ["openssl", "zlib"].into_iter().enumerate().map(weakness).collect();
    json!({ "SchemaVersion": 2, "CreatedAt": "2026-05-01T10:00:00Z", "ArtifactName": "shop/web:1", "ArtifactType": "container_image",
            "Results": [{ "Target": "shop/web:1 (debian 12)", "Class": "os-pkgs", "Type": "debian", "Vulnerabilities": weaknesses }] })
    .to_string()
}

#[tokio::test]
async fn an_import_brings_its_notices_and_its_undo_takes_them_away() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let id = upload(&client, "scan.json", &scan()).await;
    assert_eq!(ended(&client, &id).await["state"], "done");
    let query = json!({ "query": "{ notice { subject ended_at } }" }).to_string();
    let notices = || async { client.post("/api/graphql", &query).await.json()["data"]["notice"].clone() };
    let found = notices().await;
    assert!(found.as_array().is_some_and(|found| !found.is_empty()), "{found}");
    let undone = client.post(&format!("/api/imports/{id}/undo"), "{}").await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(notices().await, json!([]));
}

/// A file of `../shared/data`; `None` if it is not available.
fn shared(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let places = [root.join("../shared"), PathBuf::from("/work/shared")];
    let found = places.iter().map(|place| place.join("data").join(name)).find(|path| path.exists());
    if found.is_none() {
        eprintln!("{name} is not at hand: nothing was tested with it");
    }
    found
}

#[tokio::test]
async fn the_shared_sample_shows_its_spike_and_its_dip() {
    let Some(path) = shared("focus/aws-anomaly/sample-export.csv.gz") else { return };
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let service = Service::start().await;
    let client = service.administrator().await;
    let id = upload(&client, "sample.csv", &text).await;
    assert_eq!(ended(&client, &id).await["state"], "done");
    let days: Vec<Value> = anomalies(&client).await.iter().map(|row| row["started_on"].clone()).collect();
    assert_eq!(days, ["2026-06-15", "2026-06-17"]);
}
