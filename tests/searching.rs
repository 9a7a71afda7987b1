//! Tests that the search returns only rows the user may read, for every kind and role, with both databases.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

use crate::support::client::Client;
use crate::support::programs::{self, run};
use crate::support::service::Service;

/// Part of the names of all rows.
const TEXT: &str = "pier";
const ACCOUNT: &str = "00000000-0000-4000-8000-0000000000a1";
const NAMESPACE: &str = "pier";

/// Every kind, with the tables where its rows can be read by id; documents and workflows are read by operations.
const KINDS: [(&str, &[(&str, &str)]); 11] = [
    ("ACCOUNT", &[("cloud_accounts", "id")]),
    ("SERVICE", &[("cloud_resourses", "service_name")]),
    ("RESOURCE", &[("cloud_resourses", "id")]),
    (
        "WORKLOAD",
        &[
            ("k8s_workloads", "id"),
            ("k8s_pods", "cloud_resource_id"),
            ("k8s_nodes", "cloud_resource_id"),
            ("k8s_namespaces", "name"),
        ],
    ),
    ("EVENT", &[("events", "id")]),
    ("RECOMMENDATION", &[("recommendation", "id")]),
    ("DOCUMENT", &[]),
    ("BUDGET", &[("budget", "id")]),
    ("WORKFLOW", &[]),
    ("IMPORT", &[("imports", "id")]),
    ("VIEW", &[("saved_view", "id"), ("private_view", "id")]),
];

#[tokio::test]
async fn the_search_shows_nothing_that_one_may_not_read() {
    search_as_everybody(tempfile::tempdir().unwrap()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_search_in_postgresql_shows_nothing_that_one_may_not_read() {
    let Some(url) = crate::support::postgres::begun() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("quarterdeck.toml"), format!("database = \"{url}\"\n")).unwrap();
    search_as_everybody(folder).await;
}

async fn search_as_everybody(data_dir: TempDir) {
    let service = Service::start_in(data_dir, &[]);
    let admin = service.client().await;
    let person =
        admin.ask("{ users(where: {username: {_eq: \"ada@example.com\"}}) { id } }", &json!({})).await.json();
    let person = person["data"]["users"][0]["id"].as_str().unwrap();
    run(service.data_dir(), &["user", "add", "eve@example.com", "--tenant", "Elsewhere"]).succeeded();
    load(service.data_dir(), person);
    keep_view(&admin, "The pier of Ada").await;

    let reader = service.client_of("reader@example.com", "tenant_admin_readonly").await;
    keep_view(&reader, "The pier of the reader").await;
    let of_account = narrowed(&service, &admin, "account@example.com", |user| {
        format!(
            "auth_account_user_roles_upsert_one(role: {{ user_id: \"{user}\", account_roles: [{{ account_id: \"{ACCOUNT}\", role: \"account_admin_readonly\" }}] }})"
        )
    })
    .await;
    let of_namespace = narrowed(&service, &admin, "namespace@example.com", |user| {
        format!(
            "auth_k8saccount_namespace_user_roles_upsert_one(role: {{ user_id: \"{user}\", k8saccount_namespace_roles: [{{ account_id: \"{ACCOUNT}\", namespace: \"{NAMESPACE}\", role: \"k8s_namespace_admin_readonly\" }}] }})"
        )
    })
    .await;
    let of_another = {
        let pair = run(
            service.data_dir(),
            &["token", "create", "eve@example.com", "--name", "tests", "--tenant", "Elsewhere", "--json"],
        );
        Client::sign_in(&service.address, &pair.succeeded().json()).await
    };

    let mut found = BTreeMap::new();
    for (who, client) in [
        ("admin", &admin),
        ("reader", &reader),
        ("account", &of_account),
        ("namespace", &of_namespace),
        ("another tenant", &of_another),
    ] {
        let rows = search(client).await;
        for row in &rows {
            assert!(may_read(client, row).await, "{who} finds {row} and may not read it");
        }
        found.insert(who, rows);
    }
    let kinds = |who: &str| {
        let mut kinds: Vec<&str> = found[who].iter().map(|row| row["kind"].as_str().unwrap()).collect();
        kinds.dedup();
        kinds
    };
    // Rows of every kind can be found; narrower roles find fewer.
    assert_eq!(kinds("admin"), KINDS.map(|(kind, _)| kind));
    assert_eq!(kinds("reader"), kinds("admin"));
    let count = |who: &str| found[who].len();
    assert!(count("account") > 0 && count("account") < count("admin"), "{:#?}", found["account"]);
    assert!(count("namespace") > 0 && count("namespace") < count("account"), "{:#?}", found["namespace"]);
    // Private rows are found only by their owner, and those of a tenant only in that tenant.
    let titles = |who: &str| -> Vec<&str> {
        let views = found[who].iter().filter(|row| row["kind"] == "VIEW");
        views.map(|row| row["title"].as_str().unwrap()).collect()
    };
    assert_eq!(titles("admin"), ["Errors of the pier", "The pier of Ada"]);
    assert_eq!(titles("reader"), ["Errors of the pier", "The pier of the reader"]);
    assert!(titles("account").is_empty() && titles("namespace").is_empty());
    for row in &found["another tenant"] {
        assert!(!found["admin"].contains(row) || row["kind"] == "SERVICE", "{row}");
    }
}

/// A member whose only role is the one from `give`.
async fn narrowed(service: &Service, admin: &Client, email: &str, give: impl Fn(&str) -> String) -> Client {
    run(service.data_dir(), &["user", "add", email, "--role", "tenant_admin_readonly"]).succeeded();
    let asked = format!("{{ users(where: {{username: {{_eq: \"{email}\"}}}}) {{ id }} }}");
    let found = admin.ask(&asked, &json!({})).await.json();
    let user = found["data"]["users"][0]["id"].as_str().unwrap();
    let taken = format!(
        "auth_tenant_user_roles_upsert_one(role: {{ user_id: \"{user}\", role: \"\" }}) {{ status message }}"
    );
    let given = give(user);
    let answer =
        admin.ask(&format!("mutation {{ {given} {{ status message }} {taken} }}"), &json!({})).await.json();
    assert!(answer["errors"].is_null(), "{answer}");
    let pair = run(service.data_dir(), &["token", "create", email, "--name", "tests", "--json"]);
    Client::sign_in(&service.address, &pair.succeeded().json()).await
}

async fn keep_view(client: &Client, name: &str) {
    let kept = "mutation($name: String!) { insert_private_view_one(object: { page: \"events\", name: $name }) { name } }";
    let answer = client.ask(kept, &json!({ "name": name })).await.json();
    assert_eq!(answer["data"]["insert_private_view_one"]["name"], name, "{answer}");
}

/// Loads the rows of the search cases for the first tenant, and with other ids for another one.
fn load(data_dir: &Path, person: &str) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/search");
    let given: Value =
        serde_json::from_str(&std::fs::read_to_string(cases.join("given.json")).unwrap()).unwrap();
    let names: Vec<&str> =
        given["load"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    programs::load_for_two(data_dir, &cases, &names, &[("{{person}}", person)]);
}

async fn search(client: &Client) -> Vec<Value> {
    let asked = "query($text: String!) { search_everything(request: { text: $text, limit: 50 }) { rows { kind id title account_id } } }";
    let answer = client.ask(asked, &json!({ "text": TEXT })).await.json();
    answer["data"]["search_everything"]["rows"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

/// Whether the user can read a row in the table of its kind.
async fn may_read(client: &Client, row: &Value) -> bool {
    let (_, tables) = KINDS.iter().find(|(kind, _)| row["kind"] == *kind).unwrap();
    if tables.is_empty() {
        let (field, list) =
            if row["kind"] == "DOCUMENT" { ("ai_list_kb", "data") } else { ("workflow_list", "workflows") };
        let asked = format!(
            "query($account: String!) {{ {field}(request: {{ account_id: $account }}) {{ {list} {{ id }} }} }}"
        );
        let answer = client.ask(&asked, &json!({ "account": row["account_id"] })).await.json();
        let read = answer["data"][field][list].as_array().cloned().unwrap_or_default();
        return read.iter().any(|one| one["id"] == row["id"]);
    }
    for (table, key) in *tables {
        let asked =
            format!("{{ {table}(where: {{ {key}: {{ _eq: {} }} }}, limit: 1) {{ {key} }} }}", row["id"]);
        // A role without access to a table gets an error; so does a value that is not an id of it.
        if client.ask(&asked, &json!({})).await.json()["data"][table]
            .as_array()
            .is_some_and(|rows| !rows.is_empty())
        {
            return true;
        }
    }
    false
}
