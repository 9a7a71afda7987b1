//! Tests of the post-mortem of an event as a PDF: only users who may read the event can create it.

use super::{Client, Service};
use crate::clock;
use auth::tenancy;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalogue::Role;
use serde_json::{Value, json};

async fn ask(client: &Client, query: &str) -> Value {
    client.post("/api/graphql", &json!({ "query": query }).to_string()).await.json()
}

/// The id of the tenant's only event, created by a webhook.
async fn event(admin: &Client) -> String {
    let made = ask(admin, r#"mutation { webhook_create(request: { name: "Alerts" }) { id } }"#).await;
    let id = made["data"]["webhook_create"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    ask(admin, &format!(r#"mutation {{ webhook_test(id: "{id}") {{ created }} }}"#)).await;
    let found = ask(admin, "{ events { id } }").await;
    found["data"]["events"][0]["id"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned()
}

#[tokio::test]
async fn who_reads_an_event_has_its_post_mortem_as_a_pdf_and_nobody_else() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let event = event(&admin).await;
    let path = format!("/api/events/{event}/post-mortem");
    let body = json!({ "markdown": "# Post-mortem: disk full\n\nIt was full." }).to_string();

    let reader = service.program("rea@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    for client in [&admin, &reader] {
        let answer = client.post(&path, &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let document = answer.json();
        assert_eq!(document["name"], format!("post-mortem-{event}.pdf"));
        assert_eq!(document["media_type"], "application/pdf");
        let bytes = STANDARD.decode(document["base64"].as_str().unwrap()).unwrap();
        assert!(bytes.starts_with(b"%PDF-1.7"));
    }

    let elsewhere = tenancy::find_or_create(&service.store(), "Umbrella", clock::now(), &mut rand::rng());
    let foreigner = service.program("eve@example.com", Role::TenantAdmin, &elsewhere.unwrap().0).await;
    assert_eq!(foreigner.post(&path, &body).await.refusal().0, 404);
    assert_eq!(service.stranger().post(&path, &body).await.status, 401);
    // A user without access to any account cannot read the event.
    let nobody = service.program("nob@example.com", Role::AccountAdminReadonly, &service.tenant()).await;
    assert_eq!(nobody.post(&path, &body).await.refusal().0, 404);
}

#[tokio::test]
async fn what_cannot_be_laid_out_is_refused_with_the_reason() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let event = event(&admin).await;
    let path = format!("/api/events/{event}/post-mortem");
    let empty = admin.post(&path, &json!({ "markdown": " " }).to_string()).await;
    assert_eq!((empty.status, &empty.json()["message"]), (400, &json!("the text is empty")));
    assert_eq!(admin.post(&path, "{}").await.status, 400);
    assert_eq!(admin.post("/api/events/none/post-mortem", "{\"markdown\": \"x\"}").await.status, 400);
}
