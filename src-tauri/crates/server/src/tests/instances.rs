//! Tests of access to remote instances, and of the accepted addresses.

use super::{Service, settings};
use crate::start::start;
use catalogue::Role;
use serde_json::json;

const NOBODY: &str = "/instances/1b4e28ba-2fa1-41d2-883f-0016d3cca427/api/graphql";

#[tokio::test]
async fn instances_are_for_the_person_at_this_computer_alone() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    assert_eq!(page.get("/api/instances").await.status, 200);
    // Pages show remote instances only if this is true.
    assert_eq!(page.get("/api/auth/session").await.json()["uses_instances"], true);
    let colleague = service.program("ada@example.com", Role::TenantAdmin, &service.tenant()).await;
    assert_eq!(colleague.get("/api/auth/session").await.json()["uses_instances"], false);
    for path in ["/api/instances", NOBODY] {
        assert_eq!(colleague.get(path).await.refusal(), (403, "not_at_this_computer".to_owned()), "{path}");
        assert_eq!(service.stranger().get(path).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn a_service_that_answers_under_further_names_keeps_nobodys_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(folder.path(), "127.0.0.1:0");
    settings.hosts.push("cost.example.com".to_owned());
    let service = Service { running: start(settings).await.unwrap(), data_dir: folder };
    let page = service.signed_in_page().await;
    assert_eq!(page.get("/api/instances").await.refusal(), (403, "not_at_this_computer".to_owned()));
    assert_eq!(page.get("/api/auth/session").await.json()["uses_instances"], false);
}

#[tokio::test]
async fn pages_of_other_ports_reach_no_instance() {
    let service = Service::start().await;
    let page = service.signed_in_page().await.without("Origin");
    for site in ["same-site", "cross-site"] {
        let foreign = page.clone().with("Sec-Fetch-Site", site);
        for path in ["/api/instances", NOBODY] {
            assert_eq!(foreign.get(path).await.refusal(), (403, "foreign_site".to_owned()), "{path}");
        }
    }
    let foreign = page.with("Origin", "http://127.0.0.1:1");
    assert_eq!(foreign.post(NOBODY, "{}").await.refusal(), (403, "foreign_origin".to_owned()));
}

#[tokio::test]
async fn a_socket_to_an_instance_is_opened_for_the_own_pages_only() {
    let service = Service::start().await;
    let socket = NOBODY;
    let asks = |page: super::Client| {
        page.with("Upgrade", "websocket")
            .with("Sec-WebSocket-Version", "13")
            .with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
    };
    assert_eq!(asks(service.stranger()).get(socket).await.status, 401);
    let page = asks(service.signed_in_page().await);
    // The request has passed the checks and fails because the instance is unknown.
    assert_eq!(page.get(socket).await.refusal(), (404, "instance_unknown".to_owned()));
    let foreign = page.clone().with("Origin", "http://127.0.0.1:1");
    assert_eq!(foreign.get(socket).await.refusal(), (403, "foreign_origin".to_owned()));
    // A browser that sends neither Sec-Fetch-Site nor Origin.
    let silent = page.without("Origin").without("Sec-Fetch-Site");
    assert_eq!(silent.get(socket).await.refusal(), (403, "foreign_site".to_owned()));
}

#[tokio::test]
async fn an_address_without_encryption_is_asked_back_for_and_a_wrong_one_refused() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let add = async |address: &str, accepted: bool| {
        let body =
            json!({ "name": "There", "colour": "red", "address": address, "plain_accepted": accepted });
        page.post("/api/instances", &body.to_string()).await
    };
    assert_eq!(add("http://example.com", false).await.refusal(), (400, "plain_http".to_owned()));
    assert_eq!(add("http://example.com", true).await.status, 201);
    assert_eq!(add("http://example.com/", true).await.refusal(), (409, "instance_known".to_owned()));
    assert_eq!(add("https://me:secret@example.com", false).await.refusal(), (400, "bad_request".to_owned()));
    let listed = page.get("/api/instances").await.json();
    assert_eq!(listed["instances"][0]["address"], "http://example.com");
    assert_eq!(page.post(NOBODY, "{}").await.refusal(), (404, "instance_unknown".to_owned()));
}
