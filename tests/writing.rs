//! Black-box tests of writes: conflicting rows, nested rows, and failures that leave everything unchanged.

use reqwest::Method;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::fixture;
use crate::support::service::Service;

/// Everything a failed write could have changed.
const STOCK: &str = "{ spends_aggregate { aggregate { count sum { amount } } } cloud_accounts(order_by: { account_name: asc }) { account_name account_purpose budget } }";

#[tokio::test]
async fn a_row_in_the_way_is_changed_or_kept_as_asked() {
    let service = Service::start();
    let ada = service.client().await;
    service.import(&[fixture("september.csv")]);
    let pier = json!({ "account_name": "Pier Production", "account_purpose": "Pier; \"live\" 🛳", "budget": "12345678901234.567890123" });
    let drydock = json!({ "account_name": "Drydock", "account_purpose": "Repairs", "account_env": "prod" });
    let written = write(
        &ada,
        "mutation ($rows: [cloud_accounts_insert_input!]!) { written: insert_cloud_accounts(objects: $rows, on_conflict: { constraint: cloud_accounts_tenant_account_name_key, update_columns: [account_purpose, budget] }) { affected_rows returning { account_name account_number account_env account_purpose budget spends_aggregate { aggregate { count } } } } }",
        &[pier, drydock],
    )
    .await;
    assert_eq!(
        written,
        r#"{"data":{"written":{"affected_rows":2,"returning":[{"account_name":"Pier Production","account_number":"900000000011","account_env":"non_prod","account_purpose":"Pier; \"live\" 🛳","budget":12345678901234.567890123,"spends_aggregate":{"aggregate":{"count":6}}},{"account_name":"Drydock","account_number":null,"account_env":"prod","account_purpose":"Repairs","budget":0,"spends_aggregate":{"aggregate":{"count":0}}}]}}}"#
    );

    let kept = write(
        &ada,
        "mutation ($rows: [cloud_accounts_insert_input!]!) { insert_cloud_accounts(objects: $rows, on_conflict: { constraint: cloud_accounts_tenant_account_name_key, update_columns: [] }) { affected_rows returning { account_purpose } } }",
        &[json!({ "account_name": "Drydock", "account_purpose": "Something else" })],
    )
    .await;
    assert_eq!(kept, r#"{"data":{"insert_cloud_accounts":{"affected_rows":0,"returning":[]}}}"#);
}

#[tokio::test]
async fn a_write_that_fails_says_why_and_takes_the_whole_request_back() {
    let service = Service::start();
    let ada = service.client().await;
    service.import(&[fixture("september.csv")]);
    let before = ada.data(STOCK).await;
    let answer = write(
        &ada,
        "mutation ($rows: [cloud_accounts_insert_input!]!) { delete_spends(where: {}) { affected_rows } insert_cloud_accounts(objects: $rows) { affected_rows } }",
        &[json!({ "account_name": "Drydock" }), json!({ "account_name": "Quay Staging" })],
    )
    .await;
    assert_eq!(
        answer,
        r#"{"errors":[{"extensions":{"code":"constraint-violation","path":"$.selectionSet.insert_cloud_accounts"},"message":"Uniqueness violation. duplicate key value violates unique constraint \"cloud_accounts_tenant_account_name_key\""}]}"#
    );
    assert_eq!(ada.data(STOCK).await, before);
}

#[tokio::test]
async fn who_only_reads_is_refused_and_nothing_changes() {
    let service = Service::start();
    let ada = service.client().await;
    let reader = service.client_of("rea@example.com", "tenant_admin_readonly").await;
    service.import(&[fixture("september.csv")]);
    let before = ada.data(STOCK).await;
    for field in [
        "delete_spends(where: {}) { affected_rows }",
        "update_spends(where: {}, _set: { unit: \"EUR\" }) { affected_rows }",
    ] {
        let answer = reader.ask(&format!("mutation {{ {field} }}"), &json!({})).await;
        assert_eq!(
            at(&answer.body, &["errors", "0", "extensions", "code"]),
            r#""validation-failed""#,
            "{answer:#?}"
        );
    }
    assert_eq!(reader.data(STOCK).await, before);
}

/// Sends `query` with accounts as `$rows`, adding the required fields. Returns the whole body.
async fn write(client: &Client, query: &str, accounts: &[serde_json::Value]) -> String {
    let user = ada(client).await;
    let rows = accounts.iter().cloned().map(|mut row| {
        for (name, value) in [("account_type", "account"), ("created_by", &user), ("updated_by", &user)] {
            row[name] = json!(value);
        }
        row
    });
    client.ask(query, &json!({ "rows": rows.collect::<Vec<_>>() })).await.body
}

/// The id of the administrator.
async fn ada(client: &Client) -> String {
    let found = client.data(r#"{ users(where: { username: { _eq: "ada@example.com" } }) { id } }"#).await;
    at(&found, &["users", "0", "id"]).trim_matches('"').to_owned()
}

#[tokio::test]
async fn what_was_answered_outlives_a_service_that_is_killed_while_it_writes() {
    let service = Service::start();
    let client = Arc::new(service.client().await);
    let user = ada(&client).await;
    let (tell, mut answered) = mpsc::unbounded_channel();
    for writer in 0..8 {
        let (client, user, tell) = (Arc::clone(&client), user.clone(), tell.clone());
        tokio::spawn(async move {
            for number in 0.. {
                let name = format!("{writer}-{number}");
                let query = r#"mutation ($name: String!, $by: uuid!) { insert_cloud_accounts_one(object: {account_name: $name, account_type: "account", created_by: $by, updated_by: $by}) { account_name } }"#;
                let body = json!({ "query": query, "variables": { "name": name, "by": user } });
                let sent = client.request(Method::POST, "/api/graphql").json(&body).send().await;
                // Without a complete response, the write is not acknowledged.
                let Ok(answer) = sent else { return };
                let Ok(text) = answer.text().await else { return };
                tell.send((name, text)).unwrap();
            }
        });
    }
    drop(tell);
    let mut names = BTreeSet::new();
    let mut keep = |(name, text): (String, String)| {
        assert!(text.starts_with(r#"{"data":"#), "{text}");
        names.insert(name);
    };
    for _ in 0..200 {
        keep(answered.recv().await.unwrap());
    }
    let service = Service::start_on(service.kill());
    while let Some(answer) = answered.recv().await {
        keep(answer);
    }
    let ben = service.client_of("ben@example.com", "tenant_admin").await;
    let found = ben.ask("{ cloud_accounts { account_name } }", &json!({})).await.json();
    let found = found["data"]["cloud_accounts"].as_array().unwrap();
    let found: BTreeSet<String> =
        found.iter().map(|row| row["account_name"].as_str().unwrap().to_owned()).collect();
    let lost: Vec<_> = names.difference(&found).collect();
    assert!(lost.is_empty(), "answered and lost: {lost:?}");
}
