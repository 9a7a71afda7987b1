//! Tests of the limits of one caller over HTTP.

use super::{Service, settings};
use crate::start::start;
use serde_json::json;

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_in_the_form_of_its_address() {
    let data_dir = tempfile::tempdir().unwrap();
    std::fs::write(data_dir.path().join("quarterdeck.toml"), "max_body_bytes = 1000").unwrap();
    let service =
        Service { running: start(settings(data_dir.path(), "127.0.0.1:0")).await.unwrap(), data_dir };
    let ada = service.administrator().await;
    let body = json!({ "query": "{ tenant { id } }", "padding": "x".repeat(1_000) }).to_string();

    let answer = ada.post("/api/graphql", &body).await;
    assert_eq!(answer.status, 413);
    let error = &answer.json()["errors"][0];
    assert_eq!(error["extensions"], json!({ "code": "limit-exceeded", "path": "$" }));
    assert!(error["message"].as_str().unwrap().starts_with("the body is longer than 1000 bytes"), "{error}");

    let answer = ada.post("/api/auth/token", &body).await;
    assert_eq!(answer.refusal(), (413, "body_too_long".to_owned()));
    service.stop().await;
}

#[tokio::test]
async fn a_user_with_too_many_requests_running_is_told_so() {
    let data_dir = tempfile::tempdir().unwrap();
    std::fs::write(data_dir.path().join("quarterdeck.toml"), "max_concurrent = 1").unwrap();
    let service =
        Service { running: start(settings(data_dir.path(), "127.0.0.1:0")).await.unwrap(), data_dir };
    let page = service.signed_in_page().await;
    let body = r#"{"query": "{ tenant { id } }"}"#;
    let user = auth::tenancy::administrator(&service.store()).unwrap();
    let turn = service.running.app.access.requests.wait(user).await.unwrap();
    let answer = page.post("/api/graphql", body).await;
    assert_eq!(answer.status, 429);
    let error = &answer.json()["errors"][0];
    assert!(error["message"].as_str().unwrap().starts_with("1 requests of this user"), "{error}");
    drop(turn);
    assert_eq!(page.post("/api/graphql", body).await.status, 200);
    service.stop().await;
}
