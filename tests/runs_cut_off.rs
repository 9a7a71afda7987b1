//! Tests workflow runs while the service is killed repeatedly: finished tasks are not repeated, interrupted ones are repeated at most once, with
//! the same key, and no file contains a secret.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::support::client::Client;
use crate::support::programs;
use crate::support::service::Service;

/// Number of kills.
const KILLS: usize = 8;
/// Rows of the run, with three tasks each.
const ROWS: usize = 10;
const SECRET: &str = "sw0rdf1sh-7431-unlikely";

/// A server that counts requests by idempotency key and returns the header it was sent.
struct Counting {
    url: String,
    seen: Arc<(Mutex<BTreeMap<String, usize>>, Condvar)>,
}

impl Counting {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<(Mutex<BTreeMap<String, usize>>, Condvar)> = Arc::default();
        let counted = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let counted = Arc::clone(&counted);
                std::thread::spawn(move || drop(answer(stream, &counted)));
            }
        });
        Self { url, seen }
    }

    fn total(&self) -> usize {
        self.seen.0.lock().unwrap().values().sum()
    }

    /// Waits until that many requests have arrived.
    fn until(&self, number: usize) {
        let (seen, heard) = &*self.seen;
        let counted = seen.lock().unwrap();
        let enough = |counted: &mut BTreeMap<String, usize>| counted.values().sum::<usize>() < number;
        let waited = heard.wait_timeout_while(counted, Duration::from_mins(1), enough).unwrap().1;
        assert!(!waited.timed_out(), "the run does not go on");
    }

    /// Number of requests for each task, by path and attempt.
    fn by_task(&self) -> BTreeMap<String, usize> {
        let seen = self.seen.0.lock().unwrap();
        let task = |key: &String| key.splitn(3, ':').nth(2).unwrap_or_default().to_owned();
        seen.iter().map(|(key, count)| (task(key), *count)).collect()
    }
}

fn answer(
    mut stream: std::net::TcpStream,
    seen: &(Mutex<BTreeMap<String, usize>>, Condvar),
) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        // A service killed while connecting or writing has sent no complete request.
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let value = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let key = value("idempotency-key").unwrap_or_default();
    *seen.0.lock().unwrap().entry(key).or_default() += 1;
    seen.1.notify_all();
    // Returns a header of the request: a secret in it must not be stored either.
    let body = format!("{{\"said\":{:?}}}", value("x_token").unwrap_or_default());
    let answer =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes())
}

/// Ten rows of three HTTP tasks; each row depends on the one before.
fn tasks(url: &str) -> String {
    let mut tasks = String::new();
    for row in 0..ROWS {
        for place in ["a", "b", "c"] {
            let before = match row {
                0 => String::new(),
                row => ["a", "b", "c"].map(|place| format!("\"{place}{}\"", row - 1)).join(" "),
            };
            tasks.push_str(&format!(
                r#"{{ id: "{place}{row}", type: "integrations.http", depends_on: [{before}],
                     params: {{ url: "{url}/{place}{row}", headers: {{ xToken: "x" }} }} }} "#
            ));
        }
    }
    // A GraphQL name cannot contain a dash.
    tasks.replace("xToken: \"x\"", "x_token: \"{{ Secrets.TOKEN }}\"")
}

async fn ask(client: &Client, query: &str) -> Value {
    serde_json::from_str(&client.data(query).await).unwrap()
}

async fn statuses(client: &Client, place: &str) -> (String, BTreeMap<String, String>) {
    let query = format!(
        "{{ workflow_get_execution(request: {{ {place} }}) {{ status error tasks {{ id status }} }} }}"
    );
    let run = ask(client, &query).await["workflow_get_execution"].clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tasks = run["tasks"].as_array().unwrap().iter();
    (text(&run["status"]), tasks.map(|task| (text(&task["id"]), text(&task["status"]))).collect())
}

/// An account for workflows. Returns its id.
async fn account(service: &Service, client: &Client) -> &'static str {
    let user = ask(client, "{ users(limit: 1) { id } }").await["users"][0]["id"].as_str().unwrap().to_owned();
    let account = "a0000000-0000-4000-8000-000000000001";
    let file = service.data_dir().join("accounts.ndjson");
    let row = format!(
        r#"{{"id": "{account}", "account_name": "shop", "account_type": "kubernetes", "created_by": "{user}", "updated_by": "{user}"}}"#
    );
    std::fs::write(&file, row).unwrap();
    programs::run(service.data_dir(), &["table", "load", "cloud_accounts", file.to_str().unwrap()])
        .succeeded();
    account
}

#[tokio::test]
async fn a_run_that_another_process_begins_is_carried_out() {
    let service = Service::start_with(&[("QUARTERDECK_AUTOMATION", "on")]);
    let client = service.client().await;
    let account = account(&service, &client).await;
    let query = |text: String| {
        let mut command = programs::server(service.data_dir());
        command.env("QUARTERDECK_AUTOMATION", "on").args(["query", &text]);
        programs::finish(&mut command).succeeded().json()["data"].clone()
    };
    let task = r#"{ id: "say", type: "core.print", params: { message: "hello" } }"#;
    let made = query(format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{account}", workflow: {{ name: "from a shell", definition: {{ triggers: [{{ type: "manual" }}] tasks: [{task}] }} }} }}) {{ id }} }}"#
    ));
    let workflow = made["workflow_create"]["id"].as_str().unwrap();
    let run = query(format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{account}", id: "{workflow}" }}) {{ execution_id }} }}"#
    ));
    let run = run["workflow_trigger"]["execution_id"].as_str().unwrap();
    let place = format!(r#"account_id: "{account}", workflow_id: "{workflow}", id: "{run}""#);
    for _ in 0..1200 {
        if statuses(&client, &place).await.0 == "COMPLETED" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the service does not notice the run");
}

#[tokio::test]
async fn a_run_survives_kills_and_repeats_nothing_that_ended() {
    let other = Counting::start();
    let environment = [
        ("QUARTERDECK_AUTOMATION", "on"),
        ("QUARTERDECK_AUTOMATION_PRIVATE", "on"),
        ("SECRET_TOKEN", SECRET),
    ];
    let mut service = Service::start_with(&environment);
    let mut client = service.client().await;
    let account = account(&service, &client).await;
    let tasks = tasks(&other.url);
    let made = ask(&client, &format!(
            r#"mutation {{ workflow_create(request: {{ account_id: "{account}", workflow: {{ name: "cut off", definition: {{ triggers: [{{ type: "manual" }}] tasks: [{tasks}] }} }} }}) {{ id }} }}"#
        ))
        .await;
    let workflow = made["workflow_create"]["id"].as_str().unwrap().to_owned();
    let run = ask(&client, &format!(r#"mutation {{ workflow_trigger(request: {{ account_id: "{account}", id: "{workflow}" }}) {{ execution_id }} }}"#))
        .await;
    let run = run["workflow_trigger"]["execution_id"].as_str().unwrap().to_owned();
    let place = format!(r#"account_id: "{account}", workflow_id: "{workflow}", id: "{run}""#);
    let mut ended: BTreeMap<String, usize> = BTreeMap::new();
    for kill in 0..KILLS {
        // Each kill happens after a different number of requests, and therefore at a different point of a row.
        other.until((other.total() + 1 + kill % 3).min(ROWS * 3));
        let (_, tasks) = statuses(&client, &place).await;
        let counts = other.by_task();
        for id in tasks.iter().filter(|(_, status)| *status == "COMPLETED").map(|(id, _)| id) {
            ended
                .entry(id.clone())
                .or_insert_with(|| counts.get(&format!("{id}:1")).copied().unwrap_or_default());
        }
        service = Service::start_in(service.kill(), &environment);
        client = service.client_of(&format!("person{kill}@example.com"), "tenant_admin").await;
    }
    for _ in 0..1200 {
        if statuses(&client, &place).await.0 != "RUNNING" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (status, tasks) = statuses(&client, &place).await;
    assert_eq!(status, "COMPLETED", "{tasks:?}");
    let counts = other.by_task();
    assert_eq!(counts.len(), ROWS * 3, "each under one key: {counts:?}");
    for (id, before) in ended {
        assert_eq!(counts[&format!("{id}:1")], before, "{id} had ended and was asked for again");
    }
    let most = counts.values().max().copied().unwrap_or_default();
    assert!(most <= 1 + KILLS, "{counts:?}");
    assert!(counts.values().sum::<usize>() <= ROWS * 3 + KILLS * 3, "{counts:?}");
    let data_dir = service.stop();
    let mut holders = Vec::new();
    search(data_dir.path(), SECRET.as_bytes(), &mut holders);
    assert!(holders.is_empty(), "the secret is in {holders:?}");
}

/// The files below a folder that contain these bytes.
fn search(folder: &Path, wanted: &[u8], found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map_while(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            search(&path, wanted, found);
        } else if std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(wanted.len()).any(|part| part == wanted))
        {
            found.push(path);
        }
    }
}
