//! Files that cannot be imported: the report is clear, nothing is written and nothing is lost.

use super::kit::{House, PARTIES, focus, gzip};
use crate::{Failure, ImportError, State};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Imports a file next to stored rows that must remain.
fn refused(house: &House, path: &Path) -> Failure {
    house.import(focus(PARTIES, &[("1 USD 2026-05-02", "AWS,100,200,Shop")]));
    let report = house.import_file(path);
    assert_eq!((report.state, report.rows_written), (State::Failed, 0));
    assert_eq!(house.sum("amount", "USD"), "1");
    assert_eq!(house.rows("imports", &["state"], &[]), ["done", "failed"]);
    report.error.unwrap()
}

fn found(bytes: &[u8]) -> String {
    let house = House::new();
    let failure = refused(&house, &house.file("bill.csv", bytes));
    assert!(!failure.looked_for.is_empty());
    failure.found
}

#[test]
fn what_is_no_known_format_is_said() {
    assert_eq!(found(b""), "an empty file");
    assert_eq!(found(b"{\"blobs\": []}"), "a JSON document that starts with “{\"blobs\": []}”");
    assert_eq!(found(b"name,size\n1,2\n"), "a CSV with the columns name, size");
    assert_eq!(found(&gzip(b"\x00\x01\x02")), "binary data");
    assert_eq!(found(&gzip(b"")), "an empty file");
    assert_eq!(found(b"\x1f\x8b"), "gzip data that ends too early");
}

#[test]
fn a_folder_is_said_to_be_one() {
    let house = House::new();
    let folder = house.folder.path().join("bills");
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(refused(&house, &folder).found, "a directory");
}

#[test]
fn a_file_that_is_not_there_is_an_error_with_its_name() {
    let house = House::new();
    let path = house.folder.path().join("gone.csv");
    let error = house.try_import(&path, false, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, ImportError::Read { .. }) && error.to_string().contains("gone.csv"), "{error}");
}

#[test]
fn a_missing_column_is_named_and_nothing_is_written() {
    let house = House::new();
    let text = focus("ProviderName", &[("1 USD 2026-05-02", "AWS")]);
    let failure = refused(&house, &house.file("bill.csv", text.as_bytes()));
    assert!(failure.message.contains("lacks BillingAccountId"), "{}", failure.message);
}

#[test]
fn gzip_cut_short_or_damaged_writes_nothing_of_the_file() {
    let many: Vec<(String, &str)> =
        (0..20_000).map(|row| (format!("{row}.{row} USD 2026-05-02"), "AWS,100,200,Shop")).collect();
    let rows: Vec<(&str, &str)> = many.iter().map(|(charge, more)| (charge.as_str(), *more)).collect();
    let whole = gzip(focus(PARTIES, &rows).as_bytes());
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 200].fill(0x55);
    for (bytes, how) in [(&whole[..whole.len() - 9], "ends too early"), (&damaged, "is damaged")] {
        let house = House::new();
        let failure = refused(&house, &house.file("bill.csv.gz", bytes));
        assert_eq!(failure.found, format!("gzip data that {how}"));
    }
}

#[test]
fn a_row_without_end_is_refused_by_its_line() {
    let house = House::new();
    let text = focus(PARTIES, &[("1 USD 2026-05-02", "AWS,100,200,\"Shop")]) + &"x".repeat(6 << 20);
    let failure = refused(&house, &house.file("bill.csv", text.as_bytes()));
    assert!(failure.message.contains("near line 2 is longer than 4 MiB"), "{}", failure.message);
}

#[test]
fn a_first_line_without_end_is_refused() {
    assert_eq!(found(&vec![b'a'; 1 << 20]), "text whose first line is longer than 256 KiB");
}

#[test]
fn a_table_that_ends_inside_a_row_says_so() {
    let text =
        focus(PARTIES, &[("1 USD 2026-05-02", "AWS,100,200,Shop"), ("2 USD 2026-05-03", "AWS,100,200,Shop")]);
    let cut = text.trim_end().strip_suffix(",200,Shop").unwrap();
    let house = House::new();
    let told = house.import(cut);
    assert_eq!((told.state, house.sum("amount", "USD").as_str()), (State::DoneWithSkips, "1"));
    assert_eq!(told.skipped[0].reason, "the file ends inside this row, it may be cut off");
    let note = "The file ends inside the row in line 3, it may be cut off; download it again.";
    assert!(told.notes.iter().any(|found| found == note), "{:?}", told.notes);
    // With a final line break it is a short row, and a complete row needs no line break.
    let told = House::new().import(format!("{cut}\n"));
    assert_eq!(told.skipped[0].reason, "fewer cells than the header");
    assert_eq!(House::new().import(text.trim_end()).state, State::Done);
}

#[test]
fn a_bill_that_ends_inside_a_row_takes_no_half_of_a_number() {
    let header = "bill/PayerAccountId,bill/BillingPeriodStartDate,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,\
                  lineItem/UsageEndDate,lineItem/ProductCode,lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/LineItemDescription";
    let row = "1,2026-05-01T00:00:00Z,1,Usage,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z,AmazonEC2,USD";
    let cut = format!("{header}\n{row},1.25,a\n{row},12");
    let house = House::new();
    let told = house.import(&cut);
    assert_eq!(
        (told.state, house.sum("amount", "USD").as_str()),
        (State::DoneWithSkips, "1.25"),
        "{told:#?}"
    );
    // Spreadsheets omit empty cells at the end of every row, including the last.
    let house = House::new();
    let told = house.import(format!("{header}\n{row},1.25\n{row},12"));
    assert_eq!((told.state, house.sum("amount", "USD").as_str()), (State::Done, "13.25"), "{told:#?}");
}
