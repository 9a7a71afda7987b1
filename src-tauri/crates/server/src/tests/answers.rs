//! Tests of files with more than one question: an answer applies to all later attempts.

use super::Service;
use super::client::Client;
use super::imports::{ended, upload};
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// A bill for the machine `i-1`, five dollars for each of the given days of January.
fn bill(days: RangeInclusive<u32>) -> String {
    let mut text = "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,ChargeCategory,ServiceName,\
                    ProviderName,BillingAccountId,SubAccountId,SubAccountName,ResourceId\n"
        .to_owned();
    for day in days {
        writeln!(
            text,
            "5,USD,2026-01-{day:02}T00:00:00Z,2026-01-{:02}T00:00:00Z,2026-01-01T00:00:00Z,Usage,Compute,\
             AWS,1,123,Shop,arn:aws:ec2:eu-west-1:123:instance/i-1",
            day + 1
        )
        .unwrap();
    }
    text
}

/// The cost of a namespace on that machine between the 10th and the 17th, as one sum.
const SUM: &str = r#"{"code": 200, "data": [{"shop": {"properties": {"cluster": "prod", "namespace": "shop", "providerID": "i-1"},
    "window": {"start": "2026-01-10T00:00:00Z", "end": "2026-01-18T00:00:00Z"}, "cpuCost": 28, "totalCost": 28}}]}"#;

/// An OpenCost table without currency and cluster.
fn table(day: u32, cost: &str) -> String {
    format!(
        "Date,Namespace,ControllerKind,ControllerName,Pod,CPUCoreUsageAverage,TotalCost\n\
         2026-02-{day:02},shop,deployment,web,web-0,1,{cost}\n"
    )
}

async fn import(client: &Client, text: &str) -> String {
    let id = upload(client, "file", text).await;
    ended(client, &id).await;
    id
}

/// Answers the question with that reason. Returns the import afterwards.
async fn answer(client: &Client, id: &str, reason: &str, choice: &str) -> Value {
    let asked = client.get(&format!("/api/imports/{id}")).await.json();
    assert_eq!(asked["report"]["decision"]["reason"], reason, "{asked:#}");
    let body = serde_json::json!({ "choice": choice }).to_string();
    let decided = client.post(&format!("/api/imports/{id}/decision"), &body).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    client.get(&format!("/api/imports/{id}")).await.json()
}

/// Reason, choice and user of each answer in a report.
fn answers(import: &Value) -> Vec<[&str; 3]> {
    let answers = import["report"]["answers"].as_array().map(Vec::as_slice).unwrap_or_default();
    answers
        .iter()
        .map(|answered| {
            let decided = &answered["decided"];
            [&answered["reason"], &decided["choice"], &decided["by"]]
                .map(|text| text.as_str().unwrap_or_default())
        })
        .collect()
}

#[tokio::test]
async fn a_file_that_meets_two_questions_ends_after_two_answers_over_a_restart() {
    let mut service = Service::start().await;
    let client = service.administrator().await;
    import(&client, &bill(3..=6)).await;
    let sum = import(&client, SUM).await;
    assert_eq!(answer(&client, &sum, "currency", "currency_usd").await["state"], "done");
    // Two of its eight days are stored, and it covers three days of the sum.
    let id = import(&client, &bill(5..=12)).await;
    let after_one = answer(&client, &id, "partly_known", "combine").await;
    assert_eq!(after_one["state"], "needs_decision", "{after_one:#}");
    service = Service::start_on(service.stop().await).await;
    let client = service.signed_in_page().await;
    let after_two = answer(&client, &id, "partly_billed", "leave_to_bill").await;
    assert_eq!(after_two["state"], "done", "{after_two:#}");
    let told: Vec<&str> = answers(&after_two).iter().map(|[_, choice, _]| *choice).collect();
    assert_eq!(told, ["combine", "leave_to_bill"]);
    assert!(answers(&after_two).iter().all(|[.., by]| !by.is_empty()), "{after_two:#}");
    // After an undo, both questions are asked again.
    let undone = client.post(&format!("/api/imports/{id}/undo"), r#"{"with": []}"#).await;
    assert_eq!(undone.status, 200, "{undone:?}");
    let again = import(&client, &bill(5..=12)).await;
    let after_one = answer(&client, &again, "partly_known", "combine").await;
    assert_eq!(after_one["report"]["decision"]["reason"], "partly_billed", "{after_one:#}");
}

#[tokio::test]
async fn a_table_of_opencost_ends_once_its_currency_and_its_cluster_are_said() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let first = import(&client, &table(1, "2")).await;
    assert_eq!(answer(&client, &first, "currency", "currency_usd").await["state"], "done");
    let id = import(&client, &table(2, "3")).await;
    answer(&client, &id, "currency", "currency_usd").await;
    let ended = answer(&client, &id, "which_cluster", "cluster_1").await;
    assert_eq!(ended["state"], "done", "{ended:#}");
    let told: Vec<[&str; 2]> = answers(&ended).iter().map(|[reason, choice, _]| [*reason, *choice]).collect();
    assert_eq!(told, [["currency", "currency_usd"], ["which_cluster", "cluster_1"]]);
}
