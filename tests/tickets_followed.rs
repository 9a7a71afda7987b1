//! Tests that a recommendation follows the status of its ticket, with Jira on loopback, from the recommendation to its end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;
use crate::ticket_tasks::{ACCOUNT, ON, account};
use crate::trackers::{asked, connect, connection};
use testkit::trackers::Trackers;

/// Timeout for a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);

/// Loads a recommendation with that number. Returns its id.
fn advise(service: &Service, number: u8) -> String {
    let id = format!("b0000000-0000-4000-8000-0000000000{number:02}");
    let row = json!({ "id": id, "cloud_account_id": ACCOUNT, "recommendation": { "title": "Smaller" }, "recommendation_action": "Modify",
        "rule_name": format!("size {number}"), "status": "Open", "account_object_id": "shop/web" });
    let file = service.data_dir().join("recommendation.ndjson");
    std::fs::write(&file, row.to_string()).unwrap();
    programs::run(service.data_dir(), &["table", "load", "recommendation", file.to_str().unwrap()])
        .succeeded();
    id
}

async fn apply(client: &Client, id: &str, config: Value) -> Value {
    let query =
        "mutation($object: apply_recommendation_input!) { apply_recommendations(object: $object) { data } }";
    let object = json!({ "account_id": ACCOUNT, "recommendation_id": id, "provider": "jira", "provider_config": config });
    asked(client, query, json!({ "object": object })).await["apply_recommendations"]["data"][0].clone()
}

async fn standing(client: &Client, id: &str) -> (String, String, String) {
    let query = "query($id: uuid!) { recommendation_by_pk(id: $id) { status note }
        recommendation_resolution(where: { recommendation_id: { _eq: $id } }) { status_message type } }";
    let seen = asked(client, query, json!({ "id": id })).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let advice = &seen["recommendation_by_pk"];
    (
        text(&advice["status"]),
        text(&advice["note"]),
        text(&seen["recommendation_resolution"][0]["status_message"]),
    )
}

/// Waits until the recommendation, its note or its attempt contains these words.
async fn says(client: &Client, id: &str, words: &str) -> (String, String, String) {
    let began = Instant::now();
    loop {
        let seen = standing(client, id).await;
        if seen.1.contains(words) || seen.2.contains(words) {
            return seen;
        }
        assert!(began.elapsed() < PATIENCE, "still {seen:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn opened(double: &Trackers, number: usize) {
    let began = Instant::now();
    while double.issues().len() < number {
        assert!(began.elapsed() < PATIENCE, "no ticket is opened");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How often a ticket was read.
fn looks(double: &Trackers, key: &str) -> usize {
    double.seen().iter().filter(|asked| asked.path.contains(&format!("/issue/{key}?"))).count()
}

#[tokio::test]
async fn a_recommendation_goes_on_with_its_ticket() {
    let double = Trackers::start();
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    connect(&client, &connection(&double, "jira", "OPS")).await;
    let mut ids = Vec::new();
    for number in 1..=4 {
        let id = advise(&service, number);
        let begun = apply(&client, &id, json!({})).await;
        assert_eq!((&begun["status"], &begun["type"]), (&json!("InProgress"), &json!("Ticket")), "{begun}");
        assert!(begun["message"].as_str().unwrap().contains("Its state there is followed"), "{begun}");
        opened(&double, number.into()).await;
        ids.push(id);
    }
    double.set(1, "Done", Some("Done"));
    double.set(2, "Done", Some("Won't Do"));
    double.remove(3);
    double.set(4, "Parked", None);

    let (status, ..) = says(&client, &ids[0], "its ticket was closed").await;
    assert_eq!(status, "InProgress", "an import has to show the change");
    let (status, note, _) = says(&client, &ids[1], "closed without being done").await;
    assert_eq!(status, "Open");
    assert!(note.contains("the ticket OPS-2 was closed without being done: Done (Won't Do)"), "{note}");
    let (status, note, _) = says(&client, &ids[2], "has no ticket OPS-3 any more").await;
    assert_eq!(status, "Open", "{note}");
    // An unknown status does not end it, however often it is read.
    let began = Instant::now();
    while looks(&double, "OPS-4") < 4 {
        assert!(began.elapsed() < PATIENCE, "nobody looks");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(standing(&client, &ids[3]).await.0, "InProgress");
    double.set(4, "Rejected", None);
    assert_eq!(says(&client, &ids[3], "closed without being done").await.0, "Open");
    service.stop();
}

#[tokio::test]
async fn of_two_trackers_of_one_tool_the_one_that_is_named_gets_the_ticket() {
    let (first, second) = (Trackers::start(), Trackers::start());
    let service = Service::start_with(&ON);
    let client = service.client().await;
    account(&service, &client).await;
    let connect_as = async |double: &Trackers, name: &str| {
        let mut object = connection(double, "jira", "OPS");
        object["name"] = json!(name);
        connect(&client, &object).await
    };
    let one = connect_as(&first, "desk one").await;
    let other = connect_as(&second, "desk two").await;
    let id = advise(&service, 9);
    let query = "query($id: uuid!) { recommendation_get_plan(recommendation_id: $id) { ways { provider integration_id integration_name is_possible } } }";
    let plan = asked(&client, query, json!({ "id": id })).await;
    let ways = plan["recommendation_get_plan"]["ways"].as_array().unwrap();
    let jira: Vec<&Value> = ways.iter().filter(|way| way["provider"] == "jira").collect();
    let told = |way: &Value| (way["integration_id"].clone(), way["integration_name"].clone());
    assert_eq!(
        jira.iter().map(|way| told(way)).collect::<Vec<_>>(),
        [(json!(one), json!("desk one")), (json!(other), json!("desk two"))]
    );
    let object = json!({ "account_id": ACCOUNT, "recommendation_id": id, "provider": "jira" });
    let query =
        "mutation($object: apply_recommendation_input!) { apply_recommendations(object: $object) { data } }";
    let refused = client.ask(query, &json!({ "object": object })).await;
    assert!(refused.body.contains("several trackers of type jira are connected"), "{}", refused.body);
    assert!(refused.body.contains(&one) && refused.body.contains(&other), "{}", refused.body);
    apply(&client, &id, json!({ "integration_id": other })).await;
    opened(&second, 1).await;
    assert!(first.issues().is_empty());
    service.stop();
}
