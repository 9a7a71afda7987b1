//! Tests of workflows over real HTTP: a service that is called by tasks and counts the calls, a service that stops in between, an approval in a
//! browser, a webhook.

use super::waiting::until;
use super::{Client, Service, settings};
use crate::start::start;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use testkit::language_models::{Fault, KEY, LanguageModels, Said};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Another service: counts requests by their key, and answers only while that is enabled.
struct Other {
    url: String,
    seen: Arc<Mutex<BTreeMap<String, usize>>>,
    answers: watch::Sender<bool>,
    asked: watch::Receiver<usize>,
}

impl Other {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
        let (answers, may_answer) = watch::channel(true);
        let (count, asked) = watch::channel(0);
        tokio::spawn({
            let seen = Arc::clone(&seen);
            async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let (seen, count, mut may_answer) =
                        (Arc::clone(&seen), count.clone(), may_answer.clone());
                    tokio::spawn(async move {
                        let mut head = Vec::new();
                        while !head.windows(4).any(|end| end == b"\r\n\r\n")
                            && stream.read_buf(&mut head).await.unwrap_or(0) > 0
                        {}
                        let head = String::from_utf8_lossy(&head).to_lowercase();
                        let key = head
                            .lines()
                            .find_map(|line| line.strip_prefix("idempotency-key: "))
                            .unwrap_or("none");
                        *seen.lock().unwrap().entry(key.to_owned()).or_default() += 1;
                        count.send_modify(|count| *count += 1);
                        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                        if path == "/slow" && may_answer.wait_for(|may| *may).await.is_err() {
                            return;
                        }
                        let body = format!("{{\"path\":\"{path}\"}}");
                        let port = stream.local_addr().map(|address| address.port()).unwrap_or_default();
                        let status = if path == "/away" {
                            format!("302 Found\r\nLocation: http://localhost:{port}/there")
                        } else {
                            "200 OK".to_owned()
                        };
                        let answer = format!(
                            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                            body.len()
                        );
                        let _ = stream.write_all(answer.as_bytes()).await;
                    });
                }
            }
        });
        Self { url, seen, answers, asked }
    }

    async fn is_asked(&mut self, times: usize) {
        self.asked.wait_for(|count| *count >= times).await.unwrap();
    }

    /// The number of requests of each task, by its path and attempt.
    fn by_task(&self) -> BTreeMap<String, usize> {
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .map(|(key, count)| (key.splitn(3, ':').nth(2).unwrap_or_default().to_owned(), *count))
            .collect()
    }
}

pub(super) async fn start_on(data_dir: tempfile::TempDir) -> Service {
    Service { running: start(acting(data_dir.path())).await.unwrap(), data_dir }
}

/// Settings with automation enabled.
pub(super) fn acting(data_dir: &Path) -> crate::settings::Settings {
    let mut settings = settings(data_dir, "127.0.0.1:0");
    settings.automation =
        crate::settings::Automation { is_on: true, reaches_private: true, ..Default::default() };
    settings
}

pub(super) async fn ask(client: &Client, query: &str) -> Value {
    let answer = client.post("/api/graphql", &json!({ "query": query }).to_string()).await.json();
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

/// Creates a workflow in a new account. Returns account, workflow, and the token of its webhook.
pub(super) async fn create(
    service: &Service,
    client: &Client,
    status: &str,
    triggers: &str,
    tasks: &str,
) -> (String, String, Value) {
    let tenant = service.tenant().id;
    let user = ask(client, "{ users(limit: 1) { id } }").await["users"][0]["id"].as_str().unwrap().to_owned();
    let account = uuid::Uuid::new_v4();
    let known = ask(client, r#"{ cloud_accounts(where: { account_name: { _eq: "shop" } }) { id } }"#).await;
    // The kubectl context has the name of the first account.
    let is_first = known["cloud_accounts"].as_array().is_some_and(Vec::is_empty);
    let name = if is_first { "shop".to_owned() } else { format!("shop {account}") };
    service
        .store()
        .transaction::<_, store::StoreError>(&catalogue::Caller::system_for(tenant), |rows| {
            let user: catalogue::ValueRef<'_> = uuid::Uuid::parse_str(&user).unwrap().into();
            rows.insert(
                "cloud_accounts",
                &[
                    ("id", account.into()),
                    ("account_name", name.as_str().into()),
                    ("account_type", "kubernetes".into()),
                    ("created_by", user),
                    ("updated_by", user),
                ],
            )
        })
        .unwrap();
    let made = ask(client, &format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{account}", workflow: {{ name: "nightly", status: "{status}", definition: {{
          triggers: [{triggers}] tasks: [{tasks}] }} }} }}) {{ id token }} }}"#
    )).await;
    let made = &made["workflow_create"];
    (account.to_string(), made["id"].as_str().unwrap().to_owned(), made["token"].clone())
}

pub(super) async fn trigger(client: &Client, account: &str, workflow: &str) -> String {
    let run = ask(client, &format!(r#"mutation {{ workflow_trigger(request: {{ account_id: "{account}", id: "{workflow}" }}) {{ execution_id }} }}"#)).await;
    run["workflow_trigger"]["execution_id"].as_str().unwrap().to_owned()
}

/// The run, once it satisfies `is`.
pub(super) async fn once(
    client: &Client,
    (account, workflow, run): (&str, &str, &str),
    is: impl Fn(&Value) -> bool,
) -> Value {
    let query = format!(
        r#"{{ workflow_get_execution(request: {{ account_id: "{account}", workflow_id: "{workflow}", id: "{run}" }}) {{
          status error workflow_result tasks {{ id status output error }} }} }}"#
    );
    let look = async || ask(client, &query).await["workflow_get_execution"].clone();
    until("another standing of the run", look, is).await
}

fn http(id: &str, url: &str, depends_on: &str) -> String {
    format!(
        r#"{{ id: "{id}", type: "integrations.http", params: {{ url: "{url}" }}, depends_on: [{depends_on}] }}"#
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_cut_off_goes_on_and_no_finished_task_runs_again() {
    let mut other = Other::start().await;
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = format!(
        "{} {}",
        http("first", &format!("{}/quick", other.url), ""),
        http("second", &format!("{}/slow", other.url), r#""first""#)
    );
    other.answers.send(false).unwrap();
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    other.is_asked(2).await;
    let service = start_on(service.stop().await).await;
    other.is_asked(3).await;
    other.answers.send(true).unwrap();
    let secret = service.secret_of("eve@example.com", catalogue::Role::TenantAdmin, &service.tenant());
    let pair = format!(r#"{{"email": "eve@example.com", "secret": "{secret}"}}"#);
    let token =
        service.stranger().post("/api/auth/token", &pair).await.json()["token"].as_str().unwrap().to_owned();
    let client = service.stranger().with("Authorization", &format!("Bearer {token}"));
    let seen = once(&client, (&account, &workflow, &run), |run| run["status"] == "COMPLETED").await;
    assert_eq!(seen["tasks"][1]["output"]["body"]["path"], "/slow");
    assert_eq!(other.by_task(), BTreeMap::from([("first:1".to_owned(), 1), ("second:1".to_owned(), 2)]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sealed_secret_is_sent_to_its_hosts_and_follows_no_redirect() {
    let other = Other::start().await;
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    ask(
        &client,
        r#"mutation { workflow_save_secret(request: { name: "KEY", value: "open-sesame", hosts: ["127.0.0.1"] }) { id } }"#,
    )
    .await;
    let asks = |id: &str, url: &str| {
        format!(
            r#"{{ id: "{id}", type: "integrations.http", params: {{ url: "{url}", auth_type: "bearer", bearer_token: "{{{{ Secrets.KEY }}}}" }}, failure_policy: {{ action: "continue" }} }}"#
        )
    };
    let elsewhere = other.url.replace("127.0.0.1", "{{ 'localhost' }}");
    let tasks = format!("{} {}", asks("away", &format!("{}/away", other.url)), asks("elsewhere", &elsewhere));
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, &tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let seen = once(&client, (&account, &workflow, &run), |run| run["status"] == "COMPLETED").await;
    let task = |id: &str| {
        let tasks = seen["tasks"].as_array().unwrap();
        tasks.iter().find(|task| task["id"] == id).cloned().unwrap_or_default()
    };
    assert_eq!(task("away")["output"]["status_code"], 302, "{seen}");
    assert!(
        task("elsewhere")["error"]
            .as_str()
            .unwrap()
            .contains("the secret KEY may be sent to 127.0.0.1 alone"),
        "{seen}"
    );
    assert_eq!(other.by_task(), BTreeMap::from([("away:1".to_owned(), 1)]), "nobody else was asked");
    assert!(!seen.to_string().contains("open-sesame"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_approval_is_shown_by_get_and_decided_by_post_once() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = r#"{ id: "ok", type: "core.approval", params: { message: "Delete <all>?" } }"#;
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let place = (account.as_str(), workflow.as_str(), run.as_str());
    let seen = once(&client, place, |run| run["tasks"][0]["output"]["approval_url"].is_string()).await;
    let url = seen["tasks"][0]["output"]["approval_url"].as_str().unwrap().to_owned();
    let path = url.strip_prefix(&service.running.url()).unwrap();
    for _ in 0..2 {
        let page = service.stranger().get(path).await;
        assert_eq!(page.status, 200);
        assert!(
            page.body.contains("Delete &lt;all&gt;?") && page.body.contains("value=\"approve\""),
            "{}",
            page.body
        );
    }
    assert_eq!(service.stranger().get(&format!("{path}x")).await.status, 404);
    assert_eq!(service.stranger().post(path, r#"{"status": "maybe"}"#).await.status, 400);
    let form = service.page().with("Content-Type", "application/x-www-form-urlencoded");
    let decided = form.post(path, "comments=go+on&status=approve").await;
    assert!(decided.status == 200 && decided.body.contains("<b>approve</b>"), "{decided:?}");
    assert_eq!(service.stranger().post(path, r#"{"status": "reject"}"#).await.status, 409);
    let seen = once(&client, place, |run| run["status"] == "COMPLETED").await;
    assert_eq!(
        (&seen["tasks"][0]["output"]["status"], &seen["tasks"][0]["output"]["comments"]),
        (&json!("approve"), &json!("go on"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_has_an_address_and_asks_for_its_secret() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = r#"{ id: "say", type: "core.print", params: { message: "{{ Inputs.name }}" } }"#;
    let (account, workflow, token) =
        create(&service, &client, "ACTIVE", r#"{ type: "webhook" }"#, tasks).await;
    let path = format!("/api/webhooks/workflows/{workflow}");
    let caller = service.stranger();
    assert_eq!(caller.post(&path, "{}").await.status, 401);
    assert_eq!(caller.clone().with("X-Webhook-Secret", "guess").post(&path, "{}").await.status, 401);
    let caller = caller.with("X-Webhook-Secret", token.as_str().unwrap());
    let started = caller.post(&path, r#"{"name": "sea"}"#).await;
    assert_eq!(started.status, 202, "{started:?}");
    let run = started.json()["execution_id"].as_str().unwrap().to_owned();
    let seen = once(&client, (&account, &workflow, &run), |run| run["status"] == "COMPLETED").await;
    assert_eq!(seen["tasks"][0]["output"], json!({ "data": "sea" }));
    // A repeated delivery starts nothing.
    let github = caller.clone().with("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958");
    let first = github.post(&path, "{}").await.json();
    assert!(first["execution_id"].is_string(), "{first}");
    assert_eq!(github.post(&path, "{}").await.json(), json!({ "execution_id": null }));
    ask(&client, &format!(r#"mutation {{ workflow_pause(request: {{ account_id: "{account}", id: "{workflow}" }}) {{ data }} }}"#)).await;
    assert_eq!(caller.post(&path, "{}").await.status, 409);
    ask(&client, &format!(r#"mutation {{ workflow_delete(request: {{ account_id: "{account}", id: "{workflow}" }}) {{ message }} }}"#)).await;
    assert_eq!(caller.post(&path, "{}").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_is_asked_through_the_providers_of_the_service_and_hears_no_secret() {
    let double = LanguageModels::start();
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let tasks = r#"{ id: "sum", type: "llm.summary", params: { message: "Summarise: costs rose by {{ 6 * 2 }}%." } }"#;
    let (account, workflow, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    let run = trigger(&client, &account, &workflow).await;
    let place = (account.as_str(), workflow.as_str(), run.as_str());
    let seen = once(&client, place, |run| run["status"] == "FAILED").await;
    assert!(seen["error"].as_str().unwrap().contains("model"), "without a provider it says so: {seen}");

    let admin = service.program("ana@example.com", catalogue::Role::TenantAdmin, &service.tenant()).await;
    let provider = json!({ "kind": "openai", "is_on": true, "chat_model": "large",
        "values": { "endpoint": format!("{}/v1", double.address), "key": KEY } });
    let added = admin.post("/api/model-providers", &provider.to_string()).await;
    assert_eq!(added.status, 201, "{added:?}");
    double.say([Said::text("Costs rose by an eighth.")]);
    let run = trigger(&client, &account, &workflow).await;
    let seen = once(&client, (&account, &workflow, &run), |run| run["status"] == "COMPLETED").await;
    assert_eq!(seen["tasks"][0]["output"]["data"], "Costs rose by an eighth.");
    assert_eq!(seen["tasks"][0]["output"]["session_id"], run);
    let asked = double.seen();
    assert!(asked.last().unwrap().body.to_string().contains("costs rose by 12%"), "{asked:?}");

    // The assistant, with its lookups, in the name of the user who began the run.
    let tasks = r#"{ id: "find", type: "llm.investigate", params: { message: "Why do costs rise?", response_format: "json" } }"#;
    let (other, asks, _) = create(&service, &client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    double.say([Said::text("```json\n{\"cause\": \"more machines\"}\n```")]);
    let run = trigger(&client, &other, &asks).await;
    let seen = once(&client, (&other, &asks, &run), |run| {
        run["status"] != "RUNNING" && run["status"] != "SCHEDULED"
    })
    .await;
    assert_eq!(seen["tasks"][0]["output"]["data"], json!({ "cause": "more machines" }), "{seen}");
    assert!(seen["tasks"][0]["output"]["conversation_id"].is_string(), "{seen}");
    let asked = double.seen().last().unwrap().body.to_string();
    assert!(asked.contains("Why do costs rise?") && asked.contains("tools"), "{asked}");

    double.fail((0..20).map(|_| Fault::Status(401, "wrong key".to_owned(), None)));
    let run = trigger(&client, &account, &workflow).await;
    once(&client, (&account, &workflow, &run), |run| run["status"] == "FAILED").await;
}
