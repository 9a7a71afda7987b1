//! Tests of sending tickets to trackers on loopback: opened, refused, delayed, interrupted, and found again after a kill.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::programs::holds;
use crate::support::service::Service;
use testkit::trackers::{Fault, KEY, NAME, Trackers};

/// Timeout for a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);

pub async fn asked(client: &Client, query: &str, variables: Value) -> Value {
    let answer = client.ask(query, &variables).await.json();
    assert!(answer["errors"].is_null(), "{query}: {answer}");
    answer["data"].clone()
}

pub fn connection(double: &Trackers, tool: &str, project: &str) -> Value {
    json!({ "name": "desk", "tool": tool, "url": double.address, "username": NAME, "password": KEY,
        "config_values": [{ "name": "project", "value": project }] })
}

pub async fn connect(client: &Client, object: &Value) -> String {
    let query = "mutation($object: ticket_integration_create_config_input!) { ticket_integration_create_config(object: $object) { id } }";
    let made = asked(client, query, json!({ "object": object })).await;
    made["ticket_integration_create_config"]["id"].as_str().unwrap().to_owned()
}

async fn check(client: &Client, object: &Value) -> Value {
    let query = "mutation($object: ticket_integration_create_config_input!) { ticket_check_connection_by_config(object: $object) { success message tool error } }";
    let checked = asked(client, query, json!({ "object": object })).await;
    checked["ticket_check_connection_by_config"].clone()
}

const OPEN: &str = r#"mutation { tickets_insert_one(object: {title: "Too much memory", description: "8 GB", severity: "High"}) {
    data { insert_tickets_one { id ticket_id url message error } } } }"#;

async fn open(client: &Client) -> Value {
    let opened = asked(client, OPEN, json!({})).await;
    opened["tickets_insert_one"]["data"]["insert_tickets_one"].clone()
}

async fn tickets(client: &Client) -> Value {
    let query =
        "{ tenant { tickets(order_by: {created_at: asc}) { ticket_id url status error_message is_new } } }";
    asked(client, query, json!({})).await["tenant"][0]["tickets"].clone()
}

/// The first ticket, once it meets the condition.
async fn settled(client: &Client, is_so: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let ticket = tickets(client).await[0].clone();
        if is_so(&ticket) {
            return ticket;
        }
        assert!(began.elapsed() < PATIENCE, "still {ticket}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn a_ticket_is_opened_in_jira_with_a_secret_that_shows_nowhere() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    assert!(double.seen().is_empty(), "nothing connects before somebody connects it");
    let object = connection(&double, "jira", "OPS");
    let checked = check(&client, &object).await;
    assert_eq!(
        checked,
        json!({ "success": true, "message": "Signed in as Service desk.", "tool": "jira", "error": null })
    );
    connect(&client, &object).await;
    let opened = open(&client).await;
    assert_eq!(opened["ticket_id"], "OPS-1");
    assert_eq!(opened["url"], format!("{}/browse/OPS-1", double.address));
    assert_eq!(opened["message"], "The ticket is OPS-1 in desk (jira).");
    let kept = tickets(&client).await;
    assert_eq!((&kept[0]["status"], &kept[0]["is_new"]), (&json!("To Do"), &json!(false)));
    let issue = double.issues().remove(0);
    let id = opened["id"].as_str().unwrap();
    assert_eq!(issue.body["fields"]["labels"], json!([format!("quarterdeck-{id}")]));
    assert!(double.seen().iter().all(|asked| !asked.path.contains(KEY)), "no address has the key");
    let trail = client.data("{ audit_trail { before after } }").await;
    assert!(!trail.contains(KEY), "the audit trail has no key");
    let shown = client.ask("{ tenant { jira_configurations { password } } }", &json!({})).await;
    assert!(shown.body.contains("errors"), "{}", shown.body);
    assert!(!holds(service.data_dir(), KEY), "the key is sealed in all files");
    service.stop();
}

#[tokio::test]
async fn what_a_tracker_inside_refuses_is_told_by_its_status_and_sent_again_when_it_is_saved() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    let mut object = connection(&double, "jira", "NOPE");
    object["password"] = json!("a-wrong-key-1234");
    let checked = check(&client, &object).await;
    assert_eq!(checked["success"], false);
    assert_eq!(checked["error"], "desk does not accept the name and key (status 401).");
    object["id"] = connect(&client, &object).await.into();
    let refused = open(&client).await;
    assert_eq!((&refused["ticket_id"], &refused["error"]), (&json!("QD-1"), &checked["error"]));
    object["password"] = json!(KEY);
    connect(&client, &object).await;
    let refused = settled(&client, |ticket| {
        ticket["status"] == "Failed" && !ticket["error_message"].to_string().contains("401")
    })
    .await;
    assert_eq!(refused["error_message"], "desk refuses this (status 400).");
    assert!(double.issues().is_empty());
    service.stop();
}

#[tokio::test]
async fn a_tracker_with_trouble_is_tried_again_and_one_that_wants_patience_gets_it() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    connect(&client, &connection(&double, "servicenow", "incident")).await;
    double.fail([Fault::Status(429, r#"{"error":{"message":"Rate limit exceeded"}}"#.to_owned(), Some(1))]);
    let late = open(&client).await;
    let message = late["message"].as_str().unwrap();
    assert!(
        message.contains("waits for desk (servicenow): desk wants fewer requests (status 429)"),
        "{message}"
    );
    assert_eq!(late["ticket_id"], "QD-1");
    let sent = settled(&client, |ticket| ticket["is_new"] == false).await;
    assert_eq!(
        (&sent["ticket_id"], &sent["status"], &sent["error_message"]),
        (&json!("INC0000001"), &json!("New"), &Value::Null)
    );
    assert_eq!(double.issues().len(), 1);
    service.stop();
}

#[tokio::test]
async fn an_answer_that_is_cut_off_or_late_opens_no_second_ticket() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    connect(&client, &connection(&double, "gitlab", "acme/shop")).await;
    double.fail([Fault::CutOff]);
    let cut_off = open(&client).await;
    assert!(cut_off["message"].as_str().unwrap().contains("waits for desk (gitlab)"), "{cut_off}");
    let sent = settled(&client, |ticket| ticket["is_new"] == false).await;
    assert_eq!(sent["url"], "https://gitlab.example.com/acme/shop/-/issues/1");
    assert_eq!(double.issues().len(), 1, "it was found and not opened twice");
    service.stop();
}

#[tokio::test]
async fn a_slow_tracker_keeps_nobody_waiting_and_has_the_ticket_in_the_end() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    connect(&client, &connection(&double, "github", "acme/shop")).await;
    double.fail([Fault::Slow(Duration::from_secs(8))]);
    let late = open(&client).await;
    assert_eq!(
        late["message"],
        "The ticket is kept as QD-1 and on its way to desk (github), which has not answered yet. It is tried again until it is there."
    );
    let sent = settled(&client, |ticket| ticket["is_new"] == false).await;
    assert_eq!((&sent["ticket_id"], &sent["status"]), (&json!("#1"), &json!("open")));
    assert_eq!(double.issues().len(), 1);
    service.stop();
}

#[tokio::test]
async fn a_service_killed_between_opening_and_its_answer_loses_nothing_and_opens_nothing_twice() {
    let (double, service) = (Trackers::start(), Service::start());
    let client = service.client().await;
    connect(&client, &connection(&double, "pagerduty", "PIJ90N7")).await;
    double.fail([Fault::Stalls]);
    let late = open(&client).await;
    assert_eq!(late["ticket_id"], "QD-1");
    assert_eq!(double.issues().len(), 1, "it was opened, and nobody here knows");
    let service = Service::start_on(service.kill());
    let client = service.client_of("bob@example.com", "tenant_admin").await;
    let sent = settled(&client, |ticket| ticket["is_new"] == false).await;
    assert_eq!((&sent["ticket_id"], &sent["status"]), (&json!("Q000001"), &json!("triggered")));
    assert_eq!(double.issues().len(), 1, "it was found");
    service.stop();
}
