//! Tests of tasks that query a Prometheus server over real HTTP: with its token, within the egress policy.

use super::Service;
use super::workflows::{acting, create, once, trigger};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Answers each query like Prometheus, and sends the heads of the requests to the receiver.
async fn prometheus() -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (send, seen) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.windows(4).any(|end| end == b"\r\n\r\n")
                && stream.read_buf(&mut head).await.unwrap_or(0) > 0
            {}
            let _ = send.send(String::from_utf8_lossy(&head).into_owned());
            let body = r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"pod":"a"},"values":[[1795149480,"0.5"],[1795149540,"1.5"]]}]}}"#;
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (url, seen)
}

async fn measured(url: &str, reaches_private: bool) -> Value {
    let data_dir = tempfile::tempdir().unwrap();
    let mut settings = acting(data_dir.path());
    settings.automation.reaches_private = reaches_private;
    let service = Service { running: crate::start::start(settings).await.unwrap(), data_dir };
    let client = service.administrator().await;
    let tasks = format!(
        r#"{{ id: "cpu", type: "observability.metrics", params: {{ url: "{url}/prom", auth_type: "bearer", bearer_token: "word",
            queries: {{ cpu: "sum(rate(cpu[5m]))" }}, start_time: "2h", step: "1m" }} }}"#
    );
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    once(&client, (&account, &workflow, &run), |run| {
        matches!(run["status"].as_str(), Some("COMPLETED" | "FAILED"))
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prometheus_is_asked_with_its_token() {
    let (url, mut seen) = prometheus().await;
    let run = measured(&url, true).await;
    assert_eq!(run["status"], "COMPLETED", "{run}");
    let figures =
        json!({ "series": 1, "points": 2, "minimum": 0.5, "maximum": 1.5, "average": 1.0, "latest": 1.5 });
    assert_eq!(run["tasks"][0]["output"]["figures"]["cpu"], figures);
    let head = seen.recv().await.unwrap();
    assert!(head.starts_with("GET /prom/api/v1/query_range?query=sum%28rate%28cpu%5B5m%5D%29%29&"), "{head}");
    assert!(
        head.contains("step=60 ") && head.to_lowercase().contains("authorization: bearer word"),
        "{head}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_address_is_asked_only_where_the_administrator_says_so() {
    let (url, mut seen) = prometheus().await;
    let run = measured(&url, false).await;
    assert_eq!(run["status"], "FAILED", "{run}");
    assert!(seen.try_recv().is_err(), "it was asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_are_filtered_in_a_run() {
    let service = super::workflows::start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = r#"
        { id: "busy", type: "data.filter", params: { list: [{ name: "a", cpu: 91 }, { name: "b", cpu: 4 }], condition: "cpu > 80" } }
        { id: "again", type: "data.filter", params: { list: "{{ Tasks.busy.output.result }}", condition: "{{ '$now() > 1' }}" }, depends_on: ["busy"] }"#;
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let run = once(&client, (&account, &workflow, &run), |run| run["status"] == "FAILED").await;
    assert_eq!(run["tasks"][0]["output"], json!({ "result": [{ "name": "a", "cpu": 91 }] }), "{run}");
    let error = run["error"].as_str().unwrap_or_default();
    assert!(error.contains("condition: ") && error.contains("$now"), "{run}");
}
