//! A recommendation becomes a ticket: kept here while there is no tracker, in the tracker where one is connected.

use crate::support::browser::Chromium;
use crate::support::programs::run;
use crate::support::service::Service;
use crate::support::trackers::{KEY, NAME, Trackers};
use serde_json::json;
use std::path::Path;

const ONE: &str = "a1000000-0000-4000-8000-000000000001";
const ANOTHER: &str = "a1000000-0000-4000-8000-000000000002";

#[tokio::test]
async fn a_recommendation_becomes_a_ticket_and_lists_it_with_state_and_address() {
    let (double, service) = (Trackers::start(), Service::start());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/advice");
    for (table, file) in [
        ("users", "people.ndjson"),
        ("cloud_accounts", "accounts.ndjson"),
        ("cloud_resourses", "resources.ndjson"),
        ("recommendation", "recommendations.ndjson"),
    ] {
        run(service.data_dir(), &["table", "load", table, folder.join(file).to_str().unwrap()]).succeeded();
    }
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("This computer is ready").await;
    let detail = |id: &str| format!("{}/recommendations?id={id}", service.address);

    page.open(&detail(ONE)).await;
    page.press("Ticket").await;
    page.shows("No ticket was created from this recommendation").await;
    page.shows("No tracker is connected, so a ticket is kept here and nobody else is told").await;
    page.press("Create ticket").await;
    page.shows("QD-1").await;
    page.shows("Kept here: no tracker has it.").await;
    page.picture("ticket-1-here").await;
    assert!(double.seen().is_empty(), "nothing connects before somebody connects it");

    let client = service.client().await;
    let query = "mutation($object: ticket_integration_create_config_input!) { ticket_integration_create_config(object: $object) { id } }";
    let object = json!({ "name": "Operations", "tool": "jira", "url": double.address, "username": NAME,
        "password": KEY, "config_values": [{ "name": "project", "value": "OPS" }] });
    let connected = client.ask(query, &json!({ "object": object })).await.json();
    assert!(connected["errors"].is_null(), "{connected}");

    page.open(&detail(ONE)).await;
    page.press("Ticket").await;
    page.shows("It goes to Operations with these words").await;
    page.press("Create ticket").await;
    page.shows("The ticket is OPS-1 in Operations (jira).").await;
    page.shows(&format!("{}/browse/OPS-1", double.address)).await;
    page.shows("To Do").await;
    page.shows("QD-1").await;
    page.picture("ticket-2-in-the-tracker").await;
    let issues = double.issues();
    assert_eq!(issues.len(), 1);
    assert!(issues[0].body.to_string().contains(&format!("Recommendation {ONE}")), "{:?}", issues[0]);

    // Tickets of one recommendation are none of another.
    page.open(&detail(ANOTHER)).await;
    page.press("Ticket").await;
    page.shows("No ticket was created from this recommendation").await;
    chromium.page.close().await;
}
