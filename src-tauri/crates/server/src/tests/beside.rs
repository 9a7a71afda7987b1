//! Imports of another process on the same database, as the command line makes them.

use super::findings::{bill, scan};
use super::waiting::until;
use super::{Service, clock, settings};
use crate::data::open::OpenData;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use auth::household;
use catalogue::Caller;
use ingest::{Archive, ImportError, Report, due};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use uuid::Uuid;

/// Imports a file; nothing is looked for yet.
fn import(data: &OpenData, folder: &Path, text: &str) -> Vec<Result<Report, ImportError>> {
    let path = folder.join("a file");
    std::fs::write(&path, text).unwrap();
    let never = AtomicBool::new(false);
    let file = ingest::File {
        import_id: Uuid::new_v4(),
        name: "a file",
        location: "a file",
        path: &path,
        original: None,
        forms: None,
        progress: ingest::Progress { tell: &|_, _| {}, cancelled: &never },
    };
    let options = ingest::Options {
        owner: household::administrator(&data.store).unwrap(),
        delivery: Uuid::new_v4(),
        choice: None,
        decided_by: None,
        most_lower: ingest::MOST_LOWER,
        archive: None,
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: false,
        is_still_due: None,
        clock: clock::now,
    };
    ingest::import(&data.store, &Caller::house_for(data.tenant.id), &[file], options).unwrap()
}

fn anomalies(data: &OpenData) -> u64 {
    data.store.snapshot(&Caller::house_for(data.tenant.id), |rows| rows.count("anomaly", &[])).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_import_beside_the_service_brings_is_sent_at_once() {
    let service = Service::start().await;
    let client = service.administrator().await;
    let channel = r#"mutation { notice_channel_save(object: { name: "ops", kind: slack, url: "https://127.0.0.1:1/nobody" }) { id } }"#;
    let answer = client.post("/api/graphql", &json!({ "query": channel }).to_string()).await.json();
    assert!(answer["errors"].is_null(), "{answer}");
    let data = OpenData::open(&settings(service.data_dir.path(), "127.0.0.1:0"), None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let reports = import(&data, folder.path(), &scan());
    let archive = Archive::new(folder.path().join("imports"), 0);
    let reader = Reader { archive: &archive, most_lower: ingest::MOST_LOWER };
    findings::after_imports(&data.store, &Caller::house_for(data.tenant.id), reader, &reports);
    let query = json!({ "query": "{ notice { deliveries { tries } } }" }).to_string();
    let tries = async || client.post("/api/graphql", &query).await.json()["data"]["notice"].clone();
    until("a delivery", tries, |notices: &Value| {
        let tries = notices[0]["deliveries"][0]["tries"].as_i64();
        tries.is_some_and(|tries| tries > 0)
    })
    .await;
}

#[test]
fn what_an_import_brings_is_looked_for_when_its_process_was_killed_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = OpenData::open(&settings(&folder.path().join("data"), "127.0.0.1:0"), None).unwrap();
    import(&data, folder.path(), &bill());
    let (now, turn) = (data.store.now(), i64::try_from(due::TURN.as_micros()).unwrap());
    assert!(findings::take_over(&data.store, now).unwrap().is_some(), "it is the turn of who imported");
    assert_eq!(anomalies(&data), 0);
    assert_eq!(
        findings::take_over(&data.store, now + 2 * turn).unwrap(),
        None,
        "nothing is left to look for"
    );
    assert_eq!(anomalies(&data), 1);
}

#[test]
fn one_server_looks_and_another_when_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let data = OpenData::open(&settings(&folder.path().join("data"), "127.0.0.1:0"), None).unwrap();
    import(&data, folder.path(), &bill());
    let (store, turn) = (&data.store, i64::try_from(due::TURN.as_micros()).unwrap());
    let later = store.now() + 2 * turn;
    assert_eq!(due::take(store, later).unwrap(), Some(data.tenant.id));
    assert_eq!(due::take(store, later).unwrap(), None, "one of them is at it");
    assert_eq!(due::take(store, later + turn).unwrap(), Some(data.tenant.id));
    // What changes while it is looked for waits on.
    let awaited = due::awaited(store, data.tenant.id).unwrap().unwrap();
    import(&data, folder.path(), &scan());
    due::settle(store, awaited).unwrap();
    assert!(due::next(store).unwrap().is_some());
}
