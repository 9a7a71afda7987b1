//! Tests several server processes on one database: all see the same data, and another server completes the work of a killed one.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::support::client::Client;
use crate::support::service::Service;

const HEADER: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,\
                      ServiceName,ProviderName,SubAccountId,ResourceId,SkuId\n";
const BATCH: &str = "3f0e9a52-7c0f-4a0e-8a6a-0d4f4a5b6c7d";

/// Servers on one new database, each with its own data directory; `None` without PostgreSQL.
fn servers(count: usize) -> Option<Vec<Service>> {
    let database = testkit::postgres::database()?;
    let start = |_| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("quarterdeck.toml"), format!("database = \"{database}\"\n"))
            .unwrap();
        Service::start_on(folder)
    };
    Some((0..count).map(start).collect())
}

/// A bill of one resource.
fn bill(resource: u32, amount: &str) -> String {
    format!(
        "{HEADER}{amount},USD,100,2026-05-01,2026-05-02,2026-05-03,Usage,Compute,AWS,200,i-{resource},sku-{resource}\n"
    )
}

async fn hand_in(client: &Client, name: &str, text: String, batch: &str) -> String {
    let request = client.request(Method::POST, &format!("/api/imports?name={name}{batch}")).body(text);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::ACCEPTED);
    answer.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned()
}

/// The result of an import.
async fn ended(client: &Client, id: &str) -> Value {
    loop {
        let import = client.get(&format!("/api/imports/{id}")).await.json();
        if !matches!(import["state"].as_str(), Some("waiting" | "running")) {
            return import;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const SUM: &str = "{ spends_aggregate { aggregate { count sum { amount } } } }";

#[tokio::test]
async fn a_batch_that_came_to_two_servers_is_imported_when_one_of_them_was_killed() {
    let Some(mut servers) = servers(2) else { return };
    let first = servers[0].client().await;
    let second = first.at(&servers[1].address);
    let batch = format!("&batch={BATCH}&batch_files=2");
    let one = hand_in(&first, "one.csv", bill(1, "1.10"), &batch).await;
    // Acknowledged imports are visible on all servers.
    assert_eq!(second.get(&format!("/api/imports/{one}")).await.json()["state"], "waiting");
    drop(servers.remove(0).kill());
    let two = hand_in(&second, "two.csv", bill(2, "2.20"), &batch).await;
    let ends = [ended(&second, &one).await, ended(&second, &two).await];
    for end in &ends {
        assert_eq!(end["state"], "done", "{end:#}");
    }
    assert_eq!(ends[0]["report"]["delivery"]["id"], ends[1]["report"]["delivery"]["id"]);
    assert_eq!(
        second.data(SUM).await,
        r#"{"spends_aggregate":{"aggregate":{"count":2,"sum":{"amount":3.3}}}}"#
    );
    // The receipt of a file that the killed server received.
    let file = second.get(&format!("/api/imports/{one}/file")).await;
    assert_eq!((file.status, file.body), (StatusCode::OK, bill(1, "1.10")));
}

#[tokio::test]
async fn a_person_works_on_with_any_server() {
    let Some(servers) = servers(2) else { return };
    let first = servers[0].client().await;
    let second = first.at(&servers[1].address);
    let waiting = hand_in(&first, "one.csv", bill(1, "1.10"), &format!("&batch={BATCH}&batch_files=2")).await;
    let path = format!("/api/imports/{waiting}");
    let answer = second.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(first.get(&path).await.status, StatusCode::NOT_FOUND);
    // A write on one server can be read on the other.
    let change = "mutation { insert_budget_one(object: {name: \"Ops\", scope: {}, amount: 5}) { name } }";
    assert_eq!(first.data(change).await, r#"{"insert_budget_one":{"name":"Ops"}}"#);
    assert_eq!(second.data("{ budget { name } }").await, r#"{"budget":[{"name":"Ops"}]}"#);
}
