//! Tests of restoring a SQLite backup into PostgreSQL.

use super::backups::taken;
use super::sample::{loaded, page};
use super::{Service, settings};
use crate::backups::postgres_restore::{PostgresRestoreError, put_into_postgres};
use crate::data::catalogue_source;
use crate::data::directory::{DATABASE, database_in};
use std::sync::Arc;
use store::Store;
use store::moving::compare;

/// Tables that a restore changes.
const SETTLED: [&str; 3] = ["security_event", "session", "setting"];

#[tokio::test]
async fn every_row_of_every_table_arrives_in_postgresql() {
    let Some(url) = testkit::postgres::database() else { return };
    let service = Service::start().await;
    let page = page(&service).await;
    assert_eq!(page.post("/api/sample", "").await.status, 202);
    loaded(&page).await;
    let taken = taken(&page, "{}").await;
    let source = service.stop().await;
    let file = source.path().join(format!("backups/{}.tar.gz", taken["name"].as_str().unwrap()));
    let target = tempfile::tempdir().unwrap();
    let settings = settings(target.path(), "127.0.0.1:0");
    let put = |is_replacing| put_into_postgres(&settings, &url, &file, None, is_replacing, &mut |_| ());
    let restored = put(false).unwrap();
    assert!(restored.before.is_none() && restored.left.is_empty() && !restored.knows_revoked, "{restored:?}");
    assert!(!target.path().join(DATABASE).exists());

    let catalogue = catalogue_source::load(None).unwrap();
    let original = Store::open(&database_in(source.path()), Arc::clone(&catalogue)).unwrap();
    let differing = || {
        let arrived = Store::open_postgres(&url, Arc::clone(&catalogue)).unwrap();
        let compared = compare(&original, &arrived).unwrap();
        assert!(compared.len() > 40, "the sample has rows in many tables, not in {}", compared.len());
        let others = compared.into_iter().filter(|table| !table.is_equal());
        let others: Vec<String> = others.map(|table| table.table).collect();
        assert!(others.iter().all(|table| SETTLED.contains(&table.as_str())), "{others:?}");
    };
    differing();
    let refused = put(false).unwrap_err();
    assert!(matches!(refused, PostgresRestoreError::HoldsRows { .. }), "{refused}");
    testkit::postgres::run(&url, "DELETE FROM spends");
    let replaced = put(true).unwrap();
    assert!(replaced.before.is_some_and(|kept| kept.is_verified()) && replaced.knows_revoked);
    differing();
}

#[tokio::test]
async fn the_page_says_what_moving_to_postgresql_would_find() {
    let Some(url) = testkit::postgres::database() else { return };
    let service = Service::start().await;
    let admin = service.administrator().await;
    let look = async |address: &str| {
        let body = serde_json::json!({ "address": address }).to_string();
        admin.post("/api/database/preview-move", &body).await
    };
    let found = look(&url).await.json();
    assert_eq!((&found["target"], &found["problems"]), (&"empty".into(), &serde_json::json!([])), "{found}");
    let tables = found["tables"].as_array().unwrap();
    let users = tables.iter().find(|table| table["table"] == "users").unwrap();
    assert!(users["rows"].as_u64() >= Some(1), "{found}");
    let refused = look("postgres://ada:s3cret@127.0.0.1:1/none").await;
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("postgres://ada@127.0.0.1:1/none cannot be reached: "), "{refused:?}");
    assert!(!refused.body.contains("next request"), "it is no request of the service's own: {refused:?}");
    assert!(!refused.body.contains("s3cret"), "{refused:?}");
    assert_eq!(admin.post("/api/database/preview-move", r#"{"adress": "s3cret"}"#).await.status, 400);
}
