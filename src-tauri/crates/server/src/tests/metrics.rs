//! Tests of metrics: their content, who may read them, and the readiness probe.

use super::{Service, settings};
use crate::start::start;
use std::time::Duration;

/// The value of a series, by its full name with labels.
fn value<'a>(text: &'a str, series: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '))
}

#[tokio::test]
async fn requests_are_counted_by_route_and_root_field_and_nothing_a_caller_chose_is_told() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let ask = |query: &str| serde_json::json!({ "query": query }).to_string();
    let query = ask("{ secretalias: users(limit: 1) { id } }");
    for _ in 0..3 {
        assert_eq!(admin.post("/api/graphql", &query).await.status, 200);
    }
    admin.post("/api/graphql", &ask("{ nosuchfield { id } }")).await;
    admin.post("/api/graphql", &ask("{ users { id } tenant { id } }")).await;
    admin.get("/api/imports/00000000-0000-8000-0000-000000000001").await;
    let answer = service.stranger().get("/metrics").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.header("content-type").starts_with("application/openmetrics-text"));
    let text = &answer.body;
    let counted = |series: &str| value(text, series).unwrap_or_else(|| panic!("{series} in {text}"));
    let graphql = "quarterdeck_graphql_requests_total";
    assert_eq!(counted(&format!("{graphql}{{operation=\"users\",outcome=\"answered\"}}")), "3");
    assert_eq!(counted(&format!("{graphql}{{operation=\"none\",outcome=\"refused\"}}")), "1");
    assert_eq!(counted(&format!("{graphql}{{operation=\"several\",outcome=\"answered\"}}")), "1");
    assert_eq!(counted("quarterdeck_graphql_plans_total{plan=\"known\"}"), "2");
    let route = "route=\"/api/imports/{id}\",status=\"404\"";
    assert_eq!(counted(&format!("quarterdeck_http_requests_total{{method=\"GET\",{route}}}")), "1");
    assert!(counted("quarterdeck_database_size_bytes{part=\"main\"}") != "0");
    assert_eq!(counted("quarterdeck_imports{state=\"waiting\"}"), "0");
    assert!(counted("process_start_time_seconds") != "0");
    assert!(text.ends_with("# EOF\n") && text.matches("# EOF").count() == 1, "{text}");
    for chosen in
        ["secretalias", "nosuchfield", "00000000-0000-8000", "ada@example.com", &service.tenant().name]
    {
        assert!(!text.contains(chosen), "{chosen} in {text}");
    }
}

#[tokio::test]
async fn a_read_that_is_slow_does_not_change_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(folder.path(), "127.0.0.1:0");
    settings.slow_statement = Some(Duration::ZERO);
    let service = Service { running: start(settings).await.unwrap(), data_dir: folder };
    let admin = service.administrator().await;
    let query = r#"{"query": "{ users(order_by: {username: asc}) { username user_roles { role } } users_aggregate { aggregate { count } } }"}"#;
    let answer = admin.post("/api/graphql", query).await.json();
    assert_eq!(answer["data"]["users_aggregate"]["aggregate"]["count"], 2, "{answer}");
}

#[tokio::test]
async fn figures_are_told_on_this_computer_or_for_the_token() {
    let service = Service::start().await;
    let proxied = service.stranger().with("X-Forwarded-For", "192.0.2.7");
    assert_eq!(proxied.get("/metrics").await.refusal(), (403, "no_metrics_token".to_owned()));
    let folder = service.stop().await;
    let mut settings = settings(folder.path(), "127.0.0.1:0");
    settings.metrics_token = Some("swordfish".to_owned());
    let service = Service { running: start(settings).await.unwrap(), data_dir: folder };
    let stranger = service.stranger();
    assert_eq!(stranger.get("/metrics").await.refusal(), (401, "wrong_metrics_token".to_owned()));
    let wrong = stranger.clone().with("Authorization", "Bearer sword");
    assert_eq!(wrong.get("/metrics").await.status, 401);
    let right =
        service.stranger().with("X-Forwarded-For", "192.0.2.7").with("Authorization", "Bearer swordfish");
    assert_eq!(right.get("/metrics").await.status, 200);
}

#[tokio::test]
async fn a_service_that_is_about_to_stop_answers_and_says_that_it_takes_no_more() {
    let service = Service::start().await;
    assert_eq!(service.stranger().get("/readyz").await.status, 200);
    service.running.drain();
    let answer = service.stranger().get("/readyz").await;
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(answer.json()["status"], "stopping");
    assert_eq!(answer.header("retry-after"), "5");
    assert_eq!(service.stranger().get("/healthz").await.status, 200);
}
