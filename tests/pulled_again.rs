//! Tests of killed model downloads: existing bytes are not downloaded again, and a complete file is only verified.

use crate::support::programs::{self, Outcome, finish};
use crate::support::service::Service;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testkit::registry::{Content, KEY, Registry, RegistryBehaviour};

const SIZE: usize = 24_000_000;
/// How often a kill may miss the moment between the last byte and the final name of the file.
const TRIES: usize = 40;

/// Random bytes without repeated parts.
fn content() -> Vec<u8> {
    let mut seed = 7_u64;
    std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.to_le_bytes()
    })
    .flatten()
    .take(SIZE)
    .collect()
}

fn registry_of(bytes: &[u8], rate: Option<u64>) -> Registry {
    let content = Content::Bytes(Arc::new(bytes.to_vec()));
    Registry::start(content.clone(), content, RegistryBehaviour { rate, ..RegistryBehaviour::default() })
}

fn pull(data_dir: &Path, registry: &Registry) -> Command {
    let mut command = programs::server(data_dir);
    command.env("MODEL_REGISTRY_URL", &registry.address).env("LICENSE_KEY", KEY);
    command.args(["model", "pull", "svc-llm"]);
    command
}

fn begin(data_dir: &Path, registry: &Registry) -> Child {
    pull(data_dir, registry).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Polls a condition at short intervals.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what} did not come true within a minute");
        std::thread::yield_now();
    }
}

fn kill(mut process: Child) {
    process.kill().unwrap();
    process.wait().unwrap();
}

fn listed(data_dir: &Path) -> Value {
    programs::run(data_dir, &["model", "list", "--json"]).succeeded().json()
}

/// Which pages of 4,096 bytes in the part file are correct.
fn pages_there(data_dir: &Path, bytes: &[u8]) -> Vec<bool> {
    let part = std::fs::read(data_dir.join("models/incoming/svc-llm.part")).unwrap_or_default();
    let mut pages = part.chunks(4096);
    bytes.chunks(4096).map(|page| pages.next().is_some_and(|there| there.starts_with(page))).collect()
}

/// Number of existing bytes that were requested again after the first `before` requests.
fn asked_again(registry: &Registry, before: usize, there: &[bool]) -> usize {
    let ranges = registry.seen();
    let ranges = ranges[before..].iter().filter(|seen| seen.method == "GET").filter_map(|seen| seen.range);
    let again = ranges.map(|(start, end)| {
        let pages = usize::try_from(start).unwrap().div_ceil(4096)..usize::try_from(end + 1).unwrap() / 4096;
        pages.filter(|page| there[*page]).count() * 4096
    });
    again.sum()
}

fn check_ready(data_dir: &Path, bytes: &[u8]) {
    let listed = listed(data_dir);
    assert_eq!(listed["downloads"], json!([]));
    let hash = listed["models"][0]["sha256"].as_str().unwrap();
    assert!(std::fs::read(data_dir.join(format!("models/sha256-{hash}"))).unwrap() == bytes);
}

#[test]
fn a_pull_that_is_killed_twice_goes_on_and_fetches_nothing_twice() {
    let bytes = content();
    let registry = registry_of(&bytes, Some(3_000_000));
    let folder = tempfile::tempdir().unwrap();
    let (mut before, mut there) = (0, vec![false; bytes.chunks(4096).count()]);
    for part in [SIZE as u64 / 4, SIZE as u64 / 2] {
        let process = begin(folder.path(), &registry);
        until("a part of the file", || registry.sent() > part);
        kill(process);
        check_nothing_twice(&registry, before, &there);
        before = registry.seen().len();
        there = pages_there(folder.path(), &bytes);
        assert!(there.iter().filter(|there| **there).count() * 4096 > SIZE / 6, "hardly anything was kept");
    }
    registry.change_manners(|manners| manners.rate = None);
    finish(&mut pull(folder.path(), &registry)).succeeded();
    check_nothing_twice(&registry, before, &there);
    check_ready(folder.path(), &bytes);
}

fn check_nothing_twice(registry: &Registry, before: usize, there: &[bool]) {
    let again = asked_again(registry, before, there);
    // The last block of each connection may have been written but not recorded.
    assert!(again <= 4 * 512 * 1024, "{again} bytes were there and asked for again");
}

/// A data directory whose process was killed after the last byte and before the file had its final name.
fn killed_while_verifying(
    bytes: &[u8],
    registry: &Registry,
    run: impl Fn(TempDir, &dyn Fn(&Path)) -> TempDir,
) -> TempDir {
    for _ in 0..TRIES {
        let before = registry.sent();
        let folder = run(tempfile::tempdir().unwrap(), &|data_dir| {
            until("the last byte", || registry.sent() - before >= SIZE as u64);
            let is_named = || !data_dir.join("models/incoming/svc-llm.part").exists();
            until("the whole file", || {
                is_named() || pages_there(data_dir, bytes).into_iter().all(|there| there)
            });
        });
        let download = &listed(folder.path())["downloads"][0];
        if download["bytes"] == SIZE {
            return folder;
        }
    }
    panic!("{TRIES} kills came too early or too late");
}

#[test]
fn a_pull_that_is_killed_while_it_verifies_fetches_nothing_again() {
    let bytes = content();
    let registry = registry_of(&bytes, None);
    let folder = killed_while_verifying(&bytes, &registry, |folder, whole| {
        let process = begin(folder.path(), &registry);
        whole(folder.path());
        kill(process);
        folder
    });
    let before = registry.sent();
    let pulled: Outcome = finish(&mut pull(folder.path(), &registry)).succeeded();
    assert!(pulled.stdout.starts_with("svc-llm is ready: 24000000 bytes"), "{pulled:?}");
    assert_eq!(registry.sent() - before, 0, "all was there");
    check_ready(folder.path(), &bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_killed_while_it_verifies_goes_on_by_itself_and_fetches_nothing_again() {
    let bytes = content();
    let registry = registry_of(&bytes, None);
    let settings = [("MODEL_REGISTRY_URL", registry.address.as_str()), ("LICENSE_KEY", KEY)];
    let folder = killed_while_verifying(&bytes, &registry, |folder, whole| {
        let service = Service::start_in(folder, &settings);
        tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                let begun = service.client().await.request(Method::POST, "/api/models/svc-llm/download");
                assert_eq!(begun.json(&json!({})).send().await.unwrap().status(), StatusCode::OK);
            });
            whole(service.data_dir());
        });
        service.kill()
    });
    let before = registry.sent();
    let service = Service::start_in(folder, &settings);
    tokio::task::block_in_place(|| {
        until("the model", || listed(service.data_dir())["models"][0]["size_bytes"] == SIZE);
    });
    assert_eq!(registry.sent() - before, 0, "all was there");
    check_ready(service.data_dir(), &bytes);
}
