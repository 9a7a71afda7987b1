//! Tests a rightsizing from the import that finds it to the import that confirms it: an auto-pilot with reviewers, pull requests at GitHub on
//! loopback, and dumps of the cluster.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::service::Service;
use testkit::repositories::{Repositories, TOKEN};

/// Timeout for a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);
const MANIFEST: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          image: shop/web:1\n          resources:\n            requests:\n              cpu: 500m\n              memory: 1Gi\n";

/// The output of `kubectl get -o json` for the cluster at an hour of a day.
fn dump(hour: u8, cpu: &str, memory: &str) -> Value {
    let time = format!("2026-11-20T{hour:02}:00:00Z");
    let made = "2026-11-01T00:00:00Z";
    json!({ "apiVersion": "v1", "kind": "List", "items": [
        { "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "kube-system", "uid": "cluster-1", "creationTimestamp": made } },
        { "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop", "uid": "namespace-shop", "creationTimestamp": made } },
        { "apiVersion": "apps/v1", "kind": "Deployment",
          "metadata": { "name": "web", "namespace": "shop", "uid": "deployment-web", "creationTimestamp": made },
          "spec": { "replicas": 2, "selector": { "matchLabels": { "app": "web" } }, "template": { "metadata": { "labels": { "app": "web" } },
            "spec": { "containers": [{ "name": "app", "image": "shop/web:1", "resources": { "requests": { "cpu": cpu, "memory": memory } } }] } } },
          "status": { "readyReplicas": 2, "conditions": [{ "type": "Available", "status": "True", "lastUpdateTime": time }] } },
    ] })
}

/// The output of `krr simple -f json` in the context `shop`.
fn report(severity: &str) -> Value {
    json!({ "scans": [{
        "object": { "cluster": "shop", "name": "web", "container": "app", "pods": [], "namespace": "shop", "kind": "Deployment",
            "allocations": { "requests": { "cpu": 0.5, "memory": 1_073_741_824 }, "limits": { "cpu": null, "memory": null } } },
        "recommended": { "requests": { "cpu": { "value": 0.1, "severity": severity }, "memory": { "value": 268_435_456, "severity": severity } },
            "limits": { "cpu": { "value": null }, "memory": { "value": null } } },
        "severity": severity }], "strategy": { "name": "simple" } })
}

async fn ask(client: &Client, query: &str, variables: Value) -> Value {
    let answer = client.ask(query, &variables).await.json();
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

/// Imports a file over the interface and returns its id.
async fn import(client: &Client, name: &str, file: &Value) -> String {
    let request = client.request(Method::POST, &format!("/api/imports?name={name}")).body(file.to_string());
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::ACCEPTED);
    let id = answer.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let began = Instant::now();
    loop {
        let seen = client.get(&format!("/api/imports/{id}")).await.json();
        if !matches!(seen["state"].as_str(), Some("waiting" | "running")) {
            assert!(matches!(seen["state"].as_str(), Some("done" | "done_with_skips")), "{seen}");
            return id;
        }
        assert!(began.elapsed() < PATIENCE, "still {seen}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A service with automation enabled, a cluster, a recommendation, and a reviewer whose approval the account requires.
struct Acting {
    service: Service,
    ada: Client,
    bob: Client,
    repository: Repositories,
    account: String,
    advice: String,
}

impl Acting {
    async fn start() -> Self {
        let repository = Repositories::start(&[("deploy/shop/web.yaml", MANIFEST)]);
        let service = Service::start_with(&[
            ("QUARTERDECK_AUTOMATION", "on"),
            ("QUARTERDECK_AUTOMATION_PRIVATE", "on"),
            ("SECRET_GITHUB_TOKEN", TOKEN),
        ]);
        let ada = service.client().await;
        let bob = service.client_of("bob@example.com", "tenant_admin").await;
        let bind = r#"mutation { workflow_save_secret(request: { name: "GITHUB_TOKEN", hosts: ["127.0.0.1"] }) { id } }"#;
        ask(&ada, bind, json!({})).await;
        import(&ada, "cluster.json", &dump(1, "500m", "1Gi")).await;
        let found = ask(&ada, "{ cloud_accounts { id } }", json!({})).await;
        let account = found["cloud_accounts"][0]["id"].as_str().unwrap().to_owned();
        let rename = "mutation($id: uuid!) { update_cloud_accounts_by_pk(pk_columns: { id: $id }, _set: { account_name: \"shop\" }) { id } }";
        ask(&ada, rename, json!({ "id": account })).await;
        import(&ada, "krr.json", &report("CRITICAL")).await;
        // The report contains the context's name; it applies to the account with that name and to the same workload.
        let found = ask(
            &ada,
            "{ cloud_accounts { id } recommendation(where: { rule_name: { _like: \"krr%\" } }) { id cloud_account_id } }",
            json!({}),
        )
        .await;
        assert_eq!(found["cloud_accounts"].as_array().unwrap().len(), 1, "{found}");
        let advice = &found["recommendation"][0];
        assert_eq!(advice["cloud_account_id"], account.as_str(), "{found}");
        let advice = advice["id"].as_str().unwrap().to_owned();
        let people =
            ask(&ada, "{ users(where: { username: { _eq: \"bob@example.com\" } }) { id } }", json!({})).await;
        let policy =
            "mutation($object: CreateApprovalInput!) { create_auto_pilot_policy(arg1: $object) { id } }";
        let object = json!({ "account_id": account, "reviewers": [people["users"][0]["id"]] });
        ask(&ada, policy, json!({ "object": object })).await;
        Self { service, ada, bob, repository, account, advice }
    }

    /// Creates an auto-pilot that executes the recommendation after the reviewer's approval. Returns the auto-pilot.
    async fn take_up(&self) -> String {
        let insert =
            "mutation($object: auto_optimize_insert_one!) { auto_optimize_insert_one(arg1: $object) { id } }";
        let object = json!({ "account_id": self.account, "category": "vertical_rightsize", "dryrun": false, "notification": {},
            "resource_filter": [{ "namespace": "shop", "type": "Deployment", "name": "" }],
            "schedule": { "frequency": "0 5 * * *" },
            "gitops": { "enabled": true, "provider": "github", "repository_name": "acme/shop", "base_url": self.repository.address,
                "path": "deploy/{namespace}/{name}.yaml" } });
        let pilot = ask(&self.ada, insert, json!({ "object": object })).await;
        let pilot = pilot["auto_optimize_insert_one"]["id"].as_str().unwrap().to_owned();
        let run = "mutation($object: AutoOptimizeRunRequest!) { auto_optimize_run_now(request: $object) { message tasks } }";
        let which = json!({ "object": { "id": pilot, "account_id": self.account } });
        let early = self.ada.ask(run, &which).await.json();
        assert!(early["errors"][0]["message"].as_str().unwrap().contains("DRAFT"), "{early}");
        let asked = ask(&self.bob, "{ auto_pilot_approvals { id status } }", json!({})).await;
        let consent = "mutation($object: AutopilotApprovalUpdateInput!) { update_status_auto_pilot_approval(arg1: $object) { id } }";
        let object = json!({ "account_id": self.account, "approval_id": asked["auto_pilot_approvals"][0]["id"], "status": "APPROVED" });
        ask(&self.bob, consent, json!({ "object": object })).await;
        let begun = ask(&self.ada, run, which).await;
        assert_eq!(begun["auto_optimize_run_now"]["tasks"], 1, "{begun}");
        pilot
    }

    async fn opened(&self, number: usize) {
        let began = Instant::now();
        while self.repository.pulls().len() < number {
            assert!(began.elapsed() < PATIENCE, "no pull request is opened: {}", self.standing().await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The recommendation, its attempts, and the tasks of auto-pilots.
    async fn standing(&self) -> Value {
        let query = "query($id: uuid!) { recommendation_by_pk(id: $id) { status note recommendation }
            recommendation_resolution(where: { recommendation_id: { _eq: $id } }, order_by: [{ created_at: asc }]) { status status_message type resolver_type }
            auto_pilot_task { status reason } }";
        ask(&self.ada, query, json!({ "id": self.advice })).await
    }

    async fn until(&self, is: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let seen = self.standing().await;
            if is(&seen) {
                return seen;
            }
            assert!(began.elapsed() < PATIENCE, "still {seen}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

fn says(value: &Value, words: &str) -> bool {
    value.as_str().is_some_and(|text| text.contains(words))
}

#[tokio::test]
async fn an_auto_pilot_opens_a_pull_request_and_the_next_import_proves_it() {
    let acting = Acting::start().await;
    acting.take_up().await;
    acting.opened(1).await;
    let pull = &acting.repository.pulls()[0];
    let changed = MANIFEST.replace("500m", "100m").replace("1Gi", "256Mi");
    assert_eq!(acting.repository.file(&pull.branch, "deploy/shop/web.yaml"), Some(changed));
    assert!(pull.text.contains("requests of cpu 100m and memory 256Mi"), "{}", pull.text);
    let seen = acting.standing().await;
    assert_eq!(seen["recommendation_by_pk"]["status"], "InProgress");
    assert_eq!(seen["auto_pilot_task"][0]["status"], "In_Progress", "{seen}");
    assert_eq!(seen["recommendation_resolution"][0]["resolver_type"], "AutoOptimize");

    // A merge is not enough: the cluster must confirm it.
    acting.repository.set(1, "merged");
    let seen = acting.until(|seen| seen["auto_pilot_task"][0]["status"] == "Executed").await;
    assert_eq!(seen["recommendation_by_pk"]["status"], "InProgress", "{seen}");
    assert!(
        says(&seen["recommendation_resolution"][0]["status_message"], "merged; waits for an import"),
        "{seen}"
    );
    import(&acting.ada, "cluster.json", &dump(2, "500m", "1Gi")).await;
    assert_eq!(acting.standing().await["recommendation_by_pk"]["status"], "InProgress");
    let shows = import(&acting.ada, "cluster.json", &dump(3, "100m", "256Mi")).await;
    let seen = acting.standing().await;
    let advice = &seen["recommendation_by_pk"];
    assert_eq!(advice["status"], "Closed", "{seen}");
    assert_eq!(
        advice["note"],
        "Closed by an import: the cluster shows the change, as it was on 2026-11-20T03:00:00Z: requests of cpu 100m instead of 500m, requests of memory 256Mi instead of 1024Mi."
    );
    let proof = &advice["recommendation"]["verified_change"];
    assert_eq!(proof["seen_at"], "2026-11-20T03:00:00Z");
    assert_eq!(
        proof["changes"],
        json!([
            { "part": "requests", "resource": "cpu", "before": "500m", "after": "100m" },
            { "part": "requests", "resource": "memory", "before": "1024Mi", "after": "256Mi" },
        ])
    );
    assert_eq!(seen["recommendation_resolution"][0]["status"], "Success");
    assert_eq!(seen["auto_pilot_task"][0]["status"], "Complete", "{seen}");

    // The import that confirmed it is undone and repeated.
    let undone = acting.ada.post(&format!("/api/imports/{shows}/undo"), &json!({})).await;
    assert_eq!(undone.status, StatusCode::OK, "{undone:#?}");
    let seen = acting.standing().await;
    assert_eq!(seen["recommendation_by_pk"]["status"], "InProgress", "{seen}");
    assert!(seen["recommendation_by_pk"]["recommendation"]["verified_change"].is_null(), "{seen}");
    assert_eq!(
        seen["recommendation_resolution"][0]["status_message"],
        "what showed the change was taken back"
    );
    assert_eq!(seen["auto_pilot_task"][0]["status"], "Executed");
    // The tool that found it now reports that there is nothing to do.
    import(&acting.ada, "krr.json", &report("GOOD")).await;
    let seen = acting.standing().await;
    assert_eq!(seen["recommendation_by_pk"]["status"], "Closed", "{seen}");
    assert!(
        says(&seen["recommendation_by_pk"]["note"], "Closed by an import: the check passes now"),
        "{seen}"
    );
    assert_eq!(seen["recommendation_resolution"][0]["status"], "Success");
    acting.service.stop();
}

#[tokio::test]
async fn a_person_needs_the_reviewers_and_a_pull_request_that_is_closed_opens_the_recommendation_again() {
    let acting = Acting::start().await;
    let apply =
        "mutation($object: apply_recommendation_input!) { apply_recommendations(object: $object) { data } }";
    let object = json!({ "account_id": acting.account, "recommendation_id": acting.advice, "provider": "github",
        "provider_config": { "repository": "acme/shop", "base_url": acting.repository.address, "path": "deploy/{namespace}/{name}.yaml" } });
    let applied = async || {
        let begun = ask(&acting.ada, apply, json!({ "object": object })).await;
        let begun = begun["apply_recommendations"]["data"][0].clone();
        assert!(says(&begun["message"], "the account's reviewers are asked"), "{begun}");
    };
    let answer = async |status: &str| {
        let began = Instant::now();
        let queue = "{ workflow_list_approvals(request: {}) { approvals { id plan_id plan may_answer } } }";
        loop {
            let open = ask(&acting.bob, queue, json!({})).await;
            let open = open["workflow_list_approvals"]["approvals"][0].clone();
            if open["id"].is_string() {
                assert!(
                    says(&open["plan"], "deploy/shop/web.yaml") && says(&open["plan"], "cpu request 100m"),
                    "{open}"
                );
                // The person who applies it is not a reviewer.
                let ada = ask(&acting.ada, queue, json!({})).await;
                assert_eq!(ada["workflow_list_approvals"]["approvals"][0]["may_answer"], false, "{ada}");
                let vote = "mutation($object: WorkflowApprovalAnswerRequest!) { workflow_answer_approval(request: $object) { is_decided } }";
                let object = json!({ "id": open["id"], "plan_id": open["plan_id"], "status": status });
                let voted = ask(&acting.bob, vote, json!({ "object": object })).await;
                assert_eq!(voted["workflow_answer_approval"]["is_decided"], true, "{voted}");
                return;
            }
            assert!(began.elapsed() < PATIENCE, "nobody is asked");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    applied().await;
    answer("reject").await;
    let seen = acting.until(|seen| seen["recommendation_by_pk"]["status"] == "Open").await;
    assert_eq!(seen["recommendation_by_pk"]["note"], "Open again: the plan was rejected");
    assert!(acting.repository.pulls().is_empty() && acting.repository.branches() == ["main"]);

    applied().await;
    answer("approve").await;
    acting.opened(1).await;
    acting.repository.set(1, "closed");
    let seen = acting.until(|seen| seen["recommendation_by_pk"]["status"] == "Open").await;
    assert!(says(&seen["recommendation_by_pk"]["note"], "was closed without a merge"), "{seen}");
    assert_eq!(seen["recommendation_resolution"][1]["status"], "Failed");
    acting.service.stop();
}
