//! Writes from outside: rows that are in the way, rows that bring others along, refusals that leave everything as it was.

use serde_json::json;

use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::fixture;
use crate::support::service::Service;

/// All that a failed write could have changed.
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
        r#"{"errors":[{"extensions":{"code":"constraint-violation","path":"$.selectionSet.insert_cloud_accounts"},"message":"uniqueness violation: duplicate key value violates unique constraint \"cloud_accounts_tenant_account_name_key\""}]}"#
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

/// Sends `query` with accounts as `$rows`, each with what every account has to say; answers the whole body.
async fn write(client: &Client, query: &str, accounts: &[serde_json::Value]) -> String {
    let found = client.data(r#"{ users(where: { username: { _eq: "ada@example.com" } }) { id } }"#).await;
    let user = at(&found, &["users", "0", "id"]).trim_matches('"').to_owned();
    let rows = accounts.iter().cloned().map(|mut row| {
        for (name, value) in [("account_type", "account"), ("created_by", &user), ("updated_by", &user)] {
            row[name] = json!(value);
        }
        row
    });
    client.ask(query, &json!({ "rows": rows.collect::<Vec<_>>() })).await.body
}
