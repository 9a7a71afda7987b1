//! Tests of tasks about tickets, with trackers on loopback: with each tracker, interrupted, and as dry runs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;
use crate::trackers::{asked, connect, connection};
use testkit::trackers::{Fault, Trackers};

/// Timeout for a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);
pub const ACCOUNT: &str = "a0000000-0000-4000-8000-000000000001";
pub const ON: [(&str, &str); 1] = [("QUARTERDECK_AUTOMATION", "on")];

/// Creates the account that workflows and recommendations belong to.
pub async fn account(service: &Service, client: &Client) {
    let user = asked(client, "{ users(limit: 1) { id } }", json!({})).await["users"][0]["id"].clone();
    let row = json!({ "id": ACCOUNT, "account_name": "shop", "account_type": "kubernetes", "created_by": user, "updated_by": user });
    let file = service.data_dir().join("cloud_accounts.ndjson");
    std::fs::write(&file, row.to_string()).unwrap();
    programs::run(service.data_dir(), &["table", "load", "cloud_accounts", file.to_str().unwrap()])
        .succeeded();
}

/// Starts a workflow with that name and these tasks. Returns the location of its run.
async fn begin(client: &Client, name: &str, tasks: &Value) -> Value {
    let definition = json!({ "triggers": [{ "type": "manual" }], "tasks": tasks });
    let create = "mutation($request: WorkflowCreateRequest!) { workflow_create(request: $request) { id } }";
    let workflow = json!({ "name": name, "definition": definition });
    let request = json!({ "account_id": ACCOUNT, "workflow": workflow });
    let made = asked(client, create, json!({ "request": request })).await;
    let id = made["workflow_create"]["id"].clone();
    let trigger = "mutation($request: WorkflowTriggerRequest!) { workflow_trigger(request: $request) { execution_id } }";
    let request = json!({ "account_id": ACCOUNT, "id": id });
    let begun = asked(client, trigger, json!({ "request": request })).await;
    json!({ "account_id": ACCOUNT, "workflow_id": id, "id": begun["workflow_trigger"]["execution_id"] })
}

/// The finished run: its tasks by id.
async fn ended(client: &Client, place: &Value, status: &str) -> Value {
    let query = "query($place: WorkflowExecutionGetRequest!) { workflow_get_execution(request: $place) { status error tasks { id status error output } } }";
    let began = Instant::now();
    loop {
        let run = asked(client, query, json!({ "place": place })).await["workflow_get_execution"].clone();
        if !["RUNNING", "SCHEDULED"].contains(&run["status"].as_str().unwrap()) {
            assert_eq!(run["status"], status, "{run}");
            let tasks = run["tasks"].as_array().unwrap().iter();
            return tasks.map(|task| (task["id"].as_str().unwrap().to_owned(), task.clone())).collect();
        }
        assert!(began.elapsed() < PATIENCE, "still {run}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Opens a ticket, comments on it twice with the same attempt, reads it, changes its status, and reads the comments.
fn tasks(project: &str, status: &str) -> Value {
    let id = "{{ Tasks.open.output.id }}";
    json!([
        { "id": "open", "type": "tickets.create", "params": { "integration_id": "", "project_key": project, "title": "Too much memory", "description": "8 GB" } },
        { "id": "tell", "type": "tickets.add_comment", "params": { "ticket_id": id, "comment": "Still too much." }, "depends_on": ["open"] },
        { "id": "move", "type": "tickets.transition", "params": { "ticket_id": id, "status": status }, "depends_on": ["tell"] },
        { "id": "again", "type": "tickets.update", "params": { "ticket_id": id, "status": status }, "depends_on": ["move"] },
        { "id": "read", "type": "tickets.get", "params": { "ticket_id": id, "until": "closed" }, "depends_on": ["again"] },
        { "id": "said", "type": "tickets.get_comments", "params": { "ticket_id": id }, "depends_on": ["read"] },
    ])
}

#[tokio::test]
async fn a_workflow_opens_comments_moves_and_reads_a_ticket_in_every_tracker() {
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    for (tool, project, number, status, ends) in [
        ("jira", "OPS", "OPS-1", "Done", "Done"),
        ("github", "acme/shop", "#1", "closed", "closed"),
        ("gitlab", "acme/shop", "#1", "closed", "closed"),
        ("servicenow", "incident", "INC0000001", "Resolved", "Resolved"),
        ("pagerduty", "PIJ90N7", "Q000001", "resolved", "resolved"),
    ] {
        let double = Trackers::start();
        let mut object = connection(&double, tool, project);
        object["id"] = connect(&client, &object).await.into();
        let place = begin(&client, tool, &tasks(project, status)).await;
        let run = ended(&client, &place, "COMPLETED").await;
        let read = &run["read"]["output"];
        assert_eq!(
            (&read["ticket_id"], &read["status"], &read["state"]),
            (&json!(number), &json!(ends), &json!("done")),
            "{tool}: {read}"
        );
        assert_eq!(read["id"], run["open"]["output"]["id"], "{tool}");
        let issue = double.issues().remove(0);
        assert_eq!(issue.standing.comments.len(), 1, "{tool}");
        assert!(issue.standing.comments[0].contains("qd:"), "{tool}: {:?}", issue.standing.comments);
        let said = run["said"]["output"]["comments"][0]["comment"].as_str().unwrap();
        assert!(said.starts_with("Still too much."), "{tool}: {said}");
        let query = "{ tenant { tickets(order_by: {created_at: desc}, limit: 1) { ticket_id status } } }";
        let kept = asked(&client, query, json!({})).await["tenant"][0]["tickets"][0].clone();
        assert_eq!(
            kept,
            json!({ "ticket_id": number, "status": ends }),
            "{tool}: what was read is kept here"
        );
        // Disables it: the next tracker is then the only one.
        object["config_values"] = json!([{ "name": "is_active", "value": "false" }]);
        connect(&client, &object).await;
    }
    service.stop();
}

#[tokio::test]
async fn a_comment_that_a_killed_service_was_making_is_there_once() {
    let double = Trackers::start();
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    let connection_id = connect(&client, &connection(&double, "jira", "OPS")).await;
    let opening = json!([{ "id": "open", "type": "tickets.create", "params": { "integration_id": connection_id, "project_key": "OPS", "title": "Too much memory", "description": "8 GB" } },
        { "id": "read", "type": "tickets.get", "params": { "ticket_id": "{{ Tasks.open.output.id }}" }, "depends_on": ["open"] }]);
    let place = begin(&client, "open", &opening).await;
    ended(&client, &place, "COMPLETED").await;
    double.fail([Fault::Stalls]);
    let telling = json!([{ "id": "tell", "type": "tickets.add_comment", "params": { "integration_id": "desk", "ticket_id": "OPS-1", "comment": "Once." } }]);
    let place = begin(&client, "tell", &telling).await;
    let began = Instant::now();
    while double.issues()[0].standing.comments.is_empty() {
        assert!(began.elapsed() < PATIENCE, "nothing is said");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let service = Service::start_in(service.kill(), &ON);
    let client = service.client_of("bob@example.com", "tenant_admin").await;
    let run = ended(&client, &place, "COMPLETED").await;
    assert_eq!(run["tell"]["output"]["was_there"], true, "{run}");
    assert_eq!(double.issues()[0].standing.comments.len(), 1);
    service.stop();
}

#[tokio::test]
async fn a_dry_run_asks_no_tracker_and_what_a_tracker_cannot_do_fails_with_the_reason() {
    let double = Trackers::start();
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    connect(&client, &connection(&double, "github", "acme/shop")).await;
    let definition = json!({ "triggers": [{ "type": "manual" }], "tasks": tasks("acme/shop", "closed") });
    let query = "mutation($request: WorkflowDryrunRequest!) { workflow_trigger_dryrun(request: $request) { output } }";
    let dry =
        client.ask(query, &json!({ "request": { "account_id": ACCOUNT, "definition": definition } })).await;
    assert!(dry.body.contains("Say on the ticket that another task gives"), "{}", dry.body);
    assert!(double.seen().is_empty(), "{:?}", double.seen());

    let severe = json!([{ "id": "raise", "type": "tickets.update", "params": { "integration_id": "desk", "ticket_id": "1", "severity": "High" } },
        { "id": "wake", "type": "tickets.escalate", "params": { "integration_id": "desk", "ticket_id": "1", "escalation_level": 2 } }]);
    let place = begin(&client, "raise", &severe).await;
    let run = ended(&client, &place, "FAILED").await;
    let error = run["raise"]["error"].as_str().unwrap_or_default();
    assert!(error.contains("severity cannot be set on tickets of github"), "{run}");
    assert!(double.seen().is_empty(), "{:?}", double.seen());
    service.stop();
}

/// Repeats a query until the response meets the condition.
async fn until(client: &Client, query: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let seen = asked(client, query, json!({})).await;
        if is_so(&seen) {
            return seen;
        }
        assert!(began.elapsed() < PATIENCE, "still {seen}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn an_alert_opens_a_ticket_after_approval_and_its_end_closes_it() {
    let double = Trackers::start();
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    let connection_id = connect(&client, &connection(&double, "jira", "OPS")).await;
    let definition = json!({
        "triggers": [{ "type": "event", "params": { "filter": "{{ event.priority == 'HIGH' }}" } }],
        "inputs": [{ "id": "event", "type": "object", "default": {} }],
        "tasks": [
            { "id": "ask", "type": "core.approval", "params": { "message": "Open a ticket for {{ Inputs.event.title }}?" } },
            { "id": "open", "type": "tickets.create", "depends_on": ["ask"], "if": "{{ Tasks.ask.output.status == 'approve' }}",
              "params": { "integration_id": connection_id, "project_key": "OPS", "title": "{{ Inputs.event.title }}", "description": "by the alert" } },
            { "id": "end", "type": "events.get", "depends_on": ["open"], "params": { "event_id": "{{ Inputs.event.id }}", "until": "resolved" } },
            { "id": "close", "type": "tickets.transition", "depends_on": ["end"], "params": { "ticket_id": "{{ Tasks.open.output.id }}", "status": "Done" } },
        ],
    });
    let create = "mutation($request: WorkflowCreateRequest!) { workflow_create(request: $request) { id } }";
    let workflow = json!({ "name": "alerts", "status": "ACTIVE", "definition": definition });
    let request = json!({ "account_id": ACCOUNT, "workflow": workflow });
    let made = asked(&client, create, json!({ "request": request })).await;
    let workflow = made["workflow_create"]["id"].clone();
    let address = "mutation($request: WebhookCreateRequest!) { webhook_create(request: $request) { token } }";
    let request = json!({ "name": "Alertmanager", "account_id": ACCOUNT });
    let made = asked(&client, address, json!({ "request": request })).await;
    let path = format!("/api/webhooks/{}", made["webhook_create"]["token"].as_str().unwrap());
    let alert = |status: &str| {
        json!({ "receiver": "q", "status": status, "alerts": [{ "status": status,
            "labels": { "alertname": "DiskFull", "node": "n1", "severity": "critical" }, "annotations": {},
            "startsAt": "2026-05-01T10:00:00Z", "endsAt": "2026-05-01T11:00:00Z", "fingerprint": "abc" }] })
    };
    assert_eq!(client.post(&path, &alert("firing")).await.json()["created"], 1);

    let queue = "{ workflow_list_approvals(request: {}) { approvals { id plan_id message } } }";
    let open =
        until(&client, queue, |seen| seen["workflow_list_approvals"]["approvals"][0].is_object()).await;
    let open = open["workflow_list_approvals"]["approvals"][0].clone();
    assert!(open["message"].as_str().unwrap().starts_with("Open a ticket for "), "{open}");
    assert!(double.issues().is_empty(), "nothing is opened before somebody agrees");
    let vote = "mutation($object: WorkflowApprovalAnswerRequest!) { workflow_answer_approval(request: $object) { is_decided } }";
    let object = json!({ "id": open["id"], "plan_id": open["plan_id"], "status": "approve" });
    asked(&client, vote, json!({ "object": object })).await;

    let runs = format!(
        "{{ workflow_list_executions(request: {{ account_id: \"{ACCOUNT}\", id: {workflow} }}) {{ executions {{ id }} }} }}"
    );
    let run = until(&client, &runs, |_| true).await;
    let run = run["workflow_list_executions"]["executions"][0]["id"].clone();
    let place = json!({ "account_id": ACCOUNT, "workflow_id": workflow, "id": run });
    let tasks = format!(
        "{{ workflow_get_execution(request: {{ account_id: \"{ACCOUNT}\", workflow_id: {workflow}, id: {run} }}) {{ status tasks {{ id status error }} }} }}"
    );
    let waits = |seen: &Value| {
        let run = &seen["workflow_get_execution"];
        assert_ne!(run["status"], "FAILED", "{run}");
        run["tasks"][2]["status"] == "STARTED"
    };
    until(&client, &tasks, waits).await;
    // The ticket is sent to the tracker in the background.
    let began = Instant::now();
    while double.issues().is_empty() {
        assert!(began.elapsed() < PATIENCE, "no ticket is opened");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The state of the wait is in the database, not in the service.
    let service = Service::start_in(service.kill(), &ON);
    let client = service.client_of("bob@example.com", "tenant_admin").await;
    assert_eq!(client.post(&path, &alert("resolved")).await.json()["updated"], 1);
    let run = ended(&client, &place, "COMPLETED").await;
    let event = &run["end"]["output"];
    assert_eq!((&event["status"], &event["is_resolved"]), (&json!("RESOLVED"), &json!(true)), "{event}");
    assert_eq!(run["close"]["output"]["state"], "done", "{run}");
    assert_eq!(double.issues().len(), 1);
    service.stop();
}
