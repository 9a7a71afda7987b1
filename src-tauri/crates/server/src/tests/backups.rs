//! Tests of backups over HTTP: taking, listing and restoring them; the schedule; and the error of a damaged database at start.

use super::client::{Answer, Client};
use super::{Service, StartError, start_in};
use crate::backups::{BackupService, Plan};
use crate::error::chain;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Backups;
use backup::{BackupFacts, Every, Folder, Reason, Schedule};
use catalogue::{Caller, Role, ValueRef};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use store::{StoreError, eq};

/// 2126-10-27T06:38:00Z. It is in the future because the thread of the service under test uses the clock of this machine and takes backups due by
/// then.
pub const NOW: i64 = 4_948_756_680_000_000;
const HOUR: i64 = 3_600_000_000;

pub async fn taken(admin: &Client, body: &str) -> Value {
    let answer = admin.post("/api/backups", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

fn depot(service: &Service) -> BackupService {
    let settings = Backups { folder: service.data_dir.path().join("backups"), passphrase_file: None };
    depot_with(service, &settings)
}

fn depot_with(service: &Service, settings: &Backups) -> BackupService {
    let keys = SecretKey::of(service.data_dir.path(), false);
    BackupService::new(service.store(), service.data_dir.path(), settings, Arc::new(keys))
}

/// Saves a daily schedule that was set two days before `now`.
pub fn due_since_the_day_before(depot: &BackupService, now: i64) {
    let schedule = Schedule { every: Every::Day, at: 0, keep_days: 30, keep_copies: 3 };
    depot.save(&Plan { schedule, saved_at: Some(now - 48 * HOUR), saved_by: None }).unwrap();
}

#[tokio::test]
async fn backups_belong_to_the_administrators_of_the_service() {
    let service = Service::start().await;
    let reader = service.program("rita@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    for (method, path) in [
        ("GET", "/api/backups"),
        ("POST", "/api/backups"),
        ("PUT", "/api/backups/schedule"),
        ("PUT", "/api/backups/passphrase"),
        ("DELETE", "/api/backups/passphrase"),
        ("POST", "/api/backups/upload"),
        ("GET", "/api/backups/quarterdeck-x"),
        ("DELETE", "/api/backups/quarterdeck-x"),
        ("POST", "/api/backups/quarterdeck-x/preview"),
        ("POST", "/api/backups/quarterdeck-x/restore"),
        ("POST", "/api/database/preview-move"),
    ] {
        assert_eq!(service.stranger().send(method, path, b"{}").await.status, 401, "{method} {path}");
        assert_eq!(
            reader.send(method, path, b"{}").await.refusal(),
            (403, "forbidden".to_owned()),
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn one_that_is_put_back_brings_the_old_state_and_keeps_the_new_one() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let kept = taken(&admin, "{}").await;
    assert_eq!((&kept["check"]["state"], &kept["reason"]), (&json!("verified"), &json!("by_hand")), "{kept}");
    let name = kept["name"].as_str().unwrap().to_owned();
    service.program("later@example.com", Role::TenantAdmin, &service.tenant()).await;

    let preview = admin.post(&format!("/api/backups/{name}/preview"), "{}").await.json();
    let users = preview["rows"].as_array().unwrap().iter().find(|row| row["table"] == "users").unwrap();
    assert_eq!((&users["now"], &users["then"]), (&json!(3), &json!(2)), "{preview}");

    let path = format!("/api/backups/{name}/restore");
    let answer = admin.post(&path, r#"{"confirm": "something"}"#).await;
    assert_eq!(answer.refusal(), (400, "bad_request".to_owned()), "{answer:?}");
    let wish = json!({ "confirm": preview["confirm"] }).to_string();
    let answer = admin.post(&path, &wish).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    service.running.asked_to_restart().await;

    let service = Service::start_on(service.stop().await).await;
    let admin = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let emails = admin.post("/api/graphql", r#"{"query": "{ users { username } }"}"#).await.body;
    assert!(emails.contains("ada@example.com") && !emails.contains("later@example.com"), "{emails}");
    let listed = admin.get("/api/backups").await.json();
    let reasons: Vec<&Value> =
        listed["backups"].as_array().unwrap().iter().map(|kept| &kept["reason"]).collect();
    assert_eq!(reasons, ["before_restore", "by_hand"], "{listed}");
}

#[tokio::test]
async fn a_backup_that_is_put_back_lets_nobody_in_who_was_let_in_before() {
    let service = Service::start().await;
    let (kept, revoked) = (service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant()), {
        let (store, rng) = (service.store(), &mut rand::rng());
        auth::api_token::create(&store, &service.tenant(), "ada@example.com", "revoked", NOW, rng)
            .unwrap()
            .secret
    });
    let signed_in = async |service: &Service, secret: &str| {
        let pair = json!({ "email": "ada@example.com", "secret": secret }).to_string();
        service.stranger().post("/api/auth/token", &pair).await
    };
    let bearer = |answer: &Answer| format!("Bearer {}", answer.json()["token"].as_str().unwrap());
    let before = bearer(&signed_in(&service, &revoked).await);
    let cookie = service.follow(&service.running.sign_in_link()).await.cookie();
    let past = [("Cookie", cookie.as_str()), ("Authorization", before.as_str())];
    let asked = async |service: &Service, (name, value): (&str, &str)| {
        service.page().with(name, value).get("/api/backups").await.status
    };
    for proof in past {
        assert_eq!(asked(&service, proof).await, 200, "{}", proof.0);
    }
    let admin = service.stranger().with("Authorization", &before);
    let name = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    let gone = [eq("name", "revoked")];
    service
        .store()
        .transaction::<_, StoreError>(&Caller::system(), |rows| rows.delete("user_auths", &gone))
        .unwrap();
    let wish = json!({ "confirm": admin.get("/api/backups").await.json()["confirm"] }).to_string();
    let answer = admin.post(&format!("/api/backups/{name}/restore"), &wish).await;
    assert_eq!((answer.status, &answer.json()["knows_revoked"]), (202, &json!(true)), "{answer:?}");
    service.running.asked_to_restart().await;

    let service = Service::start_on(service.stop().await).await;
    for proof in past {
        assert_eq!(asked(&service, proof).await, 401, "{}", proof.0);
    }
    assert_eq!(signed_in(&service, &revoked).await.status, 401);
    let again = bearer(&signed_in(&service, &kept).await);
    assert_eq!(asked(&service, ("Authorization", &again)).await, 200);
}

#[tokio::test]
async fn what_a_restore_put_aside_is_listed_and_removed_by_an_administrator() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let kept = taken(&admin, "{}").await;
    let name = kept["name"].as_str().unwrap();
    let confirm = admin.get("/api/backups").await.json()["confirm"].clone();
    let wish = json!({ "confirm": confirm }).to_string();
    assert_eq!(admin.post(&format!("/api/backups/{name}/restore"), &wish).await.status, 202);
    service.running.asked_to_restart().await;

    let service = Service::start_on(service.stop().await).await;
    let admin = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let listed = admin.get("/api/backups").await.json();
    let (aside, before) = (&listed["aside"][0], &listed["backups"][0]);
    assert_eq!(before["reason"], "before_restore");
    assert_eq!((&aside["name"], &aside["backup"]), (&json!("1"), &before["name"]), "{listed}");
    assert!(aside["bytes"].as_u64().unwrap() > 4096, "{listed}");
    for unknown in ["2", "..", "1%2Fold"] {
        let refusal = admin.delete(&format!("/api/backups/aside/{unknown}")).await.refusal();
        assert_eq!(refusal.0, 404, "{unknown}");
    }
    let reader = service.program("rita@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.delete("/api/backups/aside/1").await.status, 403);
    assert_eq!(admin.delete("/api/backups/aside/1").await.status, 204);
    assert_eq!(admin.get("/api/backups").await.json()["aside"], json!([]));
}

#[tokio::test]
async fn a_closed_one_is_neither_shown_nor_put_back_without_its_passphrase() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let answer = admin.post("/api/backups", r#"{"passphrase": "short"}"#).await;
    assert_eq!(answer.refusal(), (400, "short_passphrase".to_owned()));
    let kept = taken(&admin, r#"{"passphrase": "correct horse battery"}"#).await;
    assert_eq!(kept["closed"], true);
    let path = format!("/api/backups/{}/preview", kept["name"].as_str().unwrap());
    assert_eq!(admin.post(&path, "{}").await.refusal(), (422, "needs_passphrase".to_owned()));
    assert_eq!(
        admin.post(&path, r#"{"passphrase": "another one"}"#).await.refusal(),
        (422, "wrong_passphrase".to_owned())
    );
    assert_eq!(admin.post(&path, r#"{"passphrase": "correct horse battery"}"#).await.status, 200);
}

#[tokio::test]
async fn what_is_brought_must_be_a_backup() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let answer = admin.post("/api/backups/upload", "a,b\n1,2\n").await;
    assert_eq!(answer.refusal(), (422, "not_a_backup".to_owned()), "{answer:?}");
    let kept = taken(&admin, "{}").await;
    let folder = service.data_dir.path().join("backups");
    let bytes = std::fs::read(folder.join(format!("{}.tar.gz", kept["name"].as_str().unwrap()))).unwrap();
    let answer = admin.send("POST", "/api/backups/upload", &bytes).await;
    assert_eq!((answer.status, &answer.json()["reason"]), (201, &json!("uploaded")), "{answer:?}");
    let left: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .collect();
    assert!(!left.iter().any(|name| name.ends_with(".uploading")), "{left:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let brought = folder.join(format!("{}.tar.gz", answer.json()["name"].as_str().unwrap()));
        assert_eq!(brought.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_unknown() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    for name in ["..%2f..%2fquarterdeck", "%2fetc%2fpasswd", "quarterdeck-nothing", "taking.lock"] {
        assert_eq!(admin.get(&format!("/api/backups/{name}")).await.refusal().0, 404, "{name}");
        assert_eq!(admin.delete(&format!("/api/backups/{name}")).await.refusal().0, 404, "{name}");
    }
}

#[tokio::test]
async fn the_schedule_is_saved_with_who_saved_it_and_refused_when_it_keeps_nothing() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let wrong = r#"{"every": "day", "at": 120, "keep_days": 0, "keep_copies": 3}"#;
    assert_eq!(
        admin.send("PUT", "/api/backups/schedule", wrong.as_bytes()).await.refusal(),
        (400, "bad_request".to_owned())
    );
    let right = r#"{"every": "day", "at": 120, "keep_days": 30, "keep_copies": 3}"#;
    let saved = admin.send("PUT", "/api/backups/schedule", right.as_bytes()).await.json();
    assert_eq!(saved["saved_by"], "ada@example.com", "{saved}");
    assert!(saved["next_at"].as_str().unwrap().contains("T02:00:00"), "{saved}");
}

#[tokio::test]
async fn one_is_taken_when_it_is_due_and_not_before() {
    let service = Service::start().await;
    let depot = depot(&service);
    let taken =
        || depot.folder.list().unwrap().iter().filter(|kept| kept.facts.reason == Reason::Schedule).count();
    assert_eq!(depot.round(NOW).unwrap(), None);
    let schedule = Schedule { every: Every::Day, at: 120, keep_days: 30, keep_copies: 3 };
    depot.save(&Plan { schedule, saved_at: Some(NOW), saved_by: None }).unwrap();
    // 02:00 on the next day.
    let due = NOW + 19 * HOUR + 22 * 60_000_000;
    assert_eq!((depot.round(NOW).unwrap(), taken()), (Some(due), 0));
    assert_eq!((depot.round(due - 1).unwrap(), taken()), (Some(due), 0));
    depot.round(due).unwrap();
    assert_eq!(taken(), 1);
}

#[tokio::test]
async fn a_damaged_database_names_the_newest_sound_backup_and_stays_as_it_is() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let name = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    let data_dir = service.stop().await;
    let path = data_dir.path().join("quarterdeck.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..100].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let error = chain(&start_in(data_dir.path()).await.err().unwrap());
    assert!(error.contains(&format!("quarterdeck-server restore {name}")), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[tokio::test]
async fn a_damaged_database_is_put_right_by_the_way_out_and_kept_aside_as_it_is() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    taken(&admin, "{}").await;
    let data_dir = service.stop().await;
    let path = data_dir.path().join("quarterdeck.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..100].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let Err(StartError::Damaged { way_out, .. }) = start_in(data_dir.path()).await else {
        panic!("the database is damaged");
    };
    assert!(!way_out.closed && way_out.taken.ends_with(" UTC"), "{way_out:?}");
    let settings = super::settings(data_dir.path(), "127.0.0.1:0");
    let put_back = tokio::task::spawn_blocking(move || crate::recover(&settings, &way_out)).await;
    let put_back = put_back.unwrap().unwrap();
    assert!(put_back.before.unwrap().is_err(), "what cannot be opened cannot be backed up");
    let aside = put_back.aside.unwrap();
    assert_eq!(std::fs::read(aside.join("quarterdeck.db")).unwrap(), bytes);

    let service = Service::start_on(data_dir).await;
    let grace = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let users = grace.post("/api/graphql", r#"{"query": "{ users { username } }"}"#).await.body;
    assert!(users.contains("ada@example.com"), "{users}");
    let listed = grace.get("/api/backups").await.json();
    assert!(listed["aside"][0]["backup"].is_null(), "the only copy of what was there: {listed}");
}

/// Overwrites every page of the database, except the first, that contains one of these marks.
fn damage_pages_with(marks: [&[u8]; 2], database: &Path) {
    let mut bytes = std::fs::read(database).unwrap();
    let holds = |page: &[u8], mark: &[u8]| page.windows(mark.len()).any(|found| found == mark);
    for page in bytes.chunks_mut(8192).skip(1) {
        if marks.iter().any(|mark| holds(page, mark)) {
            page.fill(0xa5);
        }
    }
    std::fs::write(database, bytes).unwrap();
}

#[tokio::test]
async fn a_service_over_a_damaged_database_puts_a_backup_back_and_says_that_it_could_not_take_one() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let name = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    service
        .store()
        .transaction::<_, StoreError>(&Caller::system(), |rows| {
            (0..500).try_for_each(|number| {
                let key = format!("a page that breaks {number}");
                let row = [("id_hash", key.as_str().into()), ("expires_at", ValueRef::Timestamp(NOW))];
                rows.insert("saml_used_assertion", &row)
            })
        })
        .unwrap();
    let data_dir = service.stop().await;
    // The rows and both their indices.
    let marks = [b"a page that breaks".as_slice(), &NOW.to_be_bytes()];
    damage_pages_with(marks, &data_dir.path().join("quarterdeck.db"));

    let service = Service::start_on(data_dir).await;
    let admin = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    let preview = admin.post(&format!("/api/backups/{name}/preview"), "{}").await.json();
    assert!(preview["rows"].is_null() && preview["damage"].is_string(), "{preview}");
    let wish = json!({ "confirm": preview["confirm"] }).to_string();
    let answer = admin.post(&format!("/api/backups/{name}/restore"), &wish).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    assert!(answer.json()["before"].is_null() && answer.json()["not_backed_up"].is_string(), "{answer:?}");
    service.running.asked_to_restart().await;

    let service = Service::start_on(service.stop().await).await;
    let admin = service.program("grace@example.com", Role::TenantAdmin, &service.tenant()).await;
    assert_eq!(admin.post(&format!("/api/backups/{name}/preview"), "{}").await.json()["damage"], Value::Null);
    let listed = admin.get("/api/backups").await.json();
    let failed = &listed["backups"][0];
    assert_eq!((&failed["reason"], &failed["check"]["state"]), (&json!("before_restore"), &json!("failed")));
    assert!(listed["aside"][0]["backup"].is_null(), "the only copy of what was there: {listed}");
}

#[tokio::test]
async fn a_way_out_that_turns_out_damaged_is_followed_by_the_next_that_needs_no_passphrase() {
    let service = Service::start().await;
    let admin = service.administrator().await;
    let older = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    let newest = taken(&admin, "{}").await["name"].as_str().unwrap().to_owned();
    taken(&admin, r#"{"passphrase": "correct horse battery"}"#).await;
    let data_dir = service.stop().await;
    let archive = data_dir.path().join(format!("backups/{newest}.tar.gz"));
    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() - 100]).unwrap();
    std::fs::write(data_dir.path().join("quarterdeck.db"), [0x5a; 4096]).unwrap();

    let settings = super::settings(data_dir.path(), "127.0.0.1:0");
    let way_out = crate::RecoveryOption::newest(&settings).unwrap();
    assert_eq!(way_out.backup, newest);
    let again = settings.clone();
    let put_back = tokio::task::spawn_blocking(move || crate::recover(&again, &way_out)).await.unwrap();
    assert!(put_back.unwrap_err().contains("is damaged"));
    assert_eq!(crate::RecoveryOption::newest(&settings).unwrap().backup, older);
}

#[tokio::test]
async fn a_schedule_closes_its_backups_with_the_passphrase_of_its_file() {
    let service = Service::start().await;
    let file = service.data_dir.path().join("key");
    let settings =
        Backups { folder: service.data_dir.path().join("backups"), passphrase_file: Some(file.clone()) };
    let depot = depot_with(&service, &settings);
    let error = depot.take_unasked(Reason::Schedule).unwrap_err().to_string();
    assert!(error.contains("backup_passphrase_file"), "{error}");
    std::fs::write(&file, "correct horse battery\nsecond line").unwrap();
    assert!(depot.take_unasked(Reason::Schedule).unwrap().closed);
}

/// A failed backup counts for its hour: the next attempt is in the next hour, and the failure is listed.
#[tokio::test]
async fn a_failed_one_is_not_tried_again_and_again() {
    let service = Service::start().await;
    let depot = depot(&service);
    due_since_the_day_before(&depot, NOW);
    note_failure(depot.folder.path(), NOW);
    depot.round(NOW + HOUR).unwrap();
    assert_eq!(depot.folder.list().unwrap().len(), 1);
}

#[tokio::test]
async fn a_folder_on_a_disk_that_is_not_there_stops_nothing_and_is_told() {
    let data_dir = tempfile::tempdir().unwrap();
    let disk = tempfile::tempdir().unwrap();
    let folder = disk.path().join("backups");
    let toml = format!("backup_dir = {:?}", folder.display().to_string());
    std::fs::write(data_dir.path().join("quarterdeck.toml"), toml).unwrap();
    let service = Service::start_on(data_dir).await;
    let admin = service.administrator().await;
    assert_eq!(admin.post("/api/backups", "{}").await.refusal(), (503, "no_folder".to_owned()));
    assert_eq!(admin.post("/api/backups/upload", "x").await.refusal(), (503, "no_folder".to_owned()));
    let listed = admin.get("/api/backups").await.json();
    let report = admin.get("/api/health/report").await.json();
    for troubles in [&listed["troubles"], &report["backup_troubles"]] {
        let told = troubles[0].as_str().unwrap();
        assert!(told.contains("connect the disk") && told.contains(folder.to_str().unwrap()), "{told}");
    }
    assert!(!folder.exists());
    std::fs::create_dir(&folder).unwrap();
    taken(&admin, "{}").await;
    assert_eq!(admin.get("/api/backups").await.json()["troubles"], json!([]));
}

#[tokio::test]
async fn one_by_schedule_that_left_nothing_in_the_folder_is_told_until_one_is_taken() {
    let service = Service::start().await;
    let file = service.data_dir.path().join("key");
    let settings =
        Backups { folder: service.data_dir.path().join("backups"), passphrase_file: Some(file.clone()) };
    let depot = depot_with(&service, &settings);
    due_since_the_day_before(&depot, NOW);
    assert_eq!(depot.troubles().unwrap(), Vec::<String>::new());
    depot.round(NOW).unwrap_err();
    let told = depot.troubles().unwrap();
    assert!(told[0].contains("by schedule was not taken, 2126-10-27, 06:38 UTC: "), "{told:?}");
    assert!(told[0].contains("backup_passphrase_file"), "{told:?}");
    std::fs::write(&file, "correct horse battery").unwrap();
    depot.round(NOW + HOUR).unwrap();
    assert_eq!(depot.troubles().unwrap(), Vec::<String>::new());
}

fn note_failure(folder: &Path, at: i64) {
    let check = backup::Check::Failed { why: "the disk was full".to_owned() };
    let folder = Folder::open(folder.to_owned()).unwrap();
    folder.write_facts(&Folder::name(at), &BackupFacts::new(at, Reason::Schedule, check)).unwrap();
}
