//! Files larger than one batch: memory is bounded, and progress is reported.

use super::kit::{House, PARTIES, focus};
use crate::decide::{Overlap, RowKey, Sketch};
use crate::keys::{self, mix};
use crate::limit::{BATCH_RECORDS, ROWS_PER_PROGRESS, SKIPPED_LISTED};
use crate::{File, MOST_LOWER, Options, Progress, import};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use store::StoreError;
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
        most_lower: MOST_LOWER,
        archive: None,
        mapping: None,
        draft: None,
        dry_run: false,
        is_still_due: None,
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
        forms: None,
        answers: &[],
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
    let progress = Progress { on_progress: &tell, cancelled: &cancelled };
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
    let progress = Progress { on_progress: &tell, cancelled: &cancelled };
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

/// Row keys with distinct identities.
fn row_keys(count: u64) -> impl Iterator<Item = RowKey> {
    (0..count).map(|row| RowKey { identity: mix(row), amounts: 7 })
}

#[test]
fn a_key_takes_at_most_64_bytes_and_a_sketch_is_bounded() {
    let mut sketch = Sketch::default();
    let mut most = 0;
    for (count, key) in (1_usize..).zip(row_keys(200_000)) {
        sketch.add(key);
        most = most.max(sketch.bytes());
        assert!(sketch.bytes() <= 64 * sketch.len().max(4), "{count} rows: {} keys", sketch.len());
    }
    assert!(sketch.len() < 2 * 16_384, "{}", sketch.len());
    assert!(most <= 600_000, "{most} bytes");
    let mut other = Sketch::default();
    row_keys(250_000).skip(200_000).for_each(|key| other.add(key));
    sketch.merge(&other);
    assert!(sketch.bytes() <= 64 * sketch.len(), "{} bytes of {} keys", sketch.bytes(), sketch.len());
}

/// Measures the cost of the decision in proportion to the import: hashing every row, storing its key, and comparing with stored keys.
/// `cargo test -p ingest --release what_deciding_costs -- --ignored --nocapture`
#[test]
#[ignore = "measures: a busy machine would fail it"]
fn what_deciding_costs_beside_the_import() {
    const ROWS: u64 = 200_000;
    let house = House::new();
    let mut text = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,\
                    ServiceName,ProviderName,SubAccountId,ResourceId,SkuId\n"
        .to_owned();
    for row in 0..ROWS {
        let (day, cents, resource) = (row % 28 + 1, row % 100, row % 20_000);
        writeln!(
            text,
            "1.{cents:02},USD,100,2026-05-01,2026-05-{day:02},2026-05-{:02},Usage,Compute,AWS,200,i-{resource},sku-{row}",
            day + 1
        )
        .unwrap();
    }
    let began = Instant::now();
    assert_eq!(house.import(text).rows_written, ROWS);
    let import = began.elapsed();

    let mut cells = Vec::new();
    let read: Result<(), StoreError> = house.store.snapshot(&house.caller, |rows| {
        rows.for_each("spends", &keys::COLUMNS, &[], |row| {
            cells.push(row);
            Ok::<_, StoreError>(())
        })
    });
    read.unwrap();
    let sketch = || {
        let mut sketch = Sketch::default();
        for row in &cells {
            sketch.add(keys::of_row(row));
        }
        sketch
    };
    let older = sketch();
    let began = Instant::now();
    let new = sketch();
    let overlap = Overlap::of(Some(&new), Some(&older));
    let deciding = began.elapsed();
    assert!(overlap.share_of_new() > 0.999);
    let ratio = deciding.as_secs_f64() / import.as_secs_f64();
    let bytes = new.bytes().div_ceil(new.len());
    println!(
        "{ROWS} rows: import {} ms, deciding {} ms, ratio {ratio:.3}, goal 0.1; {bytes} bytes a key of {}, goal 64",
        import.as_millis(),
        deciding.as_millis(),
        new.len()
    );
    assert!(ratio <= 0.1 && bytes <= 64);
}
