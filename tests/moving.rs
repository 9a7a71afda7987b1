//! Tests of `migrate`: all rows from SQLite to PostgreSQL and back, interrupted in both directions.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::fixture;
use crate::support::programs::{Outcome, run, server};
use crate::support::service::Service;

/// Number of charges in the bill: enough that a migration takes longer than a kill.
const CHARGES: usize = 20_000;

/// A data directory with the sample bill and a long one.
fn filled() -> tempfile::TempDir {
    let data_dir = tempfile::tempdir().unwrap();
    run(data_dir.path(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    let mut bill = String::from(
        "BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,\
         ListCost,ContractedCost,BillingCurrency,ChargeCategory,ChargeDescription,ServiceName,ServiceCategory,ProviderName,PublisherName\n",
    );
    for number in 0..CHARGES {
        let day = 1 + number % 28;
        writeln!(
            bill,
            "acc-{},2026-08-01T00:00:00Z,2026-09-01T00:00:00Z,2026-08-{day:02}T00:00:00Z,2026-08-{day:02}T01:00:00Z,0.{number:05},\
             0.{number:05},1,1,USD,Usage,\"Charge {number}\",Compute,Compute,AWS,AWS",
            number % 3
        )
        .unwrap();
    }
    let file = data_dir.path().join("long.csv");
    std::fs::write(&file, bill).unwrap();
    run(data_dir.path(), &["import", file.to_str().unwrap()]).succeeded();
    std::fs::remove_file(file).unwrap();
    data_dir
}

/// Starts a migration and kills it after its first table.
fn cut_off(mut command: Command) {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    child.kill().unwrap();
    assert!(first.contains("rows"), "{first}");
    assert!(!child.wait().unwrap().success(), "it was done before it could be killed");
}

fn dumped(data_dir: &Path, database: Option<&str>) -> Vec<String> {
    let mut command = server(data_dir);
    command.args(["table", "dump", "spends", "--format", "ndjson"]);
    if let Some(database) = database {
        command.env("QUARTERDECK_DATABASE", database);
    }
    let outcome = Outcome::of(command.stdin(Stdio::null()).output().unwrap()).succeeded();
    let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn rows_go_to_postgresql_and_back_whatever_cuts_them_off() {
    let Some(database) = testkit::postgres::database() else { return };
    let source = filled();
    let migrate = |arguments: &[&str]| {
        let mut command = server(source.path());
        command.env("QUARTERDECK_DATABASE", &database).arg("migrate").args(arguments);
        command
    };
    let done = |mut command: Command| Outcome::of(command.stdin(Stdio::null()).output().unwrap());
    cut_off(migrate(&[]));
    let refused = {
        let mut command = server(source.path());
        done_with(command.env("QUARTERDECK_DATABASE", &database).args(["serve", "--listen", "127.0.0.1:0"]))
    };
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("is not finished"), "{refused:#?}");
    let first = done(migrate(&[])).succeeded();
    assert!(first.stdout.contains("spends: rows 20012 = 20012\n"), "{first:#?}");
    assert!(first.stdout.contains("arrived and are equal"), "{first:#?}");
    assert!(first.stdout.contains("secrets.key") || first.stdout.contains("imports"), "{first:#?}");
    let again = done(migrate(&[])).succeeded();
    assert!(again.stdout.contains("were there already and are equal. Nothing was written"), "{again:#?}");
    let rows = dumped(source.path(), None);
    assert_eq!(rows.len(), CHARGES + 12);
    assert!(rows == dumped(source.path(), Some(&database)), "other rows arrived");

    // Back, into another data directory.
    let back = tempfile::tempdir().unwrap();
    let to = back.path().to_str().unwrap();
    cut_off(migrate(&["--from", &database, "--to", to]));
    let refused = done_with(server(back.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("is not finished"), "{refused:#?}");
    let returned = done(migrate(&["--from", &database, "--to", to, "--json"])).succeeded().json();
    assert_eq!(returned["was_there"], false);
    assert!(rows == dumped(back.path(), None), "other rows came back");
    // A database in use is not overwritten.
    run(back.path(), &["user", "add", "eve@example.com"]).succeeded();
    let other = done(migrate(&["--from", &database, "--to", to]));
    assert_eq!(other.code, 1, "{other:#?}");
    assert!(other.stderr.contains("holds other data than the source"), "{other:#?}");
}

fn done_with(command: &mut Command) -> Outcome {
    Outcome::of(command.stdin(Stdio::null()).output().unwrap())
}

#[test]
fn a_source_that_a_service_uses_is_refused() {
    let Some(database) = testkit::postgres::database() else { return };
    let running = Service::start();
    let refused = run(running.data_dir(), &["migrate", "--to", &database]);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("another Quarterdeck server uses the data directory"), "{refused:#?}");
    let on_postgres = Service::start_with(&[("QUARTERDECK_DATABASE", &database)]);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("new");
    let refused = run(folder.path(), &["migrate", "--from", &database, "--to", to.to_str().unwrap()]);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("other sessions of Quarterdeck are open"), "{refused:#?}");
    drop(on_postgres);
}

#[test]
fn places_that_make_no_sense_are_refused() {
    let data_dir = tempfile::tempdir().unwrap();
    let refused = run(data_dir.path(), &["migrate"]);
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.contains("no target: expected --to"), "{refused:#?}");
    let refused = run(data_dir.path(), &["migrate", "--to", "postgres://localhost/x"]);
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.contains("there is no database in"), "{refused:#?}");
    let refused = run(data_dir.path(), &["migrate", "--to", "/tmp/x"]);
    assert!(refused.stderr.contains("both places are data directories"), "{refused:#?}");
}

#[test]
fn a_backup_of_postgresql_is_put_back_as_a_file_of_sqlite() {
    let Some(database) = testkit::postgres::database() else { return };
    let data_dir = tempfile::tempdir().unwrap();
    let on_postgres = |arguments: &[&str]| {
        done_with(server(data_dir.path()).env("QUARTERDECK_DATABASE", &database).args(arguments))
    };
    on_postgres(&["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    let taken = on_postgres(&["backup", "--json"]).succeeded().json();
    assert_eq!(taken["check"]["state"], "verified", "{taken}");
    let name = taken["name"].as_str().unwrap();
    let file = data_dir.path().join("backups").join(format!("{name}.tar.gz"));
    let fresh = tempfile::tempdir().unwrap();
    run(fresh.path(), &["restore", file.to_str().unwrap(), "--yes"]).succeeded();
    let rows = dumped(data_dir.path(), Some(&database));
    assert_eq!(rows.len(), 12);
    assert_eq!(rows, dumped(fresh.path(), None));
    // From there into another database.
    let other = testkit::postgres::database().unwrap();
    run(fresh.path(), &["migrate", "--to", &other]).succeeded();
    assert_eq!(rows, dumped(fresh.path(), Some(&other)));
}

/// The number of rows of each table in a backup.
fn rows_of(shown: &Outcome) -> Vec<&str> {
    // Tables that a restore itself changes.
    const SETTLED: [&str; 3] = [" setting", " session", " security_event"];
    let is_moved = |line: &&str| !SETTLED.iter().any(|table| line.ends_with(table));
    shown.stdout.lines().map(str::trim).filter(|line| line.contains(" rows ")).filter(is_moved).collect()
}

#[test]
fn a_backup_of_sqlite_is_put_into_postgresql_with_all_its_rows() {
    let Some(database) = testkit::postgres::database() else { return };
    let source = tempfile::tempdir().unwrap();
    let key = source.path().join("key");
    std::fs::write(&key, "a horse that counts to twelve\n").unwrap();
    let key = key.to_str().unwrap();
    run(source.path(), &["import", fixture("september.csv").to_str().unwrap()]).succeeded();
    run(source.path(), &["user", "add", "eve@example.com"]).succeeded();
    let taken = run(source.path(), &["backup", "--passphrase-file", key, "--json"]).succeeded().json();
    let file =
        source.path().join("backups").join(format!("{}.tar.gz.closed", taken["name"].as_str().unwrap()));
    let file = file.to_str().unwrap();

    let target = tempfile::tempdir().unwrap();
    let on_postgres = |arguments: &[&str]| {
        done_with(server(target.path()).env("QUARTERDECK_DATABASE", &database).args(arguments))
    };
    let closed = on_postgres(&["restore", file, "--yes"]);
    assert_eq!(closed.code, 1, "{closed:#?}");
    assert!(closed.stderr.contains("is closed with a passphrase"), "{closed:#?}");
    let looked = on_postgres(&["restore", file, "--passphrase-file", key]).succeeded();
    assert!(looked.stdout.contains("12 rows spends") && looked.stdout.contains("--yes"), "{looked:#?}");
    let put = on_postgres(&["restore", file, "--passphrase-file", key, "--yes"]).succeeded();
    assert!(put.stdout.contains("spends: 12 rows\n"), "{put:#?}");
    assert!(put.stdout.contains("are in PostgreSQL and are equal"), "{put:#?}");
    assert!(put.stdout.contains("count again: revoke them again"), "{put:#?}");
    let rows = dumped(source.path(), None);
    assert_eq!(rows, dumped(target.path(), Some(&database)));
    // The imported files were restored too.
    let receipts = |folder: &Path| std::fs::read_dir(folder.join("imports")).unwrap().count();
    assert_eq!(receipts(target.path()), receipts(source.path()));

    // All tables, as counted by a backup of PostgreSQL.
    let again = on_postgres(&["backup", "--json"]).succeeded().json();
    let from_postgres = on_postgres(&["restore", again["name"].as_str().unwrap()]).succeeded();
    assert_eq!(rows_of(&from_postgres), rows_of(&looked));

    // It contains rows now: they are replaced only on request, and saved in a backup.
    let refused = on_postgres(&["restore", file, "--passphrase-file", key, "--yes"]);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("holds rows already; nothing was changed"), "{refused:#?}");
    on_postgres(&["user", "add", "mallory@example.com"]).succeeded();
    let replaced =
        on_postgres(&["restore", file, "--passphrase-file", key, "--yes", "--replace"]).succeeded();
    let kept = replaced.stdout.lines().find_map(|line| line.strip_prefix("What was there is in the backup "));
    let kept = on_postgres(&["restore", kept.unwrap()]).succeeded();
    let users =
        |shown: &Outcome| shown.stdout.lines().find(|line| line.ends_with(" rows users")).map(str::to_owned);
    assert_ne!(users(&kept), users(&looked), "mallory is in it");
    let last = on_postgres(&["backup", "--json"]).succeeded().json();
    let last = on_postgres(&["restore", last["name"].as_str().unwrap()]).succeeded();
    assert_eq!(rows_of(&last), rows_of(&looked));
    assert!(!replaced.stdout.contains("count again"), "{replaced:#?}");
    // A restore is refused while a server is running.
    let running = Service::start_with(&[("QUARTERDECK_DATABASE", &database)]);
    let refused = on_postgres(&["restore", file, "--passphrase-file", key, "--yes", "--replace"]);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("other sessions of Quarterdeck are open"), "{refused:#?}");
    drop(running);
}
