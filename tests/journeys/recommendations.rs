//! Working with recommendations: tickets, here or in a tracker, and the status of each recommendation.

use crate::support::browser::Chromium;
use crate::support::programs::{self, run};
use crate::support::service::Service;
use serde_json::json;
use std::path::Path;
use testkit::trackers::{KEY, NAME, Trackers};

const ONE: &str = "a1000000-0000-4000-8000-000000000001";
const ANOTHER: &str = "a1000000-0000-4000-8000-000000000002";

/// Loads the accounts and recommendations of the `advice` cases.
fn given(service: &Service) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/advice");
    let files = [
        ("users", "people.ndjson"),
        ("cloud_accounts", "accounts.ndjson"),
        ("cloud_resourses", "resources.ndjson"),
        ("recommendation", "recommendations.ndjson"),
    ];
    programs::load(service.data_dir(), None, &folder, &files);
}

#[tokio::test]
async fn a_recommendation_becomes_a_ticket_and_lists_it_with_state_and_address() {
    let (double, service) = (Trackers::start(), Service::start());
    given(&service);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("This computer is ready").await;
    let detail = |id: &str| format!("{}/recommendations?id={id}", service.address);

    page.open(&detail(ONE)).await;
    page.press("Ticket").await;
    page.shows("No ticket was created from this recommendation").await;
    page.shows("No tracker is connected, so tickets stay here").await;
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
    page.shows("It is sent to Operations with this text").await;
    page.press("Create ticket").await;
    page.shows("The ticket is OPS-1 in Operations (jira).").await;
    page.shows(&format!("{}/browse/OPS-1", double.address)).await;
    page.shows("To Do").await;
    page.shows("QD-1").await;
    page.picture("ticket-2-in-the-tracker").await;
    let issues = double.issues();
    assert_eq!(issues.len(), 1);
    assert!(issues[0].body.to_string().contains(&format!("Recommendation {ONE}")), "{:?}", issues[0]);

    // Tickets of one recommendation do not appear at another.
    page.open(&detail(ANOTHER)).await;
    page.press("Ticket").await;
    page.shows("No ticket was created from this recommendation").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn recommendations_are_assigned_resolved_dismissed_and_reopened_and_each_change_is_undone() {
    let service = Service::start();
    given(&service);
    let client = service.client().await;
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("This computer is ready").await;
    page.open(&format!("{}/recommendations?sort=title", service.address)).await;
    page.shows("6 open").await;
    let states =
        "{ recommendation(where: {status: {_neq: Archive}}, order_by: {rule_name: asc}) { status } }";
    let before = client.data(states).await;

    // Two of the list, by keyboard only: assigned to a person, and undone.
    page.type_text("jxjxa").await;
    page.shows("Assign 2 recommendations").await;
    page.choose_in("Person", "ada@example.com").await;
    page.picture("recommendations-assign").await;
    page.press_in_dialog("Assign").await;
    page.shows("Assigned 2 recommendations to ada@example.com").await;
    assert_eq!(client.data(states).await.matches("Assigned").count(), 2);
    let assigned = client.data("{ recommendation_assignment { user { username } } }").await;
    assert_eq!(assigned.matches("ada@example.com").count(), 2, "{assigned}");
    page.press("Undo").await;
    page.shows("Undone: 2 recommendations as before").await;
    assert_eq!(client.data(states).await, before);
    assert_eq!(
        client.data("{ recommendation_assignment { user_id } }").await,
        r#"{"recommendation_assignment":[]}"#
    );

    // One in the side panel: a reason is required and stored, and the history can undo it.
    page.open(&format!("{}/recommendations?id={ONE}", service.address)).await;
    page.press("Dismiss…").await;
    page.press_in_dialog("Dismiss").await;
    page.shows("Enter a reason").await;
    page.holds("return document.activeElement.labels[0].innerText.startsWith('Reason')").await;
    page.fill("Reason", "needed in December").await;
    page.press_in_dialog("Dismiss").await;
    page.shows("Dismissed “rule-1”").await;
    page.press("Activity").await;
    page.shows("Dismissed: needed in December").await;
    page.picture("recommendation-history").await;
    page.press("Undo: Dismissed: needed in December").await;
    page.shows("Restored to open").await;
    assert_eq!(client.data(states).await, before);

    // Resolved by its shortcut, and reopened from the list of completed ones.
    page.type_text("e").await;
    page.shows("Resolved “rule-1”").await;
    page.open(&format!("{}/recommendations?show=done&id={ONE}", service.address)).await;
    page.press("Reopen").await;
    page.shows("Reopened “rule-1”").await;
    assert_eq!(client.data(states).await, before);

    // Read-only users see everything disabled, with the reason.
    run(service.data_dir(), &["user", "add", "eve@example.com", "--role", "tenant_admin_readonly"])
        .succeeded();
    let link = ["user", "link", "eve@example.com", "--url", &service.address];
    page.forget().await;
    page.open(run(service.data_dir(), &link).succeeded().stdout.trim()).await;
    page.shows("This computer is ready").await;
    page.open(&format!("{}/recommendations?id={ONE}", service.address)).await;
    page.shows("Changing recommendations needs the role tenant_admin or account_admin").await;
    page.holds(
        "return ['Resolve', 'Assign', 'Dismiss…'].every((name) =>
            [...document.querySelectorAll('.drawer button')].find((one) => one.innerText.startsWith(name)).disabled)",
    )
    .await;
    page.type_text("e").await;
    assert_eq!(client.data(states).await, before);
    chromium.page.close().await;
}
