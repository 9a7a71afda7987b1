//! Tests of a service whose database is damaged, or cannot be opened for other reasons.

use super::{Service, settings};
use crate::data::open::OpenDataError;
use crate::start::StartError;
use crate::start::damage::with_recovery_option;
use std::path::Path;
use store::{OpenError, StoreError};

/// A data directory with an intact backup, not in use.
async fn backed_up() -> tempfile::TempDir {
    let service = Service::start().await;
    let admin = service.administrator().await;
    assert_eq!(admin.post("/api/backups", "{}").await.status, 201);
    service.stop().await
}

async fn refused(data_dir: &Path) -> StartError {
    crate::start::start(settings(data_dir, "127.0.0.1:0")).await.err().expect("the database is damaged")
}

#[tokio::test]
async fn damage_anywhere_that_keeps_a_service_from_starting_has_a_way_out() {
    let data_dir = backed_up().await;
    let path = data_dir.path().join("quarterdeck.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The row of the first administrator, and its index entries.
    let name = auth::tenancy::LOCAL_ADMINISTRATOR.as_bytes();
    for page in bytes.chunks_mut(4096).skip(1) {
        if page.windows(name.len()).any(|window| window == name) {
            page.fill(0x5a);
        }
    }
    std::fs::write(&path, &bytes).unwrap();
    let error = refused(data_dir.path()).await;
    assert!(matches!(error, StartError::Damaged { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[tokio::test]
async fn a_database_of_which_only_the_log_is_left_is_not_begun_anew() {
    let data_dir = backed_up().await;
    let path = data_dir.path().join("quarterdeck.db");
    let log = data_dir.path().join("quarterdeck.db-wal");
    std::fs::write(&log, "what was written last").unwrap();
    for is_there in [true, false] {
        if is_there {
            std::fs::write(&path, "").unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        let error = refused(data_dir.path()).await;
        assert!(error.to_string().contains("empty or gone"), "{error}");
        assert!(matches!(error, StartError::Damaged { .. }), "{error}");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "what was written last");
    }
}

#[tokio::test]
async fn a_sound_database_that_cannot_be_opened_now_is_not_called_damaged() {
    let data_dir = backed_up().await;
    let settings = settings(data_dir.path(), "127.0.0.1:0");
    let path = data_dir.path().join("quarterdeck.db");
    for cause in [StoreError::Busy { seconds: 10 }, StoreError::ReadOnly, StoreError::DiskFull] {
        let said = cause.to_string();
        let error = OpenError::Cannot { path: path.clone(), cause };
        let error = with_recovery_option(OpenDataError::from(error).into(), &settings);
        assert!(matches!(error, StartError::OpenData(_)), "{said}: {error}");
    }
}
