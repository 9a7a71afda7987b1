//! Starting the window with a damaged database.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::desktop::{Window, serves, until};
use crate::support::fixture;
use crate::support::programs;

/// Overwrites the beginning of the database.
const DAMAGE: &[u8; 4096] = &[0x5a; 4096];

/// A data directory with a bill and a backup, and a database whose beginning is overwritten.
fn damaged() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let bill = fixture("september.csv").display().to_string();
    programs::run(&data_dir, &["import", &bill]).succeeded();
    programs::run(&data_dir, &["backup"]).succeeded();
    let database = data_dir.join("quarterdeck.db");
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[..DAMAGE.len()].copy_from_slice(DAMAGE);
    std::fs::write(&database, bytes).unwrap();
    (folder, data_dir)
}

/// Number of files below `folder` that begin with the damage.
fn kept_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries
        .map(|entry| entry.path())
        .map(|path| if path.is_dir() { kept_below(&path) } else { usize::from(starts_damaged(&path)) })
        .sum()
}

fn starts_damaged(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|bytes| bytes.starts_with(DAMAGE))
}

#[tokio::test]
async fn a_damaged_database_is_named_and_its_last_sound_backup_is_a_press_away() {
    let (_folder, data_dir) = damaged();
    let window = Window::open_on(&data_dir).await;
    let page = &window.page;
    page.shows("Quarterdeck did not start").await;
    page.shows("quarterdeck.db").await;
    page.shows("The newest backup that was opened and found whole is of").await;
    page.shows("deletes nothing").await;
    assert!(starts_damaged(&data_dir.join("quarterdeck.db")), "something was done before anybody said so");

    page.follow("Put this backup back").await;
    // The window of the service replaces this one, and the driver loses its session.
    until("a service", || serves(&data_dir).is_some()).await;
    assert_eq!(kept_below(&data_dir.join("replaced")), 1, "what was damaged is not kept aside");

    let window = window.reopen().await;
    window.page.shows("$32.88").await;
    window.page.close().await;
}
