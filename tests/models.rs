//! Tests of models: downloaded, exported and imported, served to others; across kills, on the command line and over HTTP.

use crate::support::client::Client;
use crate::support::programs::{self, Outcome, finish, holds};
use crate::support::service::Service;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::registry::{Content, KEY, Registry, RegistryBehaviour};

/// Random bytes without repeated parts.
fn content(size: usize) -> Vec<u8> {
    let mut seed = 42_u64;
    std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.to_le_bytes()
    })
    .flatten()
    .take(size)
    .collect()
}

fn registry_of(bytes: &[u8], manners: RegistryBehaviour) -> Registry {
    let content = Content::Bytes(Arc::new(bytes.to_vec()));
    Registry::start(content.clone(), content, manners)
}

/// Runs `model …` on a data directory, with the registry and the key in the environment.
fn model(data_dir: &Path, registry: &str, arguments: &[&str]) -> Outcome {
    let mut command = programs::server(data_dir);
    command.env("MODEL_REGISTRY_URL", registry).env("LICENSE_KEY", KEY).arg("model").args(arguments);
    finish(&mut command)
}

async fn put(client: &Client, path: &str, body: Value) -> StatusCode {
    client.request(Method::PUT, path).json(&body).send().await.unwrap().status()
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < Duration::from_mins(1), "{what} did not come true within a minute");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn find(client: &Client, name: &str) -> Value {
    let shown = client.get("/api/models").await.json();
    shown["models"]
        .as_array()
        .unwrap()
        .iter()
        .find(|model| model["name"] == name)
        .cloned()
        .unwrap_or_default()
}

#[test]
fn a_model_is_pulled_listed_carried_checked_and_removed_on_the_command_line() {
    let bytes = content(3_000_000);
    let registry = registry_of(&bytes, RegistryBehaviour::default());
    let (here, there, stick) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let pulled = model(here.path(), &registry.address, &["pull", "svc-slm"]).succeeded();
    assert!(pulled.stdout.starts_with("svc-slm is ready: 3000000 bytes, SHA-256 "), "{pulled:?}");
    assert!(pulled.stderr.contains("The registry offered no hash"), "{pulled:?}");
    assert!(!pulled.stderr.contains(KEY) && !pulled.stdout.contains(KEY));

    let listed = model(here.path(), "", &["list", "--json"]).succeeded().json();
    let found = &listed["models"][0];
    assert_eq!(
        (&found["name"], &found["size_bytes"], &found["trust"]),
        (&json!("svc-slm"), &json!(3_000_000), &json!("first_use"))
    );
    let hash = found["sha256"].as_str().unwrap();
    let wrong = model(here.path(), "", &["verify", "svc-slm", "--sha256", &"0".repeat(64)]);
    assert_eq!(wrong.code, 1, "{wrong:?}");
    model(here.path(), "", &["verify", "svc-slm", "--sha256", hash]).succeeded();

    let folder = stick.path().to_str().unwrap();
    let file = stick.path().join("svc-slm");
    std::fs::write(&file, b"of somebody").unwrap();
    let refused = model(here.path(), "", &["export", "svc-slm", folder]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("already: take it away or choose another name"), "{refused:?}");
    assert_eq!(std::fs::read(&file).unwrap(), b"of somebody");
    std::fs::remove_file(&file).unwrap();
    model(here.path(), "", &["export", "svc-slm", folder]).succeeded();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    let again = model(here.path(), "", &["export", "svc-slm", folder]).succeeded();
    assert!(again.stdout.contains("are there already, and the same"), "{again:?}");
    model(there.path(), "", &["import", file.to_str().unwrap()]).succeeded();
    let taken = model(there.path(), "", &["list", "--json"]).succeeded().json();
    assert_eq!((&taken["models"][0]["trust"], &taken["models"][0]["sha256"]), (&json!("file"), &json!(hash)));

    model(here.path(), "", &["remove", "svc-slm"]).succeeded();
    let empty = model(here.path(), "", &["list", "--json"]).succeeded().json();
    assert_eq!((&empty["models"], &empty["downloads"]), (&json!([]), &json!([])));
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = programs::run(folder.path(), &["model", "pull", "svc-llm"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("Set its address (MODEL_REGISTRY_URL)"), "{outcome:?}");
    let wrong = programs::run(folder.path(), &["model", "pull", "../etc/passwd"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("is no name of a model"), "{wrong:?}");
}

#[tokio::test]
async fn a_service_that_is_killed_goes_on_by_itself_and_fetches_nothing_twice() {
    const SIZE: usize = 24_000_000;
    let bytes = content(SIZE);
    let registry =
        registry_of(&bytes, RegistryBehaviour { rate: Some(1_500_000), ..RegistryBehaviour::default() });
    let service = Service::start();
    let client = service.client().await;
    let values = json!({ "values": { "MODEL_REGISTRY_URL": registry.address, "LICENSE_KEY": KEY } });
    assert_eq!(put(&client, "/api/models/settings", values).await, StatusCode::OK);
    assert_eq!(client.post("/api/models/svc-llm/download", &json!({})).await.status, StatusCode::OK);
    until("a quarter of the file", async || {
        find(&client, "svc-llm").await["download"]["bytes"].as_u64().unwrap_or(0) > SIZE as u64 / 4
    })
    .await;
    let data = service.kill();
    let part = std::fs::read(data.path().join("models/incoming/svc-llm.part")).unwrap();
    let is_there: Vec<bool> = bytes
        .chunks(4096)
        .zip(part.chunks(4096))
        .map(|(bytes, part)| *bytes == part[..bytes.len()])
        .collect();
    let kept = is_there.iter().filter(|there| **there).count() * 4096;
    assert!(kept > SIZE / 5, "{kept} bytes were kept");
    let before = registry.seen().len();
    registry.change_manners(|manners| manners.rate = None);

    let service = Service::start_on(data);
    let client = service.client_of("bea@example.com", "tenant_admin").await;
    until("the model", async || find(&client, "svc-llm").await["here"]["size_bytes"] == SIZE).await;
    let again: usize = registry.seen()[before..]
        .iter()
        .filter(|seen| seen.method == "GET")
        .filter_map(|seen| seen.range)
        .map(|(start, end)| {
            let pages =
                usize::try_from(start).unwrap().div_ceil(4096)..usize::try_from(end + 1).unwrap() / 4096;
            pages.filter(|page| is_there[*page]).count() * 4096
        })
        .sum();
    // The last block of each connection may have been written but not recorded.
    assert!(again <= 4 * 512 * 1024, "{again} bytes were there and asked for again");
    let hash = find(&client, "svc-llm").await["here"]["sha256"].as_str().unwrap().to_owned();
    let file = service.data_dir().join(format!("models/sha256-{hash}"));
    assert!(std::fs::read(file).unwrap() == bytes, "the file is another one");
}

#[tokio::test]
async fn progress_comes_as_events_and_never_goes_back() {
    let bytes = content(6_000_000);
    let registry =
        registry_of(&bytes, RegistryBehaviour { rate: Some(1_000_000), ..RegistryBehaviour::default() });
    let service = Service::start();
    let client = service.client().await;
    let values = json!({ "values": { "MODEL_REGISTRY_URL": registry.address, "LICENSE_KEY": KEY } });
    put(&client, "/api/models/settings", values).await;
    let mut events = client.request(Method::GET, "/api/models/events").send().await.unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    client.post("/api/models/svc-slm/download", &json!({})).await;
    let (mut text, mut seen, mut is_ready) = (String::new(), Vec::new(), false);
    while !is_ready {
        let piece = events.chunk().await.unwrap().expect("events go on");
        text.push_str(std::str::from_utf8(&piece).unwrap());
        while let Some((event, rest)) = text.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(data) = data {
                assert!(!data.contains(KEY));
                let shown: Value = serde_json::from_str(data).unwrap();
                let model = shown["models"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|model| model["name"] == "svc-slm")
                    .unwrap();
                is_ready = !model["here"].is_null();
                seen.extend(model["download"]["bytes"].as_u64());
            }
            text = rest.to_owned();
        }
    }
    assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
}

#[tokio::test]
async fn one_machine_with_a_network_feeds_the_rest_that_have_a_key() {
    let bytes = content(2_000_000);
    let service = Service::start();
    let client = service.client().await;
    let stick = tempfile::tempdir().unwrap();
    let file = stick.path().join("svc-slm");
    std::fs::write(&file, &bytes).unwrap();
    let file = file.to_str().unwrap();
    model(service.data_dir(), "", &["import", file]).succeeded();
    let get = async |key: Option<&str>| {
        let request = reqwest::Client::new().get(format!("{}/downloads/models/svc-slm", service.address));
        let request = match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        request.header("Range", "bytes=1000-1999").send().await.unwrap()
    };
    put(&client, "/api/models/settings", json!({ "values": { "MODEL_CLIENT_KEYS": KEY } })).await;
    assert_eq!(get(None).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(get(Some("another")).await.status(), StatusCode::FORBIDDEN);
    // Its hash is not yet verified by anybody.
    assert_eq!(get(Some(KEY)).await.status(), StatusCode::NOT_FOUND);
    let listed = model(service.data_dir(), "", &["list"]).succeeded();
    assert!(listed.stdout.contains("nobody vouched for it"), "{listed:?}");
    let early = tempfile::tempdir().unwrap();
    let refused = model(early.path(), &service.address, &["pull", "svc-slm"]);
    assert!(refused.code == 1 && refused.stderr.contains("model verify NAME --sha256"), "{refused:?}");

    let hash = find(&client, "svc-slm").await["here"]["sha256"].clone();
    let vouched = client.post("/api/models/svc-slm/verify", &json!({ "sha256": hash })).await;
    assert_eq!(vouched.status, StatusCode::OK, "{vouched:?}");
    let part = get(Some(KEY)).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()["content-range"], "bytes 1000-1999/2000000");
    assert_eq!(part.headers()["x-checksum-sha256"], hash.as_str().unwrap());
    assert_eq!(part.bytes().await.unwrap()[..], bytes[1000..2000]);

    let there = tempfile::tempdir().unwrap();
    model(there.path(), &service.address, &["pull", "svc-slm"]).succeeded();
    let listed = model(there.path(), "", &["list", "--json"]).succeeded().json();
    assert_eq!((&listed["models"][0]["trust"], &listed["models"][0]["sha256"]), (&json!("registry"), &hash));
}

#[tokio::test]
async fn only_administrators_of_the_service_see_and_change_models() {
    let service = Service::start();
    let reader = service.client_of("rae@example.com", "tenant_admin_readonly").await;
    assert_eq!(reader.get("/api/models").await.status, StatusCode::FORBIDDEN);
    assert_eq!(put(&reader, "/api/models/settings", json!({ "values": {} })).await, StatusCode::FORBIDDEN);
    assert_eq!(service.stranger().get("/api/models/events").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn settings_are_checked_before_they_are_saved_and_secrets_never_come_back() {
    let service = Service::start();
    let client = service.client().await;
    let wrong = json!({ "values": { "MODEL_REGISTRY_URL": "models.example.com" } });
    assert_eq!(put(&client, "/api/models/settings", wrong).await, StatusCode::BAD_REQUEST);
    let right = json!({ "values": { "LICENSE_KEY": KEY, "MODEL_PROXY": "http://me:hunter2@proxy:3128" } });
    assert_eq!(put(&client, "/api/models/settings", right).await, StatusCode::OK);
    let shown = client.get("/api/models").await.body;
    assert!(!shown.contains(KEY) && !shown.contains("hunter2") && shown.contains("\"6789\""), "{shown}");
    let bundle = client.get("/api/health/bundle").await.body;
    assert!(!bundle.contains(KEY) && !bundle.contains("hunter2"));

    // No file contains a secret either: a copy of the database reveals none, and the settings still work after a restart.
    let data = service.stop();
    assert!(!holds(data.path(), KEY) && !holds(data.path(), "hunter2"));
    let registry = registry_of(&content(100_000), RegistryBehaviour::default());
    model(data.path(), "", &["list"]).succeeded();
    let pulled = programs::server(data.path())
        .env("MODEL_REGISTRY_URL", &registry.address)
        .env("MODEL_NO_PROXY", "127.0.0.1")
        .args(["model", "pull", "svc-slm"])
        .output()
        .unwrap();
    assert!(pulled.status.success(), "{pulled:?}");
    assert!(!holds(data.path(), KEY));
}
