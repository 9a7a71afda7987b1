//! Tests of tasks that use the assistant: a question, and the cause of an event, over real HTTP with a provider on loopback.

use super::client::Client;
use super::waiting::until;
use super::workflows::{create, once, start_on, trigger};
use super::{Service, clock};
use catalogue::{Caller, Role, ValueRef};
use serde_json::{Value, json};
use store::{StoreError, eq};
use testkit::language_models::{KEY, LanguageModels, Said};
use uuid::Uuid;

/// A service with automation enabled, whose only model is the provider's.
async fn service_with(double: &LanguageModels) -> (Service, Client) {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let admin = service.program("ana@example.com", Role::TenantAdmin, &service.tenant()).await;
    let provider = json!({ "kind": "openai", "is_on": true, "chat_model": "large",
        "values": { "endpoint": format!("{}/v1", double.address), "key": KEY } });
    let added = admin.post("/api/model-providers", &provider.to_string()).await;
    assert_eq!(added.status, 201, "{added:?}");
    (service, client)
}

fn is_over(run: &Value) -> bool {
    matches!(run["status"].as_str(), Some("COMPLETED" | "FAILED"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nubi_is_asked_in_the_name_of_whoever_the_run_acts_for() {
    let double = LanguageModels::start();
    let (service, client) = service_with(&double).await;
    let tasks = r#"{ id: "ask", type: "llm.nubi", params: { message: "Why do costs rise by {{ 6 * 2 }} %?" } }
        { id: "say", type: "core.print", params: { message: "{{ Tasks.ask.output.data }}" }, depends_on: ["ask"] }"#;
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    double.say([Said::text("More machines run at night.")]);
    let run = trigger(&client, &account, &workflow).await;
    let seen = once(&client, (&account, &workflow, &run), is_over).await;
    let output = &seen["tasks"][0]["output"];
    assert_eq!(
        (&seen["status"], &output["data"]),
        (&json!("COMPLETED"), &json!("More machines run at night.")),
        "{seen}"
    );
    assert!(seen["tasks"][1]["output"].to_string().contains("More machines run at night."), "{seen}");
    // The conversation belongs to the user who began the run.
    let conversation = Uuid::parse_str(output["conversation_id"].as_str().unwrap()).unwrap();
    let system = Caller::system_for(service.tenant().id);
    let of = |table: &'static str, column: &'static str, id: Uuid| {
        let found = service
            .store()
            .snapshot::<_, StoreError>(&system, |rows| rows.select(table, &[column], &[eq("id", id)]));
        found.unwrap()[0][0].as_uuid()
    };
    let person = of("workflow_execution", "triggered_by", Uuid::parse_str(&run).unwrap());
    assert!(person.is_some());
    assert_eq!(of("llm_conversations", "user_id", conversation), person);
    let asked = double.seen().last().unwrap().body.to_string();
    assert!(asked.contains("Why do costs rise by 12 %?") && asked.contains("tools"), "{asked}");
}

/// Adds an event to an account.
fn happens(service: &Service, account: &str, title: &str) -> Uuid {
    let (id, account) = (Uuid::new_v4(), Uuid::parse_str(account).unwrap());
    let row = [
        ("id", id.into()),
        ("cloud_account_id", account.into()),
        ("aggregation_key", "OOMKilled".into()),
        ("cluster", "shop".into()),
        ("evidences", ValueRef::Json("[]")),
        ("finding_id", title.into()),
        ("finding_type", "issue".into()),
        ("priority", "HIGH".into()),
        ("subject_name", "web".into()),
        ("title", title.into()),
        ("starts_at", ValueRef::Timestamp(clock::now())),
    ];
    let system = Caller::system_for(service.tenant().id);
    service.store().transaction::<_, StoreError>(&system, |rows| rows.insert("events", &row)).unwrap();
    id
}

/// The runs of a workflow.
fn runs(service: &Service, workflow: &str) -> Vec<String> {
    let system = Caller::system_for(service.tenant().id);
    let of_workflow = [eq("workflow_id", Uuid::parse_str(workflow).unwrap())];
    let found = service
        .store()
        .snapshot::<_, StoreError>(&system, |rows| rows.select("workflow_execution", &["id"], &of_workflow));
    found.unwrap().iter().filter_map(|row| Some(row[0].as_uuid()?.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cause_of_an_event_that_begins_a_run_is_put_into_words() {
    // A model must cite evidence that it was given; uncited statements are dropped.
    let double = LanguageModels::thinking(|asked| {
        let shown = asked.body.to_string();
        let evidence = ["E1", "C1", "M1", "L1"].into_iter().find(|id| shown.contains(id)).unwrap_or("none");
        Said::text(&format!("The limit of memory is too low [{evidence}]. It rains."))
    });
    let (service, client) = service_with(&double).await;
    let tasks =
        r#"{ id: "why", type: "llm.event_investigate", params: { event_id: "{{ Inputs.event.id }}" } }"#;
    let event = r#"{ type: "event", params: { filter: "{{ event.event_type == 'OOMKilled' }}" } }"#;
    let (account, workflow, _) = create(&service, &client, "ACTIVE", event, tasks).await;
    happens(&service, &account, "web is out of memory");
    let begun = async || runs(&service, &workflow);
    let run = until("a run of the event", begun, |runs: &Vec<String>| !runs.is_empty()).await.remove(0);
    let seen = once(&client, (&account, &workflow, &run), is_over).await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    let output = &seen["tasks"][0]["output"];
    let words = output["data"].as_str().unwrap();
    assert!(words.starts_with("The limit of memory is too low [") && !words.contains("rains"), "{words}");
    assert_eq!((&output["investigation"], &output["status"]), (&output["data"], &json!("COMPLETED")));
    let analysis = output["log_analysis"].as_str().unwrap();
    assert!(!analysis.is_empty() && !output["log_summary"].as_str().unwrap().is_empty(), "{output}");
    // The request to the model contains the event and its evaluation by rules.
    let asked = double.seen().last().unwrap().body.to_string();
    assert!(asked.contains("web is out of memory"), "{asked}");

    // A missing event is an error, and no model is called.
    let before = double.seen().len();
    let tasks = format!(
        r#"{{ id: "why", type: "llm.event_investigate", params: {{ event_id: "{}" }} }}"#,
        Uuid::new_v4()
    );
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let seen = once(&client, (&account, &workflow, &run), is_over).await;
    assert_eq!((&seen["status"], double.seen().len()), (&json!("FAILED"), before), "{seen}");
}
