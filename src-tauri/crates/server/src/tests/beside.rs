//! Tests of imports by another process with the same database, such as the command line.

use super::findings::{bill, scan};
use super::waiting::until;
use super::{Service, clock, settings};
use crate::background::desktop_notices::{DesktopNotices, follow};
use crate::data::open::OpenData;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use crate::settings::Settings;
use auth::tenancy;
use catalogue::{Caller, Decimal, ValueRef};
use ingest::undo::UndoRequest;
use ingest::{Archive, ImportError, Report, pending_searches};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::{StoreError, Transaction};
use tokio::sync::watch;
use uuid::Uuid;

/// Imports a file without computing findings.
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
        answers: &[],
        progress: ingest::Progress { on_progress: &|_, _| {}, cancelled: &never },
    };
    let options = ingest::Options {
        owner: tenancy::administrator(&data.store).unwrap(),
        delivery: Uuid::new_v4(),
        choice: None,
        most_lower: ingest::MOST_LOWER,
        archive: None,
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: false,
        is_still_due: None,
        clock: clock::now,
    };
    ingest::import(&data.store, &Caller::system_for(data.tenant.id), &[file], options).unwrap()
}

fn anomalies(data: &OpenData) -> u64 {
    data.store.snapshot(&Caller::system_for(data.tenant.id), |rows| rows.count("anomaly", &[])).unwrap()
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
    findings::after_imports(&data.store, &Caller::system_for(data.tenant.id), reader, &reports);
    let query = json!({ "query": "{ notice { deliveries { tries } } }" }).to_string();
    let tries = async || client.post("/api/graphql", &query).await.json()["data"]["notice"].clone();
    until("a delivery", tries, |notices: &Value| {
        let tries = notices[0]["deliveries"][0]["tries"].as_i64();
        tries.is_some_and(|tries| tries > 0)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_desktop_hears_once_of_what_is_raised() {
    let folder = tempfile::tempdir().unwrap();
    let data = opened(folder.path(), None);
    let (desktop, user) = (DesktopNotices::default(), tenancy::administrator(&data.store).unwrap());
    let mut heard = desktop.listen();
    let (_stop, stopping) = watch::channel(false);
    tokio::spawn(follow(data.store.clone(), user, desktop, stopping));
    let system = Caller::system_for(data.tenant.id);
    let reports = import(&data, folder.path(), &scan());
    let archive = Archive::new(folder.path().join("imports"), 0);
    let reader = Reader { archive: &archive, most_lower: ingest::MOST_LOWER };
    findings::after_imports(&data.store, &system, reader, &reports);
    let first = heard.recv().await.unwrap();
    assert_eq!(first.len(), 1, "{first:?}");
    let raise = |rows: &Transaction<'_>| {
        let words = ["key", "title", "text"].map(|name| (name, ValueRef::from("late")));
        let more = [
            ("subject", "stale".into()),
            ("severity", "warning".into()),
            ("raised_at", ValueRef::Timestamp(rows.now())),
        ];
        rows.insert("notice", &[&words[..], &more].concat())
    };
    data.store.transaction::<_, StoreError>(&system, raise).unwrap();
    let second: Vec<String> = heard.recv().await.unwrap().into_iter().map(|notice| notice.title).collect();
    assert_eq!(second, ["late"], "what was told is not told again");
}

/// Data in a folder: in SQLite, or in the given PostgreSQL database.
fn opened(folder: &Path, database: Option<String>) -> OpenData {
    let settings = Settings { database, ..settings(&folder.join("data"), "127.0.0.1:0") };
    OpenData::open(&settings, None).unwrap()
}

#[test]
fn what_an_import_brings_is_looked_for_when_its_process_was_killed_after_it() {
    is_looked_for_after_a_kill(None);
}

#[test]
fn with_postgresql_what_an_import_brings_is_looked_for_when_its_process_was_killed_after_it() {
    let Some(database) = testkit::postgres::database() else { return };
    is_looked_for_after_a_kill(Some(database));
}

fn is_looked_for_after_a_kill(database: Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let data = opened(folder.path(), database);
    import(&data, folder.path(), &bill());
    let (now, turn) = (data.store.now(), i64::try_from(pending_searches::SEARCH_LEASE.as_micros()).unwrap());
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
fn after_events_alone_no_bill_is_judged_again() {
    bills_are_left_alone(None);
}

#[test]
fn with_postgresql_after_events_alone_no_bill_is_judged_again() {
    let Some(database) = testkit::postgres::database() else { return };
    bills_are_left_alone(Some(database));
}

fn bills_are_left_alone(database: Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let data = opened(folder.path(), database);
    let look = || {
        let turn = i64::try_from(pending_searches::SEARCH_LEASE.as_micros()).unwrap();
        assert_eq!(findings::take_over(&data.store, data.store.now() + 2 * turn).unwrap(), None);
        anomalies(&data)
    };
    import(&data, folder.path(), &bill());
    assert_eq!(look(), 1);
    let forget = |rows: &Transaction<'_>| rows.delete("anomaly", &[]);
    data.store.transaction::<_, StoreError>(&Caller::system_for(data.tenant.id), forget).unwrap();
    let reports = import(&data, folder.path(), &alert("disk full"));
    assert_eq!(look(), 0, "the bill is as it was when it was judged");
    assert_eq!(reports[0].as_ref().unwrap().written.keys().collect::<Vec<_>>(), ["events"]);
    let alerts = |rows: &Transaction<'_>| rows.select("imports", &["id"], &[store::eq("format", "alerts")]);
    let found = data.store.snapshot(&Caller::system_for(data.tenant.id), alerts).unwrap();
    let import_of_alerts = found[0][0].as_uuid().unwrap();
    let by = UndoRequest { person: None, clock: clock::now };
    ingest::undo::undo(&data.store, &Caller::system_for(data.tenant.id), import_of_alerts, &[], by).unwrap();
    assert_eq!(look(), 0, "nor is it after they were taken back");
    // Pending findings about costs are not dropped by an import of events.
    import(&data, folder.path(), &scan());
    import(&data, folder.path(), &alert("node down"));
    assert_eq!(look(), 1);
}

#[test]
fn after_charges_alone_no_measurement_is_judged_again() {
    measurements_are_left_alone(None);
}

#[test]
fn with_postgresql_after_charges_alone_no_measurement_is_judged_again() {
    let Some(database) = testkit::postgres::database() else { return };
    measurements_are_left_alone(Some(database));
}

fn measurements_are_left_alone(database: Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let data = opened(folder.path(), database);
    let system = Caller::system_for(data.tenant.id);
    let look = || {
        let turn = i64::try_from(pending_searches::SEARCH_LEASE.as_micros()).unwrap();
        assert_eq!(findings::take_over(&data.store, data.store.now() + 2 * turn).unwrap(), None);
        let scopes = |rows: &Transaction<'_>| rows.select("anomaly", &["scope"], &[]);
        let mut found: Vec<String> = data
            .store
            .snapshot(&system, scopes)
            .unwrap()
            .iter()
            .map(|row| row[0].as_text().unwrap().to_owned())
            .collect();
        found.sort();
        found
    };
    import(&data, folder.path(), &bill());
    assert_eq!(look(), ["service"]);
    // A finding without a rule is removed as soon as measurements are evaluated.
    let found_before = |rows: &Transaction<'_>| {
        let account = rows.select("cloud_accounts", &["id"], &[])?[0][0].as_uuid().unwrap();
        rows.insert(
            "anomaly",
            &[
                ("account_id", account.into()),
                ("anomaly_type", "CPU".into()),
                ("current_value", ValueRef::Decimal(Decimal::from(90))),
                ("evaluated_at", ValueRef::Timestamp(rows.now())),
                ("is_anomaly", true.into()),
                ("name", "web".into()),
                ("reference_value", ValueRef::Json("{}")),
                ("scope", "metric".into()),
            ],
        )
    };
    data.store.transaction::<_, StoreError>(&system, found_before).unwrap();
    let quiet = bill().replace("500,500", "100,100");
    import(&data, folder.path(), &quiet);
    assert_eq!(look(), ["metric"], "the bill is judged, and measurements are as they were");
    // Pending findings about events are not dropped by an import of charges.
    import(&data, folder.path(), &alert("disk full"));
    import(&data, folder.path(), &bill());
    assert_eq!(look(), ["service"]);
}

/// An Alertmanager alert.
fn alert(name: &str) -> String {
    let alert = json!({
        "status": "firing",
        "labels": { "alertname": name, "severity": "warning", "instance": "node-1" },
        "annotations": { "summary": name },
        "startsAt": "2026-06-01T10:00:00Z",
        "endsAt": "0001-01-01T00:00:00Z",
        "generatorURL": "http://prometheus.example/graph",
        "fingerprint": name,
    });
    let webhook = json!({
        "version": "4", "groupKey": "{}", "truncatedAlerts": 0, "status": "firing", "receiver": "ops",
        "groupLabels": {}, "commonLabels": {}, "commonAnnotations": {}, "externalURL": "http://alertmanager.example",
        "alerts": [alert],
    });
    webhook.to_string()
}

#[test]
fn one_server_looks_and_another_when_it_has_ended() {
    one_looks_after_the_other(None);
}

#[test]
fn with_postgresql_one_server_looks_and_another_when_it_has_ended() {
    let Some(database) = testkit::postgres::database() else { return };
    one_looks_after_the_other(Some(database));
}

fn one_looks_after_the_other(database: Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let data = opened(folder.path(), database);
    import(&data, folder.path(), &bill());
    let (store, turn) = (&data.store, i64::try_from(pending_searches::SEARCH_LEASE.as_micros()).unwrap());
    let later = store.now() + 2 * turn;
    assert_eq!(pending_searches::take_over(store, later).unwrap(), Some(data.tenant.id));
    assert_eq!(pending_searches::take_over(store, later).unwrap(), None, "one of them is at it");
    assert_eq!(pending_searches::take_over(store, later + turn).unwrap(), Some(data.tenant.id));
    // An import during the computation leaves its findings due.
    let pending = pending_searches::pending(store, data.tenant.id).unwrap().unwrap();
    import(&data, folder.path(), &scan());
    pending_searches::mark_done(store, pending).unwrap();
    assert!(pending_searches::next_due(store).unwrap().is_some());
}
