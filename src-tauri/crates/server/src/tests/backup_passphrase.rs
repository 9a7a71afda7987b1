//! Tests of the passphrase of automatic backups: set over HTTP, stored encrypted, never returned; and its handling in a restore.

use super::backups::{NOW, due_since_the_day_before, taken};
use super::client::Client;
use super::waiting::until;
use super::{Service, settings};
use crate::backups::{BackupService, BackupsError};
use crate::clock;
use crate::secrets::secret_key::SecretKey;
use backup::{BackupError, BackupFile, Passphrase, Reason};
use catalogue::Role;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const SECRET: &str = "correct horse battery";
const PATH: &str = "/api/backups/passphrase";

async fn give(admin: &Client, passphrase: &str) -> Value {
    let answer = admin.send("PUT", PATH, json!({ "passphrase": passphrase }).to_string().as_bytes()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// The backup service of another process, which reads the key again.
fn depot(service: &Service) -> BackupService {
    let data_dir = service.data_dir.path();
    let keys = Arc::new(SecretKey::of(data_dir, false));
    BackupService::new(service.store(), data_dir, &settings(data_dir, "127.0.0.1:0").backups, keys)
}

/// Decrypts an encrypted backup.
fn opens(depot: &BackupService, kept: &BackupFile, passphrase: &str) -> Result<(), BackupError> {
    assert!(kept.closed, "{kept:?}");
    let passphrase = Passphrase::for_decryption(passphrase.to_owned());
    backup::inspect(&depot.folder.file(&kept.name)?, Some(&passphrase)).map(drop)
}

/// Restores the backup over HTTP. Returns the restarted service and an administrator of it.
async fn put_back(service: Service, admin: &Client, name: &str, passphrase: &str) -> (Service, Client) {
    let confirm = admin.get("/api/backups").await.json()["confirm"].clone();
    let wish = json!({ "confirm": confirm, "passphrase": passphrase }).to_string();
    let answer = admin.post(&format!("/api/backups/{name}/restore"), &wish).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    service.running.asked_to_restart().await;
    let service = Service::start_on(service.stop().await).await;
    let grace = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    (service, grace)
}

/// Whether a file below the folder contains the text in clear.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(Result::unwrap).any(|entry| {
        if entry.file_type().unwrap().is_dir() {
            return holds(&entry.path(), text);
        }
        let bytes = std::fs::read(entry.path()).unwrap();
        bytes.windows(text.len()).any(|found| found == text.as_bytes())
    })
}

#[tokio::test]
async fn the_one_given_closes_what_is_due_and_what_is_taken_before_a_restore_until_it_is_taken_away() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let listed = admin.get("/api/backups").await.json();
    assert_eq!((&listed["closes"], &listed["closed_by"]), (&json!(false), &Value::Null), "{listed}");
    let listed = give(&admin, SECRET).await;
    let by = &listed["closed_by"];
    assert_eq!(
        (&listed["closes"], &by["kind"], &by["by"]),
        (&json!(true), &json!("stored"), &json!("ada@example.com"))
    );
    assert!(by["at"].as_str().unwrap().starts_with("20"), "{listed}");

    let depot = depot(&service);
    due_since_the_day_before(&depot, NOW);
    depot.round(NOW).unwrap();
    let scheduled = depot.folder.list().unwrap().remove(0);
    assert_eq!((scheduled.closed, scheduled.facts.reason), (true, Reason::Schedule));
    opens(&depot, &scheduled, SECRET).unwrap();
    let refused = opens(&depot, &scheduled, "another passphrase").unwrap_err();
    assert!(matches!(refused, BackupError::WrongPassphrase { .. }), "{refused}");

    // It has the database open.
    drop(depot);
    let by_hand = taken(&admin, "{}").await;
    assert_eq!(by_hand["closed"], false, "who takes one by hand says what closes it");
    let (service, grace) = put_back(service, &admin, by_hand["name"].as_str().unwrap(), "").await;
    let depot = self::depot(&service);
    let before =
        depot.folder.list().unwrap().into_iter().find(|kept| kept.facts.reason == Reason::BeforeRestore);
    opens(&depot, &before.unwrap(), SECRET).unwrap();

    let listed = grace.delete(PATH).await.json();
    assert_eq!((&listed["closes"], &listed["closed_by"]), (&json!(false), &Value::Null), "{listed}");
    assert!(!depot.take_unasked(Reason::Schedule).unwrap().closed);
}

#[tokio::test]
async fn it_is_in_no_answer_and_nowhere_in_the_data_directory_in_clear() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let short = admin.send("PUT", PATH, br#"{"passphrase": "horsebatter"}"#).await;
    assert_eq!(short.refusal(), (400, "short_passphrase".to_owned()));
    let mut answers = vec![short.body];
    for wrong in [
        "\"correct horse battery\"",
        r#"{"correct horse battery": 1}"#,
        r#"{"passphrase": ["correct horse battery"]}"#,
    ] {
        let answer = admin.send("PUT", PATH, wrong.as_bytes()).await;
        assert_eq!(answer.refusal(), (400, "bad_request".to_owned()), "{answer:?}");
        answers.push(answer.body);
    }
    answers.push(give(&admin, SECRET).await.to_string());
    depot(&service).take_unasked(Reason::Schedule).unwrap();
    for path in ["/api/backups", "/api/health/report"] {
        answers.push(admin.get(path).await.body);
    }
    let log = admin.get("/api/auth/security-log").await.body;
    assert!(log.contains("Backups taken by themselves are encrypted: a passphrase was stored"), "{log}");
    answers.push(log);
    for answer in answers {
        assert!(!answer.contains("horse"), "{answer}");
    }
    assert!(
        holds(service.data_dir.path(), "BACKUP_PASSPHRASE"),
        "the database or its log of writes is looked at"
    );
    assert!(!holds(service.data_dir.path(), SECRET));
    assert!(!holds(service.stop().await.path(), SECRET));
}

#[tokio::test]
async fn a_file_that_an_operator_set_comes_first_and_nothing_is_changed_over_it() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    give(&admin, SECRET).await;
    let data_dir = service.stop().await;
    let file = data_dir.path().join("key");
    std::fs::write(&file, "the operator's own words").unwrap();
    let toml = format!("backup_passphrase_file = {:?}", file.display().to_string());
    std::fs::write(data_dir.path().join("quarterdeck.toml"), toml).unwrap();

    let service = Service::start_on(data_dir).await;
    let grace = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let listed = grace.get("/api/backups").await.json();
    assert_eq!(
        (&listed["closes"], &listed["closed_by"]),
        (&json!(true), &json!({ "kind": "file" })),
        "{listed}"
    );
    for (method, body) in [("PUT", r#"{"passphrase": "correct horse battery"}"#), ("DELETE", "")] {
        let refused = grace.send(method, PATH, body.as_bytes()).await;
        assert_eq!(refused.refusal(), (409, "set_by_file".to_owned()), "{method}");
        assert!(refused.body.contains("backup_passphrase_file"), "{refused:?}");
    }
    let depot = depot(&service);
    opens(&depot, &depot.take_unasked(Reason::Schedule).unwrap(), "the operator's own words").unwrap();
}

/// Deletes the key of the data directory, as if its backup was restored on another machine.
async fn without_its_key(service: Service) -> Service {
    let data_dir = service.stop().await;
    std::fs::remove_file(data_dir.path().join("secrets.key")).unwrap();
    Service::start_on(data_dir).await
}

#[tokio::test]
async fn with_its_key_lost_nothing_is_taken_open_and_the_page_says_what_to_do() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    give(&admin, SECRET).await;
    let by_hand = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    let service = without_its_key(service).await;
    let grace = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let listed = grace.get("/api/backups").await.json();
    assert_eq!(
        (&listed["closes"], &listed["closed_by"]["kind"]),
        (&json!(true), &json!("stored")),
        "{listed}"
    );
    let told = listed["troubles"][0].as_str().unwrap();
    assert!(
        told.contains("Give it again under Settings, Backup & restore, or switch the encryption off"),
        "{told}"
    );
    assert_eq!(grace.get("/api/health/report").await.json()["backup_troubles"], listed["troubles"]);

    let depot = depot(&service);
    due_since_the_day_before(&depot, NOW);
    let refused = depot.round(NOW).unwrap_err();
    assert!(matches!(refused, BackupsError::Lost { .. }), "{refused}");
    assert_eq!(depot.troubles().unwrap().len(), 1, "told once, with the time");
    let wish = json!({ "confirm": listed["confirm"] }).to_string();
    let refused = grace.post(&format!("/api/backups/{by_hand}/restore"), &wish).await;
    assert_eq!(refused.refusal(), (409, "passphrase_lost".to_owned()), "{refused:?}");
    assert_eq!(depot.folder.list().unwrap().len(), 1, "the one by hand");

    give(&grace, SECRET).await;
    depot.round(NOW).unwrap();
    assert_eq!(depot.troubles().unwrap(), Vec::<String>::new());
    assert!(depot.folder.list().unwrap().iter().any(|kept| kept.closed));
}

#[tokio::test]
async fn what_is_due_is_taken_as_soon_as_the_lost_one_is_given_again() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    give(&admin, SECRET).await;
    due_since_the_day_before(&depot(&service), clock::now());
    let service = without_its_key(service).await;
    let grace = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let listed = grace.get("/api/backups").await.json();
    assert_eq!(
        (&listed["backups"], listed["troubles"].as_array().unwrap().len()),
        (&json!([]), 1),
        "{listed}"
    );
    give(&grace, SECRET).await;
    let is_taken = |listed: &Value| {
        listed["backups"][0]["check"]["state"] == "verified" && listed["troubles"] == json!([])
    };
    let look = async || grace.get("/api/backups").await.json();
    let listed = until("a backup that was checked", look, is_taken).await;
    assert_eq!(listed["backups"][0]["closed"], true, "{listed}");
}

#[tokio::test]
async fn what_stands_now_outlasts_a_restore_closed_or_open() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let open = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    give(&admin, "the one before this").await;
    let other = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    let given = give(&admin, SECRET).await["closed_by"].clone();
    let (service, grace) = put_back(service, &admin, &open, "").await;
    assert_eq!(grace.get("/api/backups").await.json()["closed_by"], given);
    let (service, grace) = put_back(service, &grace, &other, "").await;
    assert_eq!(grace.get("/api/backups").await.json()["closed_by"], given);
    {
        let depot = depot(&service);
        opens(&depot, &depot.take_unasked(Reason::Schedule).unwrap(), SECRET).unwrap();
    }

    grace.delete(PATH).await;
    let (_service, grace) = put_back(service, &grace, &other, "").await;
    let listed = grace.get("/api/backups").await.json();
    assert_eq!((&listed["closed_by"], &listed["troubles"]), (&Value::Null, &json!([])), "{listed}");
}

#[tokio::test]
async fn a_backup_of_another_machine_brings_its_passphrase_along_and_the_page_says_that_it_opens_no_more() {
    let from = Service::start().await;
    let ada = from.administrator().await;
    give(&ada, SECRET).await;
    let name = taken(&ada, "{}").await["name"].as_str().unwrap().to_owned();
    let archive = std::fs::read(from.data_dir.path().join(format!("backups/{name}.tar.gz"))).unwrap();

    let service = Service::start().await;
    let admin = service.administrator().await;
    let brought = admin.send("POST", "/api/backups/upload", &archive).await.json();
    let (service, grace) = put_back(service, &admin, brought["name"].as_str().unwrap(), "").await;
    let listed = grace.get("/api/backups").await.json();
    assert_eq!(listed["closed_by"]["by"], "ada@example.com", "{listed}");
    assert!(listed["troubles"][0].as_str().unwrap().contains("Give it again"), "{listed}");
    assert!(matches!(depot(&service).take_unasked(Reason::Schedule), Err(BackupsError::Lost { .. })));
}

#[tokio::test]
async fn without_a_service_the_backup_before_a_restore_is_closed_as_well_and_stays_so() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let open = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    give(&admin, SECRET).await;
    let data_dir = service.stop().await;
    let settings = settings(data_dir.path(), "127.0.0.1:0");
    let file = data_dir.path().join(format!("backups/{open}.tar.gz"));
    let put_back = tokio::task::spawn_blocking(move || {
        crate::backups::offline_restore::put_back(&settings, &file, None)
    })
    .await;
    let before = put_back.unwrap().unwrap().before.unwrap().unwrap();
    let service = Service::start_on(data_dir).await;
    let depot = depot(&service);
    opens(&depot, &before, SECRET).unwrap();
    opens(&depot, &depot.take_unasked(Reason::Schedule).unwrap(), SECRET).unwrap();
}
