//! Tests of `quarterdeck-server` on the command line: output, stream and exit code.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::fixture;
use crate::support::programs::{Outcome, run, server};
use crate::support::service::Service;

/// A data directory, and a folder for files to import.
struct Desk {
    data_dir: TempDir,
    files: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { data_dir: tempfile::tempdir().unwrap(), files: tempfile::tempdir().unwrap() }
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.files.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        run(self.data_dir.path(), arguments)
    }

    fn import(&self, file: &Path) -> Outcome {
        self.run(&["import", file.to_str().unwrap(), "--json"])
    }

    /// Number of spends in the database.
    fn spends(&self) -> usize {
        self.run(&["table", "dump", "spends", "--format", "ndjson"]).succeeded().stdout.lines().count()
    }
}

#[test]
fn a_bill_ends_in_its_exact_totals() {
    let desk = Desk::new();
    let outcome = desk.import(&fixture("september.csv")).succeeded();
    let report = at(&outcome.stdout, &["0"]);
    assert_eq!(at(report, &["state"]), r#""done""#);
    assert_eq!(at(report, &["rows_read"]), "12");
    assert_eq!(at(report, &["rows_written"]), "12");
    let totals = at(report, &["totals", "0"]);
    assert_eq!(at(totals, &["currency"]), r#""USD""#);
    assert_eq!(at(totals, &["billed_cost"]), r#""32.88045820136""#);
    assert_eq!(at(totals, &["effective_cost"]), r#""32.63045820136""#);
    assert_eq!(at(totals, &["list_cost"]), r#""41.15045820131""#);
    assert_eq!(at(totals, &["contracted_cost"]), r#""34.13045820136""#);
    assert_eq!(desk.spends(), 12);
}

#[test]
fn the_same_bill_a_second_time_changes_nothing() {
    let desk = Desk::new();
    desk.import(&fixture("september.csv")).succeeded();
    let again = desk.import(&fixture("september.csv")).succeeded();
    assert_eq!(at(&again.stdout, &["0", "state"]), r#""unchanged""#);
    assert_eq!(desk.spends(), 12);
}

#[test]
fn a_dry_run_reports_and_writes_nothing() {
    let desk = Desk::new();
    let file = fixture("september.csv");
    let outcome = desk.run(&["import", file.to_str().unwrap(), "--dry-run", "--json"]).succeeded();
    assert_eq!(at(&outcome.stdout, &["0", "rows_read"]), "12");
    assert_eq!(desk.spends(), 0);
}

#[test]
fn a_directory_is_imported_file_by_file() {
    let desk = Desk::new();
    desk.file("september.csv", std::fs::read(fixture("september.csv")).unwrap());
    let outcome = desk.run(&["import", desk.files.path().to_str().unwrap()]).succeeded();
    assert!(outcome.stdout.contains("32.88"), "{outcome:#?}");
    assert_eq!(desk.spends(), 12);
}

#[test]
fn a_bill_that_is_cut_off_is_refused_whole() {
    let desk = Desk::new();
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&std::fs::read(fixture("september.csv")).unwrap()).unwrap();
    let whole = packer.finish().unwrap();
    let file = desk.file("cut.csv.gz", &whole[..whole.len() / 2]);
    refused(&desk, &file, &["cut.csv.gz"]);
}

#[test]
fn a_file_nobody_knows_is_refused_with_what_was_looked_for() {
    let desk = Desk::new();
    refused(&desk, &desk.file("notes.txt", "Dear Ada,\nthe cranes need oil.\n"), &["notes.txt", "FOCUS"]);
}

#[test]
fn an_empty_file_is_refused() {
    let desk = Desk::new();
    refused(&desk, &desk.file("nothing.csv", ""), &["nothing.csv", "empty"]);
}

#[test]
fn a_line_without_end_is_refused_and_does_not_fill_the_memory() {
    let desk = Desk::new();
    let mut endless = std::fs::read(fixture("september.csv")).unwrap();
    endless.push(b'"');
    endless.resize(64 << 20, b'x');
    refused(&desk, &desk.file("endless.csv", endless), &["endless.csv", "line"]);
}

#[test]
fn a_restated_month_replaces_the_earlier_one() {
    let desk = Desk::new();
    desk.import(&fixture("september.csv")).succeeded();
    let bill = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let restated = bill.replacen("4.80000000000", "5.80000000000", 1);
    let outcome = desk.import(&desk.file("restated.csv", restated)).succeeded();
    assert_eq!(
        at(&outcome.stdout, &["0", "totals", "0", "billed_cost"]),
        r#""33.88045820136""#,
        "{outcome:#?}"
    );
    assert_eq!(at(&outcome.stdout, &["0", "replaced", "rows"]), "12", "{outcome:#?}");
    assert_eq!(desk.spends(), 12);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let desk = Desk::new();
    refused(&desk, &desk.files.path().join("lost.csv"), &["lost.csv"]);
}

/// Checks that the import fails with these words on stderr and does not change the database.
fn refused(desk: &Desk, file: &Path, words: &[&str]) {
    let outcome = desk.run(&["import", file.to_str().unwrap()]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    for word in words {
        assert!(outcome.stderr.contains(word), "{word:?} is not in {outcome:#?}");
    }
    assert_eq!(desk.spends(), 0);
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_there_is() {
    let desk = Desk::new();
    let outcome = desk.run(&["improt"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:#?}");
    assert!(outcome.stderr.contains("import"), "{outcome:#?}");
}

#[test]
fn help_names_every_command() {
    let help = Desk::new().run(&["--help"]).succeeded().stdout;
    for command in ["serve", "import", "user", "token", "table", "doctor"] {
        assert!(help.contains(command), "{command} is not in {help}");
    }
}

#[test]
fn a_table_to_load_without_its_file_is_named() {
    let desk = Desk::new();
    let rows = desk.file("keys.csv", "key\nteam\n");
    let rows = rows.to_str().unwrap();
    let outcome = desk.run(&["table", "load", "spend_tag_keys", rows, "events"]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    assert!(outcome.stderr.contains("the last, \"events\", has no file"), "{outcome:#?}");
    let dumped = desk.run(&["table", "dump", "spend_tag_keys", "--format", "ndjson"]).succeeded();
    assert_eq!(dumped.stdout, "");
}

#[test]
fn the_doctor_tells_settings_with_their_source() {
    let desk = Desk::new();
    let outcome = desk.run(&["doctor"]).succeeded();
    assert!(outcome.stdout.contains(desk.data_dir.path().to_str().unwrap()), "{outcome:#?}");
    assert!(outcome.stdout.contains("environment"), "{outcome:#?}");
}

#[test]
fn a_data_directory_that_cannot_be_made_is_named() {
    let desk = Desk::new();
    let below_a_file = desk.file("file", "").join("data");
    let outcome =
        desk.run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", below_a_file.to_str().unwrap()]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    assert!(outcome.stderr.contains(below_a_file.to_str().unwrap()), "{outcome:#?}");
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let desk = Desk::new();
    desk.import(&fixture("september.csv")).succeeded();
    let path = desk.data_dir.path().join("quarterdeck.db");
    let mut database = std::fs::read(&path).unwrap();
    // SQLite stores `user_version`, which contains our schema version, in these four bytes of the file.
    database[60..64].copy_from_slice(&i32::MAX.to_be_bytes());
    std::fs::write(&path, &database).unwrap();

    let outcome = desk.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    assert!(outcome.stderr.contains("was written by a newer Quarterdeck"), "{outcome:#?}");
    assert_eq!(std::fs::read(&path).unwrap(), database, "the database was changed");
}

#[test]
fn a_second_server_on_the_same_data_directory_is_refused() {
    let service = Service::start();
    let outcome = run(service.data_dir(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    assert!(outcome.stderr.contains("another Quarterdeck server uses the data directory"), "{outcome:#?}");
    assert!(outcome.stderr.contains(&service.address), "{outcome:#?}");
}

#[test]
fn a_port_in_use_is_named() {
    let service = Service::start();
    let desk = Desk::new();
    let outcome = desk.run(&["serve", "--listen", &format!("127.0.0.1:{}", service.port())]);
    assert_eq!(outcome.code, 1, "{outcome:#?}");
    assert!(outcome.stderr.contains(&format!("port {} is in use", service.port())), "{outcome:#?}");
}

#[test]
fn a_bill_can_be_imported_while_the_server_runs() {
    let service = Service::start();
    service.import(&[fixture("september.csv")]);
    let dumped = run(service.data_dir(), &["table", "dump", "spends", "--format", "csv"]).succeeded();
    // A header and 12 rows; no value of this bill contains a line break.
    assert_eq!(dumped.stdout.lines().count(), 13, "{dumped:#?}");
}

#[test]
fn a_server_told_to_stop_ends_with_0_and_leaves_the_data() {
    let service = Service::start();
    service.import(&[fixture("september.csv")]);
    let data_dir = service.stop();
    assert!(run(data_dir.path(), &["doctor"]).succeeded().stdout.contains("quarterdeck"));
    let again = Service::start_on(data_dir);
    assert!(again.sign_in_link.starts_with("http://127.0.0.1:"));
}

#[test]
fn a_secret_of_a_token_is_printed_once_and_never_readable_again() {
    let desk = Desk::new();
    desk.run(&["user", "add", "ada@example.com"]).succeeded();
    let pair =
        desk.run(&["token", "create", "ada@example.com", "--name", "report", "--json"]).succeeded().json();
    let secret = pair["secret"].as_str().unwrap();
    assert_eq!(pair["email"], "ada@example.com");
    for table in ["user_auths", "users"] {
        let mut command = server(desk.data_dir.path());
        let dumped =
            crate::support::programs::finish(command.args(["table", "dump", table, "--format", "ndjson"]));
        assert!(!dumped.stdout.contains(secret), "the secret is in {table}");
    }
}

#[test]
fn a_first_start_says_nothing_but_its_own_words() {
    let desk = Desk::new();
    let mut service = server(desk.data_dir.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(service.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("/sign-in#code=")));
    service.kill().unwrap();
    let output = service.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!words.contains("func="), "a library talks to the terminal:\n{words}");
}

#[tokio::test]
async fn a_passphrase_of_backups_is_in_no_log_however_much_is_logged() {
    const SECRET: &str = "a horse that counts to twelve";
    let desk = Desk::new();
    let log = desk.files.path().join("log");
    let mut service = server(desk.data_dir.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("QUARTERDECK_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(service.stdout.take().unwrap()).lines().map_while(Result::ok);
    let link = lines.find(|line| line.contains("/sign-in#code=")).unwrap();
    let address = link.split_whitespace().find_map(|word| word.split_once("/sign-in#")).unwrap().0;
    desk.run(&["user", "add", "ada@example.com", "--role", "tenant_admin"]).succeeded();
    let pair = desk.run(&["token", "create", "ada@example.com", "--name", "tests", "--json"]).succeeded();
    let admin = Client::sign_in(address, &pair.json()).await;
    let given = async |passphrase: Value| {
        let body = json!({ "passphrase": passphrase });
        admin.request(Method::PUT, "/api/backups/passphrase").json(&body).send().await.unwrap().status()
    };
    assert_eq!(given(json!(SECRET)).await, 200);
    assert_eq!(given(json!([SECRET])).await, 400);
    let taken = admin.post("/api/backups", &json!({})).await.json();
    let path = format!("/api/backups/{}/restore", taken["name"].as_str().unwrap());
    let wish = json!({ "confirm": admin.get("/api/backups").await.json()["confirm"] });
    assert_eq!(admin.post(&path, &wish).await.status, 202);
    service.kill().unwrap();
    service.wait().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("a backup is put back"), "{log}");
    assert!(!log.contains(SECRET), "{log}");
}

#[test]
fn a_backup_brings_back_what_was_deleted_since_and_keeps_what_it_replaced() {
    let desk = Desk::new();
    desk.import(&fixture("september.csv")).succeeded();
    let before = desk.spends();
    let taken = desk.run(&["backup", "--json"]).succeeded();
    let name = at(&taken.stdout, &["name"]).trim_matches('"').to_owned();
    assert_eq!(at(&taken.stdout, &["check", "state"]), r#""verified""#);
    std::fs::remove_file(desk.data_dir.path().join("quarterdeck.db")).unwrap();
    assert_eq!(desk.spends(), 0);

    let shown = desk.run(&["restore", &name]).succeeded();
    assert!(shown.stdout.contains("12 rows spends") && shown.stdout.contains("--yes"), "{}", shown.stdout);
    assert_eq!(desk.spends(), 0, "looking changes nothing");
    let done = desk.run(&["restore", &name, "--yes"]).succeeded();
    assert!(done.stdout.contains("What was there before is in"), "{}", done.stdout);
    assert_eq!(desk.spends(), before);
    assert!(desk.data_dir.path().join("replaced/1/old/quarterdeck.db").exists());
}

#[test]
fn nothing_is_put_back_under_a_server_that_runs() {
    let service = Service::start();
    let taken = run(service.data_dir(), &["backup", "--json"]).succeeded();
    let name = at(&taken.stdout, &["name"]).trim_matches('"').to_owned();
    let refused = run(service.data_dir(), &["restore", &name, "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("another Quarterdeck server uses the data directory"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_files_of_a_manifest_wait_for_each_other_and_are_imported_together() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let (left, right): (Vec<_>, Vec<_>) = rows.lines().enumerate().partition(|(at, _)| at % 2 == 0);
    let part = |rows: Vec<(usize, &str)>| {
        let rows: Vec<&str> = rows.into_iter().map(|(_, row)| row).collect();
        format!("{header}\n{}\n", rows.join("\n"))
    };
    let manifest = r#"{"exportArn":"arn:aws:bcm-data-exports:us-east-1:1:export/focus","executionId":"2024-09-10T11:44:33.000Z-0b",
        "dataFiles":["s3://b/p/data/BILLING_PERIOD=2024-09/focus-00001.csv","s3://b/p/data/BILLING_PERIOD=2024-09/focus-00002.csv"]}"#;
    desk.file("focus-Manifest.json", manifest);
    desk.file("focus-00001.csv", part(left));
    let folder = desk.files.path().to_str().unwrap();
    let waits = desk.run(&["import", folder]);
    assert_eq!(waits.code, 3, "{waits:#?}");
    assert!(waits.stdout.contains("waits for the other files of its manifest"), "{waits:#?}");
    assert!(waits.stdout.contains("p/data/BILLING_PERIOD=2024-09/focus-00002.csv"), "{waits:#?}");
    assert_eq!(desk.spends(), 0);
    let second = desk.file("focus-00002.csv", part(right));
    desk.run(&["import", second.to_str().unwrap()]).succeeded();
    assert_eq!(desk.spends(), 12);
    let again = desk.run(&["import", folder, "--json"]).succeeded();
    for place in ["0", "1", "2"] {
        assert_eq!(at(&again.stdout, &[place, "state"]), r#""unchanged""#);
    }
}
