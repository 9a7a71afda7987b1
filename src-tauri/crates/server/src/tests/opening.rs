//! What a page asks when it opens, in one request.

use super::Service;
use super::client::{Answer, Client};
use serde_json::{Value, json};

const TENANT: &str = r#"{"path": "/api/graphql", "body": {"query": "{ tenant { name } }"}}"#;

async fn open(page: &Client, asks: &[&str]) -> Answer {
    page.post("/api/opening", &format!(r#"{{"asks": [{}]}}"#, asks.join(", "))).await
}

/// Place, status and body of each answer, by place.
fn answers(answer: &Answer) -> Vec<(u64, u64, Value)> {
    assert_eq!(answer.status, 200, "{answer:?}");
    // Between them stand the lengths of the pieces.
    let lines = answer.body.lines().filter(|line| line.starts_with('['));
    let mut lines: Vec<(u64, u64, Value)> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|(place, ..)| *place);
    lines
}

fn link_of(service: &Service) -> String {
    let link = service.running.sign_in_link();
    let code = link.split_once("#code=").unwrap().1;
    format!(r#"{{"path": "/api/auth/link", "body": {{"code": "{code}"}}}}"#)
}

#[tokio::test]
async fn a_link_and_all_that_a_page_asks_are_one_request() {
    let service = Service::start().await;
    let link = link_of(&service);
    let asks = [&link, r#"{"path": "/api/about"}"#, TENANT, r#"{"path": "/api/instances"}"#, TENANT];
    let opened = open(&service.page(), &asks).await;
    let answers = answers(&opened);
    assert_eq!(
        answers.iter().map(|(place, status, _)| (*place, *status)).collect::<Vec<_>>(),
        [(0, 200), (1, 200), (2, 200), (3, 200), (4, 200)]
    );
    assert_eq!(answers[0].2["email"], "administrator@localhost");
    // Told to who is signed in only.
    assert!(answers[1].2["data_dir"].is_string(), "{answers:?}");
    assert_eq!(answers[2].2, json!({"data": {"tenant": [{"name": "Personal workspace"}]}}));
    assert_eq!(answers[4].2, answers[2].2);
    // The session goes on.
    let page = service.page().with("Cookie", &opened.cookie());
    assert_eq!(page.get("/api/auth/session").await.status, 200);
    assert_eq!(open(&page, &[r#"{"path": "/api/auth/session"}"#, TENANT]).await.header("set-cookie"), "");
}

#[tokio::test]
async fn who_is_not_let_in_is_told_so_and_asks_nothing() {
    let service = Service::start().await;
    let link = link_of(&service);
    assert_eq!(open(&service.page(), &[&link]).await.status, 200);
    let spent = answers(&open(&service.page(), &[&link, r#"{"path": "/api/about"}"#, TENANT]).await);
    assert_eq!(spent.len(), 1, "{spent:?}");
    assert_eq!((spent[0].1, &spent[0].2["error"]), (401, &json!("link_spent")));
    let stranger = answers(&open(&service.page(), &[r#"{"path": "/api/auth/session"}"#, TENANT]).await);
    assert_eq!((stranger.len(), stranger[0].1), (1, 401));
}

#[tokio::test]
async fn an_ask_is_refused_as_it_would_be_by_itself() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let alone = page.post("/api/graphql", r#"{"query": "{ nothing }"}"#).await.json();
    let wrong = r#"{"path": "/api/graphql", "body": {"query": "{ nothing }"}}"#;
    let together = answers(&open(&page, &[r#"{"path": "/api/auth/session"}"#, wrong, TENANT]).await);
    assert_eq!((together[1].1, &together[1].2), (200, &alone));
    assert!(together[2].2["errors"].is_null(), "{together:?}");
    // There is no window around this service.
    let window =
        answers(&open(&page, &[r#"{"path": "/api/auth/session"}"#, r#"{"path": "/api/host"}"#]).await);
    assert_eq!((window[1].1, &window[1].2["error"]), (404, &json!("no_window")));
}

#[tokio::test]
async fn what_is_no_opening_is_refused_in_words() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let many = vec![r#"{"path": "/api/about"}"#; 65];
    for (asks, says) in [
        (vec![], "Expected 1 to 64 asks, 0 came"),
        (many, "Expected 1 to 64 asks, 65 came"),
        (vec![r#"{"path": "/api/backups"}"#], "\"/api/backups\" is not asked while a page opens"),
        (vec![r#"{"path": "/api/opening", "body": {}}"#], "\"/api/opening\" is not asked while a page opens"),
        (vec![r#"{"body": {}}"#], "missing field `path`"),
    ] {
        let refused = open(&page, &asks).await;
        assert_eq!(refused.refusal(), (400, "bad_request".to_owned()));
        let message = refused.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(says), "{message}");
    }
    assert_eq!(page.get("/api/opening").await.status, 405);
}

#[tokio::test]
async fn a_page_of_another_site_opens_nothing() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let session = r#"{"path": "/api/auth/session"}"#;
    let foreign = page.clone().with("Origin", "http://127.0.0.1:3000");
    assert_eq!(open(&foreign, &[session, TENANT]).await.refusal(), (403, "foreign_origin".to_owned()));
    // A form sends a cookie and no Origin at times; what the asks are refused for, they are refused for here, too.
    let form = page.without("Origin").with("Sec-Fetch-Site", "cross-site");
    let alone = form.post("/api/graphql", r#"{"query": "{ tenant { name } }"}"#).await;
    let together = answers(&open(&form, &[session, TENANT]).await);
    assert_eq!((together.len(), together[0].1), (1, u64::from(form.get("/api/auth/session").await.status)));
    assert_eq!(alone.status, 403);
}
