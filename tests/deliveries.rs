//! Tests of concurrent and killed imports in separate processes: the stored data is the sum of the parts, and each part is complete or absent.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::programs::{run, server};

const HEADER: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,\
                      ServiceName,ProviderName,SubAccountId,ResourceId,SkuId\n";

/// A bill with these rows; each costs its number in cents plus `more`.
fn bill(rows: impl Iterator<Item = u64>, more: u64) -> String {
    let mut text = HEADER.to_owned();
    for row in rows {
        let cents = row + more;
        let _ = writeln!(
            text,
            "{}.{:02},USD,100,2026-05-01,2026-05-{:02},2026-05-{:02},Usage,Compute,AWS,200,i-{row},sku-{row}",
            cents / 100,
            cents % 100,
            row % 28 + 1,
            row % 28 + 2
        );
    }
    text
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn begin(data_dir: &Path, file: &Path) -> Child {
    let mut command = server(data_dir);
    command.arg("import").arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Number of stored rows, and their sum in cents.
fn stored(data_dir: &Path) -> (u64, u64) {
    let dump = run(data_dir, &["table", "dump", "spends", "--format", "ndjson"]).succeeded().stdout;
    dump.lines().fold((0, 0), |(rows, sum), line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let amount = row["amount"].as_str().map_or_else(|| row["amount"].to_string(), str::to_owned);
        let (whole, part) = amount.split_once('.').unwrap_or((&amount, "0"));
        let cents = whole.parse::<u64>().unwrap() * 100 + format!("{part:0<2}").parse::<u64>().unwrap();
        (rows + 1, sum + cents)
    })
}

#[test]
fn parts_that_several_processes_import_at_once_sum_up() {
    let (data, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let parts: Vec<PathBuf> = (0..3)
        .map(|part| {
            write(&files, &format!("part_{part}_0001.csv"), &bill((0..900).filter(|row| row % 3 == part), 0))
        })
        .collect();
    let importing = |part| {
        let mut command = server(data.path());
        command.arg("import").arg(part).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let imports: Vec<Child> = parts.iter().map(importing).collect();
    for import in imports {
        let ended = import.wait_with_output().unwrap();
        let [said, complained] = [&ended.stdout, &ended.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(ended.status.success(), "{}: {said}{complained}", ended.status);
    }
    assert_eq!(stored(data.path()), (900, (0..900).sum()));
}

/// Size of the database's write-ahead log, in bytes.
fn written(data_dir: &Path) -> u64 {
    std::fs::metadata(data_dir.join("quarterdeck.db-wal")).map_or(0, |found| found.len())
}

#[test]
fn an_import_that_is_killed_at_any_moment_is_whole_or_not_there() {
    let (data, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rows = 2_000;
    let month = write(&files, "month.csv", &bill(0..rows, 0));
    let again = write(&files, "again.csv", &bill(0..rows, 1));
    run(data.path(), &[Path::new("import"), month.as_path()]).succeeded();
    let before = (rows, (0..rows).sum::<u64>());
    let after = (rows, before.1 + rows);
    assert_eq!(stored(data.path()), before);

    // Later each time: at once, at the first byte, then after four times as many.
    let moments = std::iter::once(0).chain((0..16).map(|power| 1 << (2 * power)));
    let (mut killed, mut last) = (0, before);
    for moment in moments {
        let mut import = begin(data.path(), &again);
        let is_over = loop {
            if import.try_wait().unwrap().is_some() {
                break true;
            }
            if written(data.path()) >= moment {
                break false;
            }
            std::thread::yield_now();
        };
        import.kill().unwrap();
        import.wait().unwrap();
        killed += u32::from(!is_over);
        last = stored(data.path());
        assert!(last == before || last == after, "killed at {moment} bytes: {last:?}");
        if last == after {
            break;
        }
    }
    // The first is killed at once; how many others are killed in time depends on the load of the machine.
    assert!(killed > 0, "it was over before it could be killed");
    if last == before {
        run(data.path(), &[Path::new("import"), again.as_path()]).succeeded();
    }
    assert_eq!(stored(data.path()), after);
    // Importing it again changes nothing; undoing it restores the previous state.
    run(data.path(), &[Path::new("import"), again.as_path()]).succeeded();
    assert_eq!(stored(data.path()), after);
    let imports = run(data.path(), &["imports", "list", "--json"]).succeeded().json();
    let done = imports.as_array().unwrap().iter().find(|import| import["state"] == "done").unwrap();
    let undone = run(data.path(), &["imports", "undo", done["id"].as_str().unwrap()]);
    assert_eq!(undone.code, 0, "{undone:#?}");
    assert_eq!(stored(data.path()), before);
}
