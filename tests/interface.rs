//! Black-box tests of the HTTP interface: authentication, refusals with their messages, an import by upload.

use reqwest::{Method, StatusCode, header};
use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::exact::at;
use crate::support::fixture;
use crate::support::programs::run;
use crate::support::service::Service;

/// A query whose response does not matter.
const ANY: &str = "{ spends { amount } }";

#[tokio::test]
async fn the_service_says_that_it_is_well() {
    let answer = Service::start().stranger().get("/healthz").await;
    assert_eq!((answer.status, answer.body.as_str()), (StatusCode::OK, r#"{"status":"ok"}"#));
}

#[tokio::test]
async fn a_query_without_a_token_is_not_authenticated() {
    let answer = Service::start().stranger().ask(ANY, &json!({})).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["error"], "not_authenticated");
}

#[tokio::test]
async fn a_made_up_token_is_not_authenticated() {
    let service = Service::start();
    let request = service.stranger().request(Method::POST, "/api/graphql").bearer_auth("e30.e30.e30");
    let answer = Answer::of(request.json(&json!({ "query": ANY })).send().await.unwrap()).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["error"], "not_authenticated");
}

#[tokio::test]
async fn a_query_that_is_no_query_is_refused_with_400() {
    let service = Service::start();
    let client = service.client().await;
    for body in ["", "{", "[]", r#"{"variables":{}}"#, r#"{"query":7}"#] {
        let request =
            client.request(Method::POST, "/api/graphql").header(header::CONTENT_TYPE, "application/json");
        let answer = Answer::of(request.body(body).send().await.unwrap()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body:?}: {answer:#?}");
        assert!(answer.json()["errors"][0]["message"].is_string(), "{body:?}: {answer:#?}");
    }
}

#[tokio::test]
async fn a_token_pair_is_exchanged_or_refused_in_three_different_ways() {
    let service = Service::start();
    let stranger = service.stranger();
    run(service.data_dir(), &["user", "add", "ada@example.com"]).succeeded();
    let created =
        run(service.data_dir(), &["token", "create", "ada@example.com", "--name", "report", "--json"]);
    let pair = created.succeeded().json();

    let good = stranger.post("/api/auth/token", &pair).await;
    assert_eq!((good.status, good.json()["expiry"].as_i64()), (StatusCode::OK, Some(3600)), "{good:#?}");

    let wrong_method = stranger.get("/api/auth/token").await;
    let no_secret = stranger.post("/api/auth/token", &json!({ "email": "ada@example.com" })).await;
    let wrong_secret =
        stranger.post("/api/auth/token", &json!({ "email": "ada@example.com", "secret": "x" })).await;
    let refusals = [
        (wrong_method, StatusCode::METHOD_NOT_ALLOWED),
        (no_secret, StatusCode::BAD_REQUEST),
        (wrong_secret, StatusCode::UNAUTHORIZED),
    ];
    for (answer, status) in refusals {
        assert_eq!(answer.status, status, "{answer:#?}");
        assert!(answer.json()["message"].is_string(), "{answer:#?}");
    }
}

#[tokio::test]
async fn a_sign_in_link_works_once() {
    let service = Service::start();
    let code = service.sign_in_link.split_once("#code=").unwrap().1;
    let first = open_link(&service, code).await;
    assert_eq!(first.status, StatusCode::OK, "{first:#?}");
    let second = open_link(&service, code).await;
    assert_eq!(second.status, StatusCode::UNAUTHORIZED, "{second:#?}");
    assert_eq!(second.json()["error"], "link_spent");
}

/// Posts the code as the sign-in page does.
async fn open_link(service: &Service, code: &str) -> Answer {
    let request = service.stranger().request(Method::POST, "/api/auth/link");
    let request = request.header(header::ORIGIN, &service.address).header("Sec-Fetch-Site", "same-origin");
    Answer::of(request.json(&json!({ "code": code })).send().await.unwrap()).await
}

#[tokio::test]
async fn a_name_that_is_not_ours_is_misdirected() {
    let service = Service::start();
    let request =
        service.stranger().request(Method::GET, "/api/auth/session").header(header::HOST, "evil.example.com");
    assert_eq!(request.send().await.unwrap().status(), StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test]
async fn a_page_of_another_origin_is_refused() {
    let service = Service::start();
    let client = service.client().await;
    let request = client.request(Method::POST, "/api/graphql").header(header::ORIGIN, "http://127.0.0.1:1");
    assert_eq!(request.json(&json!({ "query": ANY })).send().await.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn pages_come_with_a_policy_that_loads_nothing_from_elsewhere() {
    let service = Service::start();
    let request =
        service.stranger().request(Method::GET, "/costs/explorer").header(header::ACCEPT, "text/html");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'self'") || policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("http"), "{policy}");
}

#[tokio::test]
async fn an_unknown_address_of_the_interface_is_not_a_page() {
    let answer = Service::start().stranger().get("/api/nothing").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(answer.json()["error"].is_string(), "{answer:#?}");
}

#[tokio::test]
async fn a_tenant_sees_its_own_rows_only() {
    let service = Service::start();
    let mine = service.client().await;
    service.import(&[fixture("september.csv")]);
    let adding = ["user", "add", "eve@example.com", "--tenant", "Elsewhere"];
    run(service.data_dir(), &adding).succeeded();
    let pair = run(
        service.data_dir(),
        &["token", "create", "eve@example.com", "--name", "tests", "--tenant", "Elsewhere", "--json"],
    );
    let theirs = Client::sign_in(&service.address, &pair.succeeded().json()).await;

    let question = "{ spends_aggregate { aggregate { count } } }";
    assert_eq!(at(&mine.data(question).await, &["spends_aggregate", "aggregate", "count"]), "12");
    assert_eq!(at(&theirs.data(question).await, &["spends_aggregate", "aggregate", "count"]), "0");
}

#[tokio::test]
async fn an_uploaded_bill_is_imported_and_reported() {
    let service = Service::start();
    let client = service.client().await;
    let accepted = upload(&client, "september.csv", std::fs::read(fixture("september.csv")).unwrap()).await;
    let done = until_finished(&client, &accepted).await;
    assert_eq!(at(&done, &["state"]), r#""done""#, "{done}");
    assert_eq!(at(&done, &["report", "totals", "0", "billed_cost"]), r#""32.88045820136""#, "{done}");
}

#[tokio::test]
async fn an_uploaded_file_nobody_knows_fails_with_a_report() {
    let service = Service::start();
    let client = service.client().await;
    let accepted = upload(&client, "letter.txt", b"Dear Ada,\n".to_vec()).await;
    let failed = until_finished(&client, &accepted).await;
    assert_eq!(at(&failed, &["state"]), r#""failed""#, "{failed}");
    assert!(at(&failed, &["report", "error", "message"]).len() > 2, "{failed}");
}

/// Uploads a file and returns the id of its import.
async fn upload(client: &Client, name: &str, content: Vec<u8>) -> String {
    let request = client.request(Method::POST, &format!("/api/imports?name={name}"));
    let answer = Answer::of(request.body(content).send().await.unwrap()).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:#?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// The report of the import `id` once it has ended.
async fn until_finished(client: &Client, id: &str) -> String {
    let finished = async {
        loop {
            let answer = client.get(&format!("/api/imports/{id}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{answer:#?}");
            if !matches!(at(&answer.body, &["state"]), r#""waiting""# | r#""running""#) {
                return answer.body;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let patience = std::time::Duration::from_secs(30);
    tokio::time::timeout(patience, finished).await.expect("an import of a few rows ends within 30 s")
}
