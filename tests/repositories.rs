//! Tests that a rightsizing becomes a pull request, with GitHub on loopback, from the recommendation to its end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::browser::Chromium;
use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;
use testkit::repositories::{Repositories, TOKEN};

/// Timeout for a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);
const MERGED: &str = "its pull request was merged; waits for an import that shows the change";
const ACCOUNT: &str = "a0000000-0000-4000-8000-000000000001";
const MANIFEST: &str = "# What the shop runs.\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          image: shop/web:1\n          resources:\n            requests:\n              cpu: 500m   # measured in March\n              memory: 1Gi\n";

async fn asked(client: &Client, query: &str) -> Value {
    serde_json::from_str(&client.data(query).await).unwrap()
}

fn load(service: &Service, table: &str, row: &Value) {
    let file = service.data_dir().join(format!("{table}.ndjson"));
    std::fs::write(&file, row.to_string()).unwrap();
    programs::run(service.data_dir(), &["table", "load", table, file.to_str().unwrap()]).succeeded();
}

/// A service with automation enabled, with an account.
async fn acting() -> (Service, Client) {
    let environment = [
        ("QUARTERDECK_AUTOMATION", "on"),
        ("QUARTERDECK_AUTOMATION_PRIVATE", "on"),
        ("SECRET_GITHUB_TOKEN", TOKEN),
    ];
    let service = Service::start_with(&environment);
    let client = service.client().await;
    let user = asked(&client, "{ users(limit: 1) { id } }").await["users"][0]["id"].clone();
    let account = json!({ "id": ACCOUNT, "account_name": "shop", "account_type": "kubernetes", "created_by": user, "updated_by": user });
    load(&service, "cloud_accounts", &account);
    let bind = r#"mutation { workflow_save_secret(request: { name: "GITHUB_TOKEN", hosts: ["127.0.0.1"] }) { id } }"#;
    asked(&client, bind).await;
    (service, client)
}

/// Loads a recommendation with that id, about the container of the manifest.
fn advise(service: &Service, id: &str) {
    let details = json!({ "namespace": "shop", "workload": "web", "kind": "Deployment", "container": "app",
        "current": { "requests": { "cpu": 0.5, "memory": 1_073_741_824 } },
        "recommended": { "requests": { "cpu": 0.1, "memory": 268_435_456 } } });
    let row = json!({ "id": id, "cloud_account_id": ACCOUNT, "recommendation": details, "recommendation_action": "Modify",
        "rule_name": format!("krr container {id}"), "status": "Open", "account_object_id": "shop/web" });
    load(service, "recommendation", &row);
}

async fn apply(client: &Client, id: &str, address: &str) -> Value {
    let query = format!(
        r#"mutation {{ apply_recommendations(object: {{ account_id: "{ACCOUNT}", recommendation_id: "{id}", provider: "github",
          provider_config: {{ repository: "acme/shop", base_url: "{address}", path: "deploy/{{namespace}}/{{name}}.yaml" }} }}) {{ data }} }}"#
    );
    asked(client, &query).await["apply_recommendations"]["data"][0].clone()
}

/// The recommendation, once it has that status.
async fn standing(client: &Client, id: &str, status: &str) -> Value {
    until(client, id, |seen| seen["recommendation_by_pk"]["status"] == status).await
}

/// The recommendation, once its attempt has that message.
async fn says(client: &Client, id: &str, words: &str) -> Value {
    until(client, id, |seen| seen["recommendation_resolution"][0]["status_message"] == words).await
}

async fn until(client: &Client, id: &str, is: impl Fn(&Value) -> bool) -> Value {
    let query = format!(
        r#"{{ recommendation_by_pk(id: "{id}") {{ status note }}
          recommendation_resolution(where: {{ recommendation_id: {{ _eq: "{id}" }} }}) {{ status status_message type }} }}"#
    );
    let began = Instant::now();
    loop {
        let seen = asked(client, &query).await;
        if is(&seen) {
            return seen;
        }
        assert!(began.elapsed() < PATIENCE, "still {seen}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn opened(double: &Repositories, number: usize) {
    let began = Instant::now();
    while double.pulls().len() < number {
        assert!(began.elapsed() < PATIENCE, "no pull request is opened");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_rightsizing_becomes_a_pull_request_and_waits_for_an_import_after_its_merge() {
    let double = Repositories::start(&[("deploy/shop/web.yaml", MANIFEST)]);
    let (service, client) = acting().await;
    let (merged, closed) = ("b0000000-0000-4000-8000-000000000001", "b0000000-0000-4000-8000-000000000002");
    advise(&service, merged);
    let begun = apply(&client, merged, &double.address).await;
    assert_eq!((&begun["status"], &begun["type"]), (&json!("InProgress"), &json!("PullRequest")), "{begun}");
    opened(&double, 1).await;
    standing(&client, merged, "InProgress").await;
    let pull = &double.pulls()[0];
    assert_eq!(pull.base, "main");
    assert!(pull.text.contains("Deployment shop/web, container app"), "{}", pull.text);
    let wanted = MANIFEST.replace("500m", "100m").replace("1Gi", "256Mi");
    assert_eq!(double.file(&pull.branch, "deploy/shop/web.yaml"), Some(wanted.clone()));
    assert_eq!(double.file("main", "deploy/shop/web.yaml").as_deref(), Some(MANIFEST));
    double.set(1, "merged");
    // An import must confirm it.
    let seen = says(&client, merged, MERGED).await;
    assert_eq!(
        seen["recommendation_resolution"],
        json!([{ "status": "InProgress", "status_message": MERGED, "type": "PullRequest" }])
    );
    assert_eq!(double.file("main", "deploy/shop/web.yaml"), Some(wanted));

    // Nothing is left to change: no second pull request, and the reason is reported.
    advise(&service, closed);
    apply(&client, closed, &double.address).await;
    let seen = standing(&client, closed, "Open").await;
    let note = seen["recommendation_by_pk"]["note"].as_str().unwrap();
    assert!(note.contains("There is nothing to change"), "{note}");
    assert_eq!(double.pulls().len(), 1);
    service.stop();
}

#[tokio::test]
async fn a_pull_request_that_is_closed_leaves_the_recommendation_open() {
    let double = Repositories::start(&[("deploy/shop/web.yaml", MANIFEST)]);
    let (service, client) = acting().await;
    let id = "b0000000-0000-4000-8000-000000000003";
    advise(&service, id);
    apply(&client, id, &double.address).await;
    opened(&double, 1).await;
    double.set(1, "closed");
    let seen = standing(&client, id, "Open").await;
    let note = seen["recommendation_by_pk"]["note"].as_str().unwrap();
    assert!(note.contains("was closed without a merge"), "{note}");
    assert_eq!(seen["recommendation_resolution"][0]["status"], "Failed");
    service.stop();
}

#[tokio::test]
async fn a_person_opens_the_pull_request_on_the_page_and_sees_its_end() {
    let double = Repositories::start(&[("deploy/shop/web.yaml", MANIFEST)]);
    let (service, client) = acting().await;
    let id = "b0000000-0000-4000-8000-000000000004";
    advise(&service, id);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("This computer is ready").await;
    let detail = format!("{}/recommendations?id={id}", service.address);
    page.open(&detail).await;
    page.press("How to apply").await;
    // Unavailable ways are listed with the reason.
    page.shows("The program kubectl is not allowed").await;
    page.shows("There is no token for gitlab: the administrator of the service sets SECRET_GITLAB_TOKEN")
        .await;
    page.press("Start: With a pull request on GitHub").await;
    page.press_in_dialog("Open it").await;
    page.shows("Enter the repository, for example acme/shop").await;
    page.fill("Repository", "acme/shop").await;
    page.fill("File with the manifest", "deploy/{namespace}/{name}.yaml").await;
    page.fill("Address of your own server", &double.address).await;
    page.press_in_dialog("Open it").await;
    page.shows("a pull request is being opened").await;
    page.shows("Attempts").await;
    // While the attempt is running, no other way is offered, and the attempt can be ended.
    page.shows("Reopen ends the attempt here").await;
    opened(&double, 1).await;
    page.picture("pull-request").await;
    double.set(1, "merged");
    says(&client, id, MERGED).await;
    page.open(&detail).await;
    page.press("How to apply").await;
    page.shows("its pull request was merged").await;
    assert_eq!(
        double.file("main", "deploy/shop/web.yaml"),
        Some(MANIFEST.replace("500m", "100m").replace("1Gi", "256Mi"))
    );
    chromium.page.close().await;
    service.stop();
}
