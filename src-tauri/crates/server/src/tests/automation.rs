//! Tests of automation over real HTTP: a recommendation becomes a command after approval, voters are checked, runs are ended, a playbook runs as a
//! workflow.

use super::waiting::until;
use super::workflows::{ask, create, once, start_on, trigger};
use super::{Client, Service, clock, tenancy};
use catalogue::{Caller, Role, ValueRef};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use store::{StoreError, eq};
use uuid::Uuid;

/// A program of that name that writes its arguments to a file.
fn fake_program(folder: &Path, name: &str) -> (String, std::path::PathBuf) {
    let (file, written) = (folder.join(name), folder.join("written"));
    std::fs::write(&file, format!("#!/bin/sh\necho \"$@\" >> {}\necho done\n", written.display())).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    (file.to_str().unwrap().to_owned(), written)
}

fn tasks_with_voters(policy: &str) -> String {
    format!(
        r#"{{ id: "ok", type: "core.approval", params: {{ message: "Sure?" {policy} }} }}
           {{ id: "then", type: "core.print", params: {{ message: "x" }}, depends_on: ["ok"] }}"#
    )
}

async fn approval_path(service: &Service, client: &Client, place: (&str, &str, &str)) -> String {
    let seen = once(client, place, |run| run["tasks"][0]["output"]["approval_url"].is_string()).await;
    let url = seen["tasks"][0]["output"]["approval_url"].as_str().unwrap().to_owned();
    url.strip_prefix(&service.running.url()).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_needs_a_sign_in_checks_tenant_and_role() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = tasks_with_voters("require_sign_in: true");
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let place = (account.as_str(), workflow.as_str(), run.as_str());
    let path = approval_path(&service, &client, place).await;
    let yes = r#"{"status": "approve"}"#;
    assert_eq!(service.stranger().post(&path, yes).await.status, 401);
    let reader = service.program("rea@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.post(&path, yes).await.status, 403);
    let rng = &mut rand::rng();
    let (elsewhere, _) = tenancy::find_or_create(&service.store(), "Elsewhere", clock::now(), rng).unwrap();
    let other = service.program("eve@elsewhere.com", Role::TenantAdmin, &elsewhere).await;
    assert_eq!(other.post(&path, yes).await.status, 403);
    let decided = client.post(&path, yes).await;
    assert_eq!((decided.status, decided.json()), (200, json!({ "status": "approve", "missing": 0 })));
    let seen = once(&client, place, |run| run["status"] == "COMPLETED").await;
    assert_eq!(seen["tasks"][0]["output"]["approver"], "ada@example.com");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_must_agree_and_the_author_is_none_of_them() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = tasks_with_voters("minimum_approvals: 2, exclude_author: true");
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let place = (account.as_str(), workflow.as_str(), run.as_str());
    let path = approval_path(&service, &client, place).await;
    let yes = r#"{"status": "approve"}"#;
    assert_eq!(client.post(&path, yes).await.status, 403);
    let bob = service.program("bob@example.com", Role::TenantAdmin, &service.tenant()).await;
    let first = bob.post(&path, yes).await;
    assert_eq!((first.status, first.json()), (200, json!({ "status": null, "missing": 1 })));
    assert_eq!(bob.post(&path, yes).await.status, 409);
    let cat = service.program("cat@example.com", Role::TenantAdmin, &service.tenant()).await;
    let open = ask(
        &cat,
        "{ workflow_list_approvals(request: {}) { approvals { id may_answer votes { person } } } }",
    )
    .await;
    let open = &open["workflow_list_approvals"]["approvals"][0];
    assert_eq!((&open["may_answer"], &open["votes"][0]["person"]), (&json!(true), &json!("bob@example.com")));
    let query = format!(
        r#"mutation {{ workflow_answer_approval(request: {{ id: {}, status: "approve" }}) {{ is_decided answer }} }}"#,
        open["id"]
    );
    let answer = ask(&cat, &query).await;
    assert_eq!(answer["workflow_answer_approval"], json!({ "is_decided": true, "answer": "approve" }));
    once(&client, place, |run| run["status"] == "COMPLETED").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_ended_and_begun_again_at_a_task() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = r#"{ id: "first", type: "core.print", params: { message: "once" } }
                   { id: "ok", type: "core.approval", params: { message: "Sure?" }, depends_on: ["first"] }"#;
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    once(&client, (&account, &workflow, &run), |run| run["tasks"][1]["output"]["approval_url"].is_string())
        .await;
    let place = format!(r#"account_id: "{account}", workflow_id: "{workflow}", execution_id: "{run}""#);
    let which = format!(r#"account_id: "{account}", id: "{workflow}", execution_id: "{run}""#);
    let ended = ask(
        &client,
        &format!(
            r#"mutation {{ workflow_cancel_execution(request: {{ {which}, reason: "no" }}) {{ status }} }}"#
        ),
    )
    .await;
    assert_eq!(ended["workflow_cancel_execution"]["status"], "RUNNING");
    let seen = once(&client, (&account, &workflow, &run), |run| run["status"] == "CANCELED").await;
    assert_eq!(
        (&seen["error"], &seen["tasks"][1]["status"]),
        (&json!("ended by ada@example.com: no"), &json!("CANCELED"))
    );
    let again = ask(&client, &format!(r#"mutation {{ workflow_run_from_task(request: {{ {place}, task_id: "ok" }}) {{ execution_id kept }} }}"#)).await;
    let again = &again["workflow_run_from_task"];
    assert_eq!(again["kept"], json!(["first"]));
    let run = again["execution_id"].as_str().unwrap();
    let seen = once(&client, (&account, &workflow, run), |run| {
        run["tasks"][1]["output"]["approval_url"].is_string()
    })
    .await;
    assert_eq!(seen["tasks"][0]["output"], json!({ "data": "once" }));
}

/// A service whose kubectl records its arguments, with a recommendation for a container. Returns service, client, account and recommendation.
async fn with_advice(programs: &Path) -> (Service, Client, Uuid, Uuid) {
    let data_dir = tempfile::tempdir().unwrap();
    let mut settings = super::workflows::acting(data_dir.path());
    settings.automation.programs = vec!["kubectl".to_owned()];
    settings.automation.search_path = Some(programs.to_path_buf());
    let service = Service { running: crate::start::start(settings).await.unwrap(), data_dir };
    let client = service.administrator().await;
    let (account, _, _) = create(
        &service,
        &client,
        "PAUSED",
        r#"{ type: "manual" }"#,
        r#"{ id: "a", type: "core.print", params: { message: "x" } }"#,
    )
    .await;
    let (account, advice) = (Uuid::parse_str(&account).unwrap(), Uuid::new_v4());
    let details = json!({
        "title": "web asks for too much", "namespace": "shop", "workload": "web", "kind": "Deployment", "container": "app",
        "current": { "requests": { "cpu": "500m" } }, "recommended": { "requests": { "cpu": 0.1 } },
    });
    service
        .store()
        .transaction::<_, StoreError>(&Caller::system_for(service.tenant().id), |rows| {
            rows.insert(
                "recommendation",
                &[
                    ("id", advice.into()),
                    ("cloud_account_id", account.into()),
                    ("recommendation", ValueRef::Json(&details.to_string())),
                    ("recommendation_action", "Modify".into()),
                    ("rule_name", "krr container app".into()),
                    ("status", "Open".into()),
                ],
            )
        })
        .unwrap();
    (service, client, account, advice)
}

async fn apply(client: &Client, account: Uuid, advice: Uuid) -> Value {
    let query = format!(
        r#"mutation {{ apply_recommendations(object: {{ account_id: "{account}", recommendation_id: "{advice}", provider: "kubernetes" }}) {{ data }} }}"#
    );
    ask(client, &query).await["apply_recommendations"]["data"][0].clone()
}

/// The state of a recommendation and of its newest attempt.
async fn standing(client: &Client, advice: Uuid) -> Value {
    ask(client, &format!(
        r#"{{ recommendation_by_pk(id: "{advice}") {{ status note }} recommendation_resolution(where: {{ recommendation_id: {{ _eq: "{advice}" }} }}) {{ status status_message }} }}"#
    )).await
}

async fn until_standing(client: &Client, advice: Uuid, is: impl Fn(&Value) -> bool) -> Value {
    until("another standing of the recommendation", async || standing(client, advice).await, is).await
}

async fn answer_first(client: &Client, status: &str) {
    let look = async || {
        let open = ask(client, "{ workflow_list_approvals(request: {}) { approvals { id plan } } }").await;
        open["workflow_list_approvals"]["approvals"][0].clone()
    };
    let open = until("a question to a person", look, |open| open["id"].is_string()).await;
    let query = format!(
        r#"mutation {{ workflow_answer_approval(request: {{ id: {}, status: "{status}" }}) {{ is_decided }} }}"#,
        open["id"]
    );
    assert_eq!(ask(client, &query).await["workflow_answer_approval"]["is_decided"], true);
    let plan = open["plan"].as_str().unwrap();
    assert!(plan.contains("kubectl --context shop --namespace shop set resources"), "{open}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recommendation_is_carried_out_after_approval_and_closed_by_an_import() {
    let programs = tempfile::tempdir().unwrap();
    let (_, written) = fake_program(programs.path(), "kubectl");
    let (service, client, account, advice) = with_advice(programs.path()).await;
    let begun = apply(&client, account, advice).await;
    assert_eq!(
        (&begun["status"], &begun["type"]),
        (&json!("InProgress"), &json!("DeploymentChange")),
        "{begun}"
    );
    assert!(!written.exists());
    answer_first(&client, "approve").await;
    let carried = |seen: &Value| {
        seen["recommendation_resolution"][0]["status_message"]
            .as_str()
            .is_some_and(|text| text.starts_with("carried out"))
    };
    let seen = until_standing(&client, advice, carried).await;
    assert_eq!(seen["recommendation_by_pk"]["status"], "InProgress");
    let line = std::fs::read_to_string(&written).unwrap();
    assert_eq!(
        line,
        "--context shop --namespace shop set resources deployment/web --containers=app --requests=cpu=100m\n"
    );
    let close = |status: &str, note: &str| {
        let set = [("status", status.to_owned()), ("note", note.to_owned())];
        service
            .store()
            .transaction::<_, StoreError>(&Caller::system_for(service.tenant().id), |rows| {
                let set: Vec<(&str, ValueRef<'_>)> =
                    set.iter().map(|(name, value)| (*name, value.as_str().into())).collect();
                rows.update("recommendation", &[eq("id", advice)], &set)
            })
            .unwrap();
    };
    close("Closed", "Closed by an import: the check passes now (2026-11-25).");
    let seen = standing(&client, advice).await;
    assert_eq!(seen["recommendation_resolution"][0]["status"], "Success");
    // The import is undone.
    close("InProgress", "");
    let seen = standing(&client, advice).await;
    assert_eq!(seen["recommendation_resolution"][0]["status"], "InProgress");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_that_is_rejected_runs_nothing_and_leaves_the_recommendation_open() {
    let programs = tempfile::tempdir().unwrap();
    let (_, written) = fake_program(programs.path(), "kubectl");
    let (_service, client, account, advice) = with_advice(programs.path()).await;
    apply(&client, account, advice).await;
    answer_first(&client, "reject").await;
    let seen = until_standing(&client, advice, |seen| seen["recommendation_by_pk"]["status"] == "Open").await;
    assert_eq!(
        seen["recommendation_resolution"][0],
        json!({ "status": "Failed", "status_message": "the plan was rejected" })
    );
    assert_eq!(seen["recommendation_by_pk"]["note"], "Open again: the plan was rejected");
    assert!(!written.exists());
}

/// A service with a playbook of one step that prints this message. Returns service, client, account and playbook.
async fn with_playbook(message: &str) -> (Service, Client, String, String) {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let task = r#"{ id: "a", type: "core.print", params: { message: "x" } }"#;
    let (account, _, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, task).await;
    let made = ask(&client, &format!(
        r#"mutation {{ auto_runbook_insert_one(arg1: {{ account_id: "{account}", dryrun: false, name: "tell", notification: {{}}, resource_filter: [],
          trigger: {{ type: "manual" }}, tasks: [{{ type: "core.print", config: {{ message: "{message}" }} }}] }}) {{ id }} }}"#
    )).await;
    let playbook = made["auto_runbook_insert_one"]["id"].as_str().unwrap().to_owned();
    (service, client, account, playbook)
}

/// Runs the playbook and returns the output of its step.
async fn printed(client: &Client, request: &str) -> Value {
    ask(
        client,
        &format!(
            "mutation {{ auto_runbook_manually_run(runbook_execute_request: {{ {request} }}) {{ status }} }}"
        ),
    )
    .await;
    let query = "{ auto_playbook_executions { status auto_playbook_tasks { name status result } } }";
    let look = async || ask(client, query).await["auto_playbook_executions"][0].clone();
    let run = until("the end of the playbook", look, |run| run["status"] == "COMPLETE").await;
    run["auto_playbook_tasks"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_playbook_runs_as_a_workflow() {
    let (_service, client, _, playbook) = with_playbook("hello").await;
    let step = json!({ "name": "core.print", "status": "COMPLETE", "result": "{\"data\":\"hello\"}" });
    assert_eq!(printed(&client, &format!(r#"id: "{playbook}""#)).await, json!([step]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_playbook_that_a_person_runs_for_an_event_has_it_and_the_event_names_the_run() {
    let (service, client, account, playbook) =
        with_playbook("{{ event.title }} on {{ event.subject_node }}").await;
    let made = ask(&client, &format!(
        r#"mutation {{ insert_events_one(object: {{ cloud_account_id: "{account}", title: "Disk full", subject_name: "web", subject_node: "node-1",
          aggregation_key: "DiskFull", finding_id: "f", finding_type: "issue", cluster: "c", evidences: [], priority: HIGH, severity: HIGH }}) {{ id }} }}"#
    )).await;
    let event = made["insert_events_one"]["id"].as_str().unwrap();
    let step =
        json!({ "name": "core.print", "status": "COMPLETE", "result": "{\"data\":\"Disk full on node-1\"}" });
    assert_eq!(printed(&client, &format!(r#"id: "{playbook}", event_id: "{event}""#)).await, json!([step]));
    let run = ask(&client, "{ auto_playbook_executions { id } }").await;
    let told = ask(
        &client,
        &format!(
            r#"mutation {{ event_get_timeline(event_id: "{event}") {{ timeline {{ action summary metadata }} }} }}"#
        ),
    )
    .await;
    let told = told["event_get_timeline"]["timeline"].as_array().unwrap();
    let told = told.iter().find(|entry| entry["action"] == "playbook_run").unwrap();
    assert_eq!(told["summary"], "playbook tell was run");
    assert_eq!(
        told["metadata"]["metadata"],
        json!({ "auto_playbook_id": playbook, "execution_id": run["auto_playbook_executions"][0]["id"] })
    );
    let own = ask(&client, "{ auto_playbook { created_by } }").await;
    assert_eq!(told["metadata"]["changed_by"], own["auto_playbook"][0]["created_by"]);

    // The event is also passed to a dry run. A run for a missing event, or one of another account, is refused.
    let made = ask(&client, &format!(
        r#"mutation {{ auto_runbook_insert_one(arg1: {{ account_id: "{account}", dryrun: true, name: "say", notification: {{}}, resource_filter: [], trigger: {{ type: "manual" }},
          tasks: [{{ type: "integrations.http", config: {{ url: "https://hooks.example/{{{{ event.subject_name }}}}", method: "POST", body: "{{{{ event.title }}}}" }} }}] }}) {{ id }} }}"#
    )).await;
    let dry = made["auto_runbook_insert_one"]["id"].as_str().unwrap();
    let answered = async |event: &str| {
        let query = format!(
            r#"mutation {{ auto_runbook_manually_run(runbook_execute_request: {{ id: "{dry}", event_id: "{event}" }}) {{ status }} }}"#
        );
        client.post("/api/graphql", &json!({ "query": query }).to_string()).await.json()
    };
    let would =
        "COMPLETE: a dry run, which changes nothing. It would: POST https://hooks.example/web\n\nDisk full";
    assert_eq!(answered(event).await["data"]["auto_runbook_manually_run"]["status"], would);
    let missing = Uuid::nil().to_string();
    assert_eq!(answered(&missing).await["errors"][0]["message"], format!("there is no event {missing}"));
    let task = r#"{ id: "a", type: "core.print", params: { message: "x" } }"#;
    let (other, _, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, task).await;
    let moved = format!(
        r#"mutation {{ update_events_by_pk(pk_columns: {{ id: "{event}" }}, _set: {{ cloud_account_id: "{other}" }}) {{ id }} }}"#
    );
    ask(&client, &moved).await;
    let refused = answered(event).await["errors"][0]["message"].clone();
    assert_eq!(refused, format!("the account of the playbook \"say\" has no event {event}"));
}
