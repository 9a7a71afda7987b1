//! Tests of starting and stopping, and of reasons for a failed start.

use super::{Service, settings, start_in};
use crate::data::directory::database_in;
use crate::error::chain;
use crate::settings::Settings;
use crate::start::start;
use catalogue::Caller;
use futures_util::FutureExt;
use std::path::Path;
use store::StoreError;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_new_data_directory_answers() {
    let service = Service::start().await;
    let answer = service.stranger().get("/healthz").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"status":"ok"}"#));
}

#[tokio::test]
async fn what_is_not_there_is_not_a_page() {
    let service = Service::start().await;
    for path in ["/api", "/api/nothing", "/api/graphql/more"] {
        assert_eq!(service.stranger().get(path).await.refusal(), (404, "not_found".to_owned()), "{path}");
    }
    assert_eq!(service.stranger().get("/assets/nothing.js").await.status, 404);
    assert_eq!(service.stranger().delete("/healthz").await.status, 405);
}

/// Pages of other versions rely on this response.
#[tokio::test]
async fn what_it_says_of_itself_names_every_area_of_the_interface() {
    let service = Service::start().await;
    let about = service.stranger().get("/api/about").await.json();
    // Excluded are the areas for windows, for remote instances, and for programs only.
    let areas = [
        "assistant",
        "auth",
        "backups",
        "changes",
        "database",
        "events",
        "graphql",
        "health",
        "imports",
        "model-providers",
        "models",
        "sample",
        "webhooks",
        "workflows",
    ];
    assert_eq!(about["areas"], serde_json::json!(areas));
}

#[cfg(unix)]
#[tokio::test]
async fn in_a_folder_that_others_can_open_what_is_secret_is_closed_to_them() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let service = Service::start_on(folder).await;
    let admin = service.administrator().await;
    assert_eq!(admin.post("/api/backups", "{}").await.status, 201);
    let open: Vec<String> = std::fs::read_dir(service.data_dir.path())
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.metadata().unwrap().permissions().mode() & 0o077 != 0)
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    // The lock file, which contains the address, and models from a public registry, may be readable.
    assert!(open.iter().all(|name| ["server.lock", "models"].contains(&name.as_str())), "{open:?}");
    let folder = service.stop().await;
    std::fs::set_permissions(database_in(folder.path()), std::fs::Permissions::from_mode(0o644)).unwrap();
    let service = Service::start_on(folder).await;
    let mode = database_in(service.data_dir.path()).metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "one that was put there from elsewhere is closed, too");
}

#[tokio::test]
async fn every_answer_carries_the_content_policy() {
    let service = Service::start().await;
    for path in ["/", "/healthz", "/api/nothing", "/api/auth/session"] {
        let answer = service.stranger().get(path).await;
        assert!(answer.header("content-security-policy").starts_with("default-src 'self';"), "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_data_directory_is_refused() {
    let service = Service::start().await;
    let error = start_in(service.data_dir.path()).await.err().unwrap().to_string();
    assert!(error.starts_with("another Quarterdeck server uses the data directory"), "{error}");
    assert!(error.contains(&service.running.url()), "{error}");
}

#[tokio::test]
async fn a_port_in_use_is_named_and_nothing_is_created() {
    let service = Service::start().await;
    let folder = tempfile::tempdir().unwrap();
    let address = service.running.address;
    let error = start(settings(folder.path(), &address.to_string())).await.err().unwrap().to_string();
    assert!(error.starts_with(&format!("port {} is in use", address.port())), "{error}");
    assert!(!folder.path().join("quarterdeck.db").exists());
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let below_a_file = folder.path().join("file").join("data");
    let error = start_in(&below_a_file).await.err().unwrap().to_string();
    assert!(error.contains(&below_a_file.display().to_string()), "{error}");
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let data_dir = Service::start().await.stop().await;
    let path = database_in(data_dir.path());
    assert!(stands_alone(&path), "what is in a log beside it would count, not what is written here");
    let mut bytes = std::fs::read(&path).unwrap();
    // The offset of SQLite's user_version, which holds the version of the schema.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let error = start_in(data_dir.path()).await.err().unwrap().to_string();
    assert!(error.contains("was written by a newer Quarterdeck"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_of_postgresql_of_a_newer_version_is_refused_in_words_by_who_runs_and_who_starts() {
    let Some(url) = testkit::postgres::database() else { return };
    let data_dir = tempfile::tempdir().unwrap();
    let on_postgres = || Settings { database: Some(url.clone()), ..settings(data_dir.path(), "127.0.0.1:0") };
    let running = start(on_postgres()).await.unwrap();
    let service = Service { running, data_dir: tempfile::tempdir().unwrap() };
    let (store, query) = (service.store(), r#"{"query":"{ tenant { id } }"}"#);
    let ada = service.administrator().await;
    assert_eq!(ada.post("/api/graphql", query).await.status, 200);
    // The state after the start of a newer version.
    testkit::postgres::run(
        &url,
        "INSERT INTO \"schema#migrations\" VALUES (99, 'later', '', now(), '99.0.0')",
    );
    let refused = store.transaction::<(), StoreError>(&Caller::system(), |_| Ok(())).unwrap_err();
    assert!(matches!(refused, StoreError::NewerSchema { found: 99, .. }), "{refused}");
    let answer = ada.post("/api/graphql", query).await;
    assert_eq!(answer.refusal(), (503, "newer_schema".to_owned()));
    assert_eq!(answer.header("retry-after"), "30");
    assert!(answer.body.contains("brought to schema 99 by a newer Quarterdeck"), "{}", answer.body);
    let ready = service.stranger().get("/readyz").await;
    assert_eq!((ready.status, ready.header("retry-after")), (503, "5"));
    assert!(ready.body.contains("by a newer Quarterdeck"), "{}", ready.body);
    drop(store);
    service.stop().await;
    let again = start(on_postgres()).await.err().unwrap();
    assert!(chain(&again).contains("was written by a newer Quarterdeck (schema 99"), "{}", chain(&again));
}

/// Whether the database consists of its main file only: SQLite deletes the log when the last connection closes.
fn stands_alone(database: &Path) -> bool {
    ["db-wal", "db-shm"].iter().all(|beside| !database.with_extension(beside).exists())
}

#[tokio::test]
async fn a_service_that_was_stopped_holds_nothing_whoever_still_asks_it() {
    let service = Service::start().await;
    let (page, address) = (service.signed_in_page().await, service.running.address);
    assert_eq!(page.get("/api/auth/session").await.status, 200);
    // A client that sends nothing, and one that sends an incomplete body.
    let silent = TcpStream::connect(address).await.unwrap();
    let mut slow = TcpStream::connect(address).await.unwrap();
    let head = format!("POST /api/auth/token HTTP/1.1\r\nHost: {address}\r\nContent-Length: 99\r\n\r\n{{");
    slow.write_all(head.as_bytes()).await.unwrap();
    let closed = service.store().closed();
    let data_dir = service.stop().await;
    assert!(closed.now_or_never().is_some(), "no connection of this process is open");
    assert!(stands_alone(&database_in(data_dir.path())));
    drop((silent, slow));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quarterdeck.db");
    std::fs::write(&path, "Dear Ada, the cranes need oil. ".repeat(100)).unwrap();
    let error = chain(&start_in(folder.path()).await.err().unwrap());
    assert!(error.contains("is not a Quarterdeck database"), "{error}");
}

#[tokio::test]
async fn a_service_that_was_stopped_starts_again_with_its_data() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let cookie_value = page.get("/api/auth/session").await.json();
    let tenant = service.tenant();
    let again = Service::start_on(service.stop().await).await;
    assert_eq!(again.tenant(), tenant);
    assert_eq!(cookie_value["tenant"]["id"], tenant.id.to_string());
}
