//! Files larger than one batch, read in bounded memory and told about as they come.

use super::kit::{House, PARTIES, focus};
use crate::limit::{BATCH_RECORDS, ROWS_PER_PROGRESS, SKIPPED_LISTED};
use crate::{File, MOST_LOWER, Options, Progress, import};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use uuid::Uuid;

fn rows(count: u64) -> String {
    let charges: Vec<(String, String)> = (0..count)
        .map(|row| {
            (format!("0.{:09} USD 2026-05-{:02}", row, row % 28 + 1), format!("AWS,100,{},Shop", row % 7))
        })
        .collect();
    let charges: Vec<(&str, &str)> =
        charges.iter().map(|(charge, more)| (charge.as_str(), more.as_str())).collect();
    focus(PARTIES, &charges)
}

#[test]
fn rows_of_many_batches_all_arrive_in_order() {
    let house = House::new();
    let count = BATCH_RECORDS as u64 * 3 + 17;
    let report = house.import(rows(count));
    assert_eq!(report.rows_written, count);
    let expected = count * (count - 1) / 2;
    assert_eq!(house.sum("amount", "USD"), format!("0.{expected:09}").trim_end_matches('0'));
    let lines = house.rows("spends", &["id", "source_line"], &[]);
    let numbers: Vec<u64> =
        lines.iter().map(|row| row.rsplit(' ').next().unwrap().parse().unwrap()).collect();
    assert!(numbers.is_sorted(), "ids ascend with the lines");
}

fn options() -> Options<'static> {
    Options {
        forms: crate::FormAnswers::default(),
        owner: Uuid::from_u128(0xB),
        delivery: Uuid::from_u128(2),
        choice: None,
        decided_by: None,
        most_lower: MOST_LOWER,
        archive: None,
        mapping: None,
        dry_run: false,
        clock: || 0,
    }
}

fn file<'a>(path: &'a Path, progress: Progress<'a>) -> File<'a> {
    File {
        import_id: Uuid::from_u128(1),
        name: "bill.csv",
        location: "bill.csv",
        path,
        original: None,
        progress,
    }
}

#[test]
fn progress_is_told_now_and_then_and_at_the_end() {
    let house = House::new();
    let count = ROWS_PER_PROGRESS * 2 + 1_000;
    let path = house.file("bill.csv", rows(count).as_bytes());
    let told = Mutex::new(Vec::new());
    let tell = |bytes, rows| told.lock().unwrap().push((bytes, rows));
    let cancelled = AtomicBool::new(false);
    let progress = Progress { tell: &tell, cancelled: &cancelled };
    import(&house.store, &house.caller, &[file(&path, progress)], options()).unwrap();
    let told = told.into_inner().unwrap();
    assert!((3..=5).contains(&told.len()), "{told:?}");
    assert!(told.is_sorted());
    assert_eq!(*told.last().unwrap(), (std::fs::metadata(&path).unwrap().len(), count));
}

#[test]
fn an_import_ends_soon_after_it_is_cancelled() {
    let house = House::new();
    let path = house.file("bill.csv", rows(ROWS_PER_PROGRESS * 3).as_bytes());
    let cancelled = AtomicBool::new(false);
    let tell = |_, _| cancelled.store(true, Ordering::Relaxed);
    let progress = Progress { tell: &tell, cancelled: &cancelled };
    let outcome = import(&house.store, &house.caller, &[file(&path, progress)], options());
    assert!(outcome.is_err());
    assert_eq!((house.count("spends"), house.count("cloud_accounts")), (0, 0));
}

#[test]
fn a_report_lists_the_first_skipped_rows_and_counts_them_all() {
    let house = House::new();
    let bad = rows(3_000).replace("0.", "x.");
    let report = house.import(bad);
    assert_eq!((report.rows_skipped, report.skipped.len()), (3_000, SKIPPED_LISTED));
    assert_eq!((report.reasons[0].count, report.reasons[0].last_line), (3_000, 3_001));
}
